using MqttCheck.Clusters.Topologies.Faults;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>The words for a fault of one kind, for people who do not know the language of faults.</summary>
/// <param name="Began">What has happened when it began, behind the name of node or link.</param>
/// <param name="When">The condition in an answer; <c>{0}</c> is the node or link.</param>
/// <param name="Meanwhile">The state that lasted until its end, likewise.</param>
/// <param name="Ended">What has happened when it ended, behind the name of node or link.</param>
internal sealed record FaultWords(string Began, string When, string Meanwhile, string Ended)
{
    private static readonly FaultWords s_other = new(
        "was disturbed",
        "{0} is disturbed",
        "{0} was disturbed",
        "was well"
    );

    private static readonly Dictionary<FaultKind, FaultWords> s_words = new()
    {
        [FaultKind.Kill] = new("was killed", "{0} dies", "{0} was away", "was back"),
        [FaultKind.Stop] = new("was stopped", "{0} is stopped", "{0} was away", "was back"),
        [FaultKind.Freeze] = new("froze", "{0} freezes", "{0} stood still", "went on"),
        [FaultKind.Join] = new("joined", "{0} joins", "{0} had joined", "was away"),
        [FaultKind.Cut] = new("was cut", "{0} is cut", "{0} was cut", "was whole"),
        [FaultKind.Partition] = new("stalled", "the cluster is parted", "the cluster was parted", "went on"),
        [FaultKind.Slow] = new("became slow", "{0} is slow", "{0} was slow", "was as before"),
        [FaultKind.Power] = new("lost its power", "the power of {0} fails", "{0} was without power", "was back"),
        [FaultKind.Fill] = new("had a full disk", "the disk of {0} is full", "the disk of {0} was full", "had room"),
        [FaultKind.Throttle] = new(
            "had a slow disk",
            "the disk of {0} is slow",
            "the disk of {0} was slow",
            "had a fast disk again"
        ),
        [FaultKind.Damage] = new(
            "had damaged files",
            "files of {0} are damaged",
            "files of {0} were damaged",
            "was started again"
        ),
        [FaultKind.Truncate] = new(
            "had a cut file",
            "a file of {0} is cut",
            "a file of {0} was cut",
            "was started again"
        ),
        [FaultKind.Leave] = new("left the cluster", "{0} leaves the cluster", "{0} had left", "was back"),
    };

    private static readonly FaultWords s_clients = new(
        "was cut from its clients",
        "{0} is cut from its clients",
        "{0} was cut from its clients",
        "had its clients again"
    );

    /// <summary>The words of a fault; general ones for a kind without words of its own.</summary>
    public static FaultWords Of(FaultSpan fault) =>
        fault is { Kind: FaultKind.Partition, Peer: < 0 } ? s_clients : s_words.GetValueOrDefault(fault.Kind, s_other);
}
