namespace MqttCheck.Broker.Core;

/// <summary>What a client does to topics.</summary>
[Flags]
public enum AccessAction : byte
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>Publish, wills included.</summary>
    Publish = 1,

    /// <summary>Subscribe.</summary>
    Subscribe = 2,

    /// <summary>Both.</summary>
    Both = 3,
}
