namespace MqttCheck.Protocol.Packets;

/// <summary>SUBACK: the answer to SUBSCRIBE (section 3.9).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="ReasonCodes">
/// One code per requested filter, in order: the granted QoS (0, 1, 2) or a failure (3.1.1: 0x80).
/// </param>
internal sealed record SubackPacket(ushort PacketId, ValueList<ReasonCode> ReasonCodes) : Packet(PacketType.Suback)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
