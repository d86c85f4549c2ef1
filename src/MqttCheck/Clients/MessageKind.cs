namespace MqttCheck.Clients;

/// <summary>
/// The inputs of the functional model of a client: what it can ask of a broker, each followed by an awaited answer.
/// </summary>
public enum MessageKind : byte
{
    /// <summary>CONNECT, answered by CONNACK.</summary>
    Connect,

    /// <summary>DISCONNECT, answered by the broker closing the connection.</summary>
    Disconnect,

    /// <summary>
    /// PUBLISH, answered by its acknowledgement and the delivery to every subscriber (the model's <c>PubFin</c>).
    /// </summary>
    Publish,

    /// <summary>SUBSCRIBE to one topic, answered by SUBACK.</summary>
    Subscribe,

    /// <summary>UNSUBSCRIBE from one topic, answered by UNSUBACK.</summary>
    Unsubscribe,
}
