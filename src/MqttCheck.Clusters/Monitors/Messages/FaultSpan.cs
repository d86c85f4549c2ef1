using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>A fault as it happened at one node or link.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Text">The fault as its file or option says it; empty where nobody says.</param>
/// <param name="Node">The node, or one end of the link.</param>
/// <param name="Peer">The other end of the link; -1 for a node.</param>
/// <param name="Begin">When it began, in nanoseconds.</param>
internal sealed record FaultSpan(FaultKind Kind, string Text, int Node, int Peer, long Begin)
{
    /// <summary>When it was over; null while it lasts.</summary>
    public long? End { get; init; }

    /// <summary>When bridges worked again that it had stopped; as <see cref="End"/> where there are none.</summary>
    public long? Restored { get; init; }

    /// <summary>The name of the node or link.</summary>
    /// <param name="nameOfNode">The names of nodes.</param>
    public string Place(Func<int, string> nameOfNode) =>
        Peer < 0 ? nameOfNode(Node) : $"link {nameOfNode(Node)}-{nameOfNode(Peer)}";

    /// <summary>The name of the node or link in a sentence, where a short name alone is taken for a word.</summary>
    /// <param name="nameOfNode">The names of nodes.</param>
    public string PlaceInWords(Func<int, string> nameOfNode) =>
        Peer < 0 && nameOfNode(Node).Length <= 2 ? $"node {nameOfNode(Node)}" : Place(nameOfNode);

    /// <summary>Whether it lasted at a time.</summary>
    public bool Covers(long nanoseconds) => Begin <= nanoseconds && nanoseconds <= (End ?? long.MaxValue);

    /// <summary>Whether it lasted at a time, or its bridges were not back.</summary>
    public bool CoversUntilRestored(long nanoseconds) =>
        Begin <= nanoseconds && nanoseconds <= (Restored ?? End ?? long.MaxValue);
}
