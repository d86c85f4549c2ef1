namespace MqttCheck.Protocol.Packets;

/// <summary>
/// The will of a client: a message that the server publishes when the connection ends without a normal DISCONNECT
/// (section 3.1.2.5).
/// </summary>
/// <param name="Topic">The topic name.</param>
/// <param name="Payload">The message, may be empty.</param>
/// <param name="Qos">The quality of service it is published with.</param>
/// <param name="Retain">Whether it becomes a retained message.</param>
internal sealed record WillMessage(
    string Topic,
    Bytes Payload,
    QualityOfService Qos = QualityOfService.AtMostOnce,
    bool Retain = false
)
{
    /// <summary>The will properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
