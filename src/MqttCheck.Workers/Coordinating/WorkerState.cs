namespace MqttCheck.Workers.Coordinating;

/// <summary>A worker as a coordinator sees it.</summary>
/// <param name="Address">The address at which coordinators reach it.</param>
/// <param name="Machine">The name of its machine; empty where it did not say.</param>
/// <param name="ProcessId">The number of its process.</param>
/// <param name="Version">Its version.</param>
/// <param name="Slots">How many shards it computes at once.</param>
/// <param name="Busy">How many it computes now, for any coordinator.</param>
/// <param name="Load">The load average of its system; NaN where the system does not say.</param>
/// <param name="OffsetMilliseconds">How much its clock is ahead of this one.</param>
/// <param name="OffsetBoundMilliseconds">The largest error of the offset: half of the round trip.</param>
/// <param name="Replications">How many replications it has computed since it started.</param>
/// <param name="Refusal">Why it is not used; null where it is.</param>
internal sealed record WorkerState(
    string Address,
    string Machine,
    int ProcessId,
    string Version,
    int Slots,
    int Busy,
    double Load,
    double OffsetMilliseconds,
    double OffsetBoundMilliseconds,
    long Replications,
    string? Refusal
);
