using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Model;

/// <summary>A packet that the broker owes.</summary>
internal sealed record AwaitedAnswer(
    PacketType Type,
    ushort PacketId,
    int Connection,
    Statement Statement,
    string Circumstances,
    string Request
)
{
    public Publication? Publication { get; init; }

    public SubscribePacket? Subscribe { get; init; }

    public UnsubscribePacket? Unsubscribe { get; init; }

    /// <summary>
    /// Whether each filter of an UNSUBSCRIBE certainly had a subscription, or certainly had none; null if that is
    /// unknown.
    /// </summary>
    public IReadOnlyList<bool?> Existed { get; init; } = [];

    /// <summary>The filters of an UNSUBSCRIBE that something was known of.</summary>
    public IReadOnlyList<string> Counted { get; init; } = [];
}
