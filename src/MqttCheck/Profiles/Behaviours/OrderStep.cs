namespace MqttCheck.Profiles.Behaviours;

/// <summary>A message in the order of a connection. The numbers are those of the kinds of message.</summary>
public enum OrderStep : byte
{
    /// <summary>CONNECT.</summary>
    Connect,

    /// <summary>DISCONNECT.</summary>
    Disconnect,

    /// <summary>PUBLISH.</summary>
    Publish,

    /// <summary>SUBSCRIBE.</summary>
    Subscribe,

    /// <summary>UNSUBSCRIBE.</summary>
    Unsubscribe,
}
