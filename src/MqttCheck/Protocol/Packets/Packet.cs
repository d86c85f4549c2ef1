namespace MqttCheck.Protocol.Packets;

/// <summary>
/// One MQTT control packet as an immutable value with structural equality. The packet types of the specification are
/// its only subtypes.
/// </summary>
public abstract record Packet
{
    private protected Packet(PacketType type) => Type = type;

    /// <summary>The packet's type.</summary>
    public PacketType Type { get; }
}
