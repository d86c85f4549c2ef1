using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Model;

/// <summary>A packet that the broker owes.</summary>
internal sealed class AwaitedAnswer(
    PacketType type,
    ushort packetId,
    int connection,
    Statement statement,
    string circumstances,
    string request
)
{
    public PacketType Type => type;

    public ushort PacketId => packetId;

    public int Connection => connection;

    public Statement Statement => statement;

    public string Circumstances => circumstances;

    public string Request => request;

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
