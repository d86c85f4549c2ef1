using MqttCheck.Clients;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Exchanges;

/// <summary>A request that is no publication, until it is logged. Times are nanoseconds since 1970.</summary>
internal sealed class OpenRequest
{
    /// <summary>Its kind.</summary>
    public required MessageKind Kind { get; init; }

    /// <summary>When it was meant to be sent: of a connect, when its connection was begun.</summary>
    public required long Intended { get; init; }

    /// <summary>When it was sent.</summary>
    public required long Sent { get; init; }

    /// <summary>The place in the order of sending.</summary>
    public required long Index { get; init; }

    /// <summary>How many exchanges and subscriptions there were when it was sent, itself included.</summary>
    public required (int Active, int Subscriptions) Load { get; init; }

    /// <summary>The number of the client's connection.</summary>
    public required int Sequence { get; init; }

    /// <summary>The number of its topic or filters in the log, -1 without any.</summary>
    public int Topic { get; init; } = -1;

    /// <summary>Bytes of its topic or filters.</summary>
    public int TopicSize { get; init; }

    /// <summary>The quality of service of a subscription.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>Whether the answer may be among packets that are missing.</summary>
    public bool IsDoubted { get; set; }

    /// <summary>The filters of a subscription, and whether the client's own messages are left out.</summary>
    public IReadOnlyList<(string Filter, bool NoLocal)> Filters { get; init; } = [];
}
