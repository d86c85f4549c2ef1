namespace MqttCheck.Clients;

/// <summary>
/// The inputs of the functional model of a client: everything a client can do. Measuring uses those that are a
/// <see cref="MessageKind"/>, checking all.
/// </summary>
public enum ClientInput : byte
{
    /// <summary>Opens a connection and sends CONNECT. While one is open it is taken over.</summary>
    Connect,

    /// <summary>Sends DISCONNECT and ends the connection.</summary>
    Disconnect,

    /// <summary>Sends PUBLISH.</summary>
    Publish,

    /// <summary>Sends SUBSCRIBE.</summary>
    Subscribe,

    /// <summary>Sends UNSUBSCRIBE.</summary>
    Unsubscribe,

    /// <summary>Sends PINGREQ.</summary>
    Ping,

    /// <summary>Ends the connection without DISCONNECT, or loses it.</summary>
    Drop,

    /// <summary>Begins to withhold acknowledgements.</summary>
    Hold,

    /// <summary>Sends the acknowledgements withheld.</summary>
    Release,

    /// <summary>Sends bytes that break a rule; the connection is of no use afterwards.</summary>
    Misbehave,
}
