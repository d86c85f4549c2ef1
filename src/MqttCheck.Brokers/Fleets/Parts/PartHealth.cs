using MqttCheck.Health;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>Merges the health reports of the parts of a run.</summary>
internal static class PartHealth
{
    /// <summary>The health of a run: the worst value of all generators counts, except for the mean wait.</summary>
    /// <param name="whole">The health of the run as a whole.</param>
    /// <param name="parts">The health of its parts; empty if all were lost.</param>
    public static RunHealth Worst(RunHealth whole, IReadOnlyList<RunHealth> parts) =>
        parts.Count == 0
            ? whole
            : whole with
            {
                MeanWaitMilliseconds = parts.Average(part => part.MeanWaitMilliseconds),
                LagMedianMicroseconds = parts.Max(part => part.LagMedianMicroseconds),
                LagP99Microseconds = parts.Max(part => part.LagP99Microseconds),
                LagMaximumMicroseconds = parts.Max(part => part.LagMaximumMicroseconds),
                GeneratorCpuShare = parts.Max(part => part.GeneratorCpuShare),
                StolenShare = parts.Max(part => part.StolenShare),
                CollectionPauses = parts.Max(part => part.CollectionPauses),
                HeldAnswerShare = parts.Max(part => part.HeldAnswerShare),
                PendingBytesMaximum = parts.Max(part => part.PendingBytesMaximum),
            };
}
