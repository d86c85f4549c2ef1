namespace MqttCheck.Protocol.Packets;

/// <summary>PUBREC: QoS 2, the message was received (section 3.5).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="ReasonCode">The outcome; MQTT 5 only.</param>
internal sealed record PubrecPacket(ushort PacketId, ReasonCode ReasonCode = ReasonCode.Success)
    : AckPacket(PacketType.Pubrec, PacketId, ReasonCode);
