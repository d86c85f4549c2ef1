namespace MqttCheck.Protocol.Packets;

/// <summary>PUBREL: QoS 2, the packet identifier may be released (section 3.6).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="ReasonCode">The outcome; MQTT 5 only.</param>
internal sealed record PubrelPacket(ushort PacketId, ReasonCode ReasonCode = ReasonCode.Success)
    : AckPacket(PacketType.Pubrel, PacketId, ReasonCode);
