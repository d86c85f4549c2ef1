namespace MqttCheck.App.Bench;

/// <summary>
/// The knee of the curve of latency against offered load: the last rate, from the lowest on, that the broker sustains.
/// At a sustained rate at least 99 % of the offered messages are delivered in the same time. Its 99th percentile of
/// latency is at most ten times that of the lowest rate. Invalid runs, in which the generator was late or overloaded,
/// do not count, because they measured the generator.
/// </summary>
internal static class BenchKnee
{
    /// <summary>The smallest share of the offered load that has to be delivered.</summary>
    public const double SmallestShare = 0.99;

    /// <summary>How many times the 99th percentile of the lowest rate is allowed.</summary>
    public const double LargestFactor = 10;

    /// <summary>Whether a rate is sustained.</summary>
    /// <param name="lowest">The valid run at the lowest rate, or null when there is none.</param>
    public static bool IsSustained(BenchRun run, BenchRun? lowest)
    {
        return lowest is not null
            && run.Failure is null
            && run.KeptUp
            && run.Latency is { } latency
            && lowest.Latency is { } first
            && latency.P99 <= LargestFactor * first.P99;
    }

    /// <summary>The valid run at the lowest rate, with which others are compared; null when there is none.</summary>
    /// <param name="runs">The runs in the order of their rates.</param>
    public static BenchRun? Lowest(IReadOnlyList<BenchRun> runs)
    {
        return runs.FirstOrDefault(run => run.IsValid && run.Failure is null);
    }

    /// <summary>
    /// The knee, in messages per second; null when not even the lowest rate is sustained, or none can decide.
    /// </summary>
    /// <param name="runs">The runs in the order of their rates.</param>
    /// <returns>
    /// The rate, and whether a higher one was tried and not sustained: otherwise the knee lies above.
    /// </returns>
    public static (double? Rate, bool IsBracketed) Find(IReadOnlyList<BenchRun> runs)
    {
        var lowest = Lowest(runs);
        double? knee = null;
        foreach (var run in runs.Where(run => run.IsValid))
        {
            if (!IsSustained(run, lowest))
                return (knee, true);
            knee = run.OfferedPerSecond;
        }
        return (knee, false);
    }
}
