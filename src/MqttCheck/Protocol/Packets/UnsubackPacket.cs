namespace MqttCheck.Protocol.Packets;

/// <summary>UNSUBACK: the answer to UNSUBSCRIBE (section 3.11).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="ReasonCodes">MQTT 5: one code per filter, in order. 3.1.1: none.</param>
internal sealed record UnsubackPacket(ushort PacketId, ValueList<ReasonCode> ReasonCodes = default)
    : Packet(PacketType.Unsuback)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
