namespace MqttCheck.Protocol.Packets;

/// <summary>PINGRESP: the answer to PINGREQ (section 3.13).</summary>
public sealed record PingrespPacket : Packet
{
    /// <inheritdoc/>
    public override PacketType Type => PacketType.Pingresp;
}
