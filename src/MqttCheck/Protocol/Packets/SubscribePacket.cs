namespace MqttCheck.Protocol.Packets;

/// <summary>SUBSCRIBE: asks for subscriptions (section 3.8).</summary>
/// <param name="PacketId">The packet identifier, 1..65535.</param>
/// <param name="Subscriptions">At least one request, handled in this order.</param>
internal sealed record SubscribePacket(ushort PacketId, ValueList<SubscriptionRequest> Subscriptions)
    : Packet(PacketType.Subscribe)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
