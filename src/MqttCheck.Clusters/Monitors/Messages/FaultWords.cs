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
    };

    /// <summary>The words of a kind; general ones for a kind without words of its own.</summary>
    public static FaultWords Of(FaultKind kind) => s_words.GetValueOrDefault(kind, s_other);
}
