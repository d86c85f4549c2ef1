namespace MqttCheck.Conformance.Tests.Generation;

/// <summary>What can depend on the time that a scenario waits.</summary>
[Flags]
internal enum Situations
{
    None = 0,

    /// <summary>Nothing is sent on a connection for longer than one and a half times its keep alive.</summary>
    Silence = 1,

    /// <summary>A connection is kept by what is sent between waits that together are longer than that.</summary>
    KeptAlive = 2,

    /// <summary>A message with an expiry interval waits for a client that comes back behind a wait.</summary>
    QueuedMessage = 4,

    /// <summary>A retained message with an expiry interval is asked for behind a wait.</summary>
    RetainedMessage = 8,

    /// <summary>A client comes back to a session whose interval has passed.</summary>
    SessionExpiry = 16,

    /// <summary>A will with a delay is waited for while somebody is subscribed to it.</summary>
    DelayedWill = 32,
}
