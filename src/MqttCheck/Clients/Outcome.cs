namespace MqttCheck.Clients;

/// <summary>
/// The result of one sequence of a client, from a live broker or from a simulation: what a check consumes. A check does
/// not know which of the two produced it.
/// </summary>
/// <param name="Run">Number of the live run, or of the replication.</param>
/// <param name="Client">Number of the client.</param>
/// <param name="Sequence">Number of the client's sequence.</param>
/// <param name="IssueIndex">
/// Order in which sequences began, over all clients of the run. Outcomes count in this order, never in order of
/// completion, which favours fast ones.
/// </param>
/// <param name="Latencies">The largest latencies in the sequence.</param>
/// <param name="Status">Whether the sequence was completed.</param>
public readonly record struct Outcome(
    int Run,
    int Client,
    int Sequence,
    long IssueIndex,
    SequenceLatencies Latencies,
    OutcomeStatus Status
)
{
    /// <summary>
    /// Whether every message of the sequence arrived within the threshold. A failed sequence did not.
    /// </summary>
    /// <param name="thresholdMilliseconds">The threshold, exclusive.</param>
    public bool InTime(double thresholdMilliseconds) =>
        Status == OutcomeStatus.Completed && Latencies.WorstMilliseconds < thresholdMilliseconds;
}
