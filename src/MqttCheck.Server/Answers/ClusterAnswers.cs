namespace MqttCheck.Server.Answers;

/// <summary>The answers about a cluster, as far as they are known.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="IsFinal">Whether it is refined no further: it is what the command prints.</param>
/// <param name="Command">The command that prints it.</param>
/// <param name="Promise">What the answers promise, in the words of the command.</param>
/// <param name="Notes">What the command says of its intervals, and of links without a delay.</param>
/// <param name="Rows">The properties of each variant.</param>
/// <param name="Pairs">The deliveries by pairs of places; null where something is varied, or there are none.</param>
internal sealed record ClusterAnswers(
    long Request,
    bool IsFinal,
    string Command,
    string Promise,
    IReadOnlyList<string> Notes,
    IReadOnlyList<ClusterRow> Rows,
    ClusterPairs? Pairs
);
