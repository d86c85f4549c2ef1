namespace MqttCheck.Brokers.Fleets;

/// <summary>How far a fleet run has come.</summary>
/// <param name="Elapsed">Time since the run began.</param>
/// <param name="Sent">Exchanges begun.</param>
/// <param name="Completed">Exchanges that succeeded.</param>
/// <param name="Failed">Exchanges that failed.</param>
/// <param name="SequencesDone">Counted sequences that have ended.</param>
/// <param name="SequencesNeeded">Counted sequences that the run waits for, 0 when it is bounded by time.</param>
public readonly record struct FleetProgress(
    TimeSpan Elapsed,
    long Sent,
    long Completed,
    long Failed,
    int SequencesDone,
    int SequencesNeeded
);
