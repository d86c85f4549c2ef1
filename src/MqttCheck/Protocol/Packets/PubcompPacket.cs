namespace MqttCheck.Protocol.Packets;

/// <summary>PUBCOMP: QoS 2, the exchange is complete (section 3.7).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="ReasonCode">The outcome; MQTT 5 only.</param>
internal sealed record PubcompPacket(ushort PacketId, ReasonCode ReasonCode = ReasonCode.Success)
    : AckPacket(PacketType.Pubcomp, PacketId, ReasonCode);
