namespace MqttCheck.Protocol.Packets;

/// <summary>UNSUBSCRIBE: removes subscriptions (section 3.10).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="Filters">At least one topic filter; equal filters are removed.</param>
internal sealed record UnsubscribePacket(ushort PacketId, ValueList<string> Filters) : Packet(PacketType.Unsubscribe)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
