namespace MqttCheck.App.Compare;

/// <summary>How often a broker was in time in comparison after comparison, at one point.</summary>
internal sealed record CompareTrend
{
    /// <summary>The broker, by its name in the comparisons.</summary>
    public required string Broker { get; init; }

    /// <summary>The profile.</summary>
    public required string Profile { get; init; }

    /// <summary>How many clients shared the broker.</summary>
    public required int Clients { get; init; }

    /// <summary>The threshold.</summary>
    public required double ThresholdMilliseconds { get; init; }

    /// <summary>
    /// The number of the latest result in its series, from 1 on. It stays the same when earlier files are deleted. It
    /// is 0 where a version wrote the trend that did not number results.
    /// </summary>
    public int Number { get; init; }

    /// <summary>
    /// The latest results in the order of their numbers; the last is that of this comparison. A file of a history has
    /// none here, since each of its files has its own.
    /// </summary>
    public required IReadOnlyList<Entry> Results { get; init; }

    /// <summary>All changes of the level that were found so far, in the order of their numbers.</summary>
    public required IReadOnlyList<Change> Changes { get; init; }

    /// <summary>One result.</summary>
    /// <param name="Probability">The measured share of sequences in time.</param>
    /// <param name="Runs">How many runs it comes from.</param>
    public sealed record Entry(DateTimeOffset Made, double Probability, int Runs);

    /// <summary>A change of the level.</summary>
    /// <param name="Since">When the first result of the new level was made.</param>
    /// <param name="Before">The mean of the results before it, back to the change before, as it was found.</param>
    /// <param name="After">The mean of the results since, up to the next change, of which the files are there.</param>
    /// <param name="Also">Other changes since then: broker, machine, version of the tool.</param>
    public sealed record Change(
        DateTimeOffset Since,
        double Before,
        int ResultsBefore,
        double After,
        int ResultsAfter,
        IReadOnlyList<string> Also
    )
    {
        /// <summary>The number of the first result of the new level.</summary>
        public int Number { get; init; }
    }
}
