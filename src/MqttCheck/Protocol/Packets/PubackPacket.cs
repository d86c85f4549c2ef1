namespace MqttCheck.Protocol.Packets;

/// <summary>PUBACK: acknowledges a QoS 1 message (section 3.4).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="ReasonCode">The outcome; MQTT 5 only.</param>
internal sealed record PubackPacket(ushort PacketId, ReasonCode ReasonCode = ReasonCode.Success)
    : AckPacket(PacketType.Puback, PacketId, ReasonCode);
