namespace MqttCheck.Protocol.Packets;

/// <summary>CONNACK: the answer to CONNECT (section 3.2).</summary>
/// <param name="SessionPresent">The server resumes an earlier session.</param>
/// <param name="ReasonCode">Success or the refusal; in 3.1.1 translated by <see cref="ConnectReturnCodes"/>.</param>
internal sealed record ConnackPacket(bool SessionPresent, ReasonCode ReasonCode = ReasonCode.Success)
    : Packet(PacketType.Connack)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
