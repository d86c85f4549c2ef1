namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>What a <see cref="ScriptedBroker"/> does instead of what it should.</summary>
public enum Fault
{
    None,

    /// <summary>No answer.</summary>
    Ignore,

    /// <summary>The failure code of the answer.</summary>
    Refuse,

    /// <summary>Closes the connection in order.</summary>
    Close,

    /// <summary>Resets the connection.</summary>
    Abort,

    /// <summary>Says DISCONNECT with a reason, which MQTT 5 allows, and closes.</summary>
    Leave,

    /// <summary>Sends bytes that are no packet.</summary>
    Garbage,

    /// <summary>Sends an acknowledgement that nobody asked for.</summary>
    Unasked,

    /// <summary>Acknowledges a message and delivers it to nobody.</summary>
    Lose,

    /// <summary>Delivers a message twice.</summary>
    Duplicate,

    /// <summary>Delivers a foreign message as well.</summary>
    Stray,
}
