namespace MqttCheck.Protocol.Packets;

/// <summary>PINGREQ: shows that the client is alive (section 3.12).</summary>
internal sealed record PingreqPacket() : Packet(PacketType.Pingreq);
