namespace MqttCheck.Protocol.Packets;

/// <summary>An acknowledgement in the delivery of a message: PUBACK, PUBREC, PUBREL or PUBCOMP.</summary>
internal abstract record AckPacket : Packet
{
    private protected AckPacket(PacketType type, ushort packetId, ReasonCode reasonCode)
        : base(type) => (PacketId, ReasonCode) = (packetId, reasonCode);

    /// <summary>The packet identifier, 1..65535.</summary>
    public ushort PacketId { get; init; }

    /// <summary>The outcome; MQTT 5 only.</summary>
    public ReasonCode ReasonCode { get; init; }

    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
