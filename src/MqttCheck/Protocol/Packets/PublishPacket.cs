using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Protocol.Packets;

/// <summary>
/// PUBLISH: a message (section 3.3). Hot paths use <see cref="PublishView"/> and <see cref="PacketWriter"/> instead.
/// </summary>
internal sealed record PublishPacket() : Packet(PacketType.Publish)
{
    /// <summary>The topic name; MQTT 5: empty if the topic alias stands for it.</summary>
    public string Topic { get; init; } = "";

    /// <summary>The message, may be empty.</summary>
    public Bytes Payload { get; init; }

    /// <summary>The quality of service.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>The retain flag.</summary>
    public bool Retain { get; init; }

    /// <summary>Set if this is a resend.</summary>
    public bool Duplicate { get; init; }

    /// <summary>The packet identifier 1..65535; 0 at QoS 0, which has none.</summary>
    public ushort PacketId { get; init; }

    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
