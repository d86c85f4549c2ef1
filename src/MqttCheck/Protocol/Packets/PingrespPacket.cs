namespace MqttCheck.Protocol.Packets;

/// <summary>PINGRESP: the answer to PINGREQ (section 3.13).</summary>
internal sealed record PingrespPacket() : Packet(PacketType.Pingresp);
