namespace MqttCheck.Server.Answers;

/// <summary>What is known of a cluster so far.</summary>
/// <param name="Request">The number of the question.</param>
/// <param name="IsFinal">Whether it is refined no further: it is what the command prints.</param>
/// <param name="Command">The command that prints it.</param>
/// <param name="Nodes">The nodes' names.</param>
/// <param name="Links">The pairs of nodes that are linked, by their places among the names.</param>
/// <param name="Rows">The properties of each variant.</param>
internal sealed record ClusterAnswers(
    long Request,
    bool IsFinal,
    string Command,
    IReadOnlyList<string> Nodes,
    IReadOnlyList<int[]> Links,
    IReadOnlyList<ClusterRow> Rows
);
