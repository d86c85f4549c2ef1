namespace MqttCheck.Cli.Compare;

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

    /// <summary>The results in order of time; the last is that of this comparison.</summary>
    public required IReadOnlyList<Entry> Results { get; init; }

    /// <summary>Where the level changed.</summary>
    public required IReadOnlyList<Change> Changes { get; init; }

    /// <summary>One result.</summary>
    /// <param name="Probability">The measured share of sequences in time.</param>
    /// <param name="Runs">How many runs it comes from.</param>
    public sealed record Entry(DateTimeOffset Made, double Probability, int Runs);

    /// <summary>A change of the level.</summary>
    /// <param name="Since">When the first result of the new level was made.</param>
    /// <param name="Before">The mean of the results before it, back to the change before.</param>
    /// <param name="After">The mean of the results since, up to the next change.</param>
    /// <param name="Also">What else is new since then: broker, machine, version of the tool.</param>
    public sealed record Change(
        DateTimeOffset Since,
        double Before,
        int ResultsBefore,
        double After,
        int ResultsAfter,
        IReadOnlyList<string> Also
    );
}
