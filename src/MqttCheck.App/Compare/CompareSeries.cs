using MqttCheck.Brokers.Campaigns;

namespace MqttCheck.App.Compare;

/// <summary>The results of a broker at one point, in comparison after comparison.</summary>
internal sealed record CompareSeries(string Broker, string Profile, int Clients, double ThresholdMilliseconds)
{
    /// <summary>The series that a comparison has a part in.</summary>
    public static IEnumerable<CompareSeries> Of(CompareDocument comparison) =>
        comparison
            .Points.SelectMany(point =>
                ((string[])[point.First, point.Second]).Select(broker => new CompareSeries(
                    broker,
                    point.Profile,
                    point.Clients,
                    point.ThresholdMilliseconds
                ))
            )
            // The baseline has no trend, because it is the same each time.
            .Where(series => series.Broker != ComparisonCampaign.StoredLabel)
            .Distinct();

    /// <summary>The trend that was stored at the last look; the next result has the number after its own.</summary>
    /// <param name="comparisons">Comparisons in order of time.</param>
    /// <returns>
    /// That with the largest number, and of equal numbers the one that was made first; null where none has a number.
    /// </returns>
    public CompareTrend? Latest(IEnumerable<CompareDocument> comparisons) =>
        comparisons.Select(StoredIn).MaxBy(stored => stored?.Number);

    /// <summary>The results in the order of their numbers.</summary>
    /// <param name="earlier">The comparisons before it, in order of time.</param>
    /// <param name="comparison">The one that is added; its result has the next number.</param>
    /// <returns>
    /// The results, and how many have no number of their own. Those were made before all others, so they have the
    /// numbers before the first one that is known.
    /// </returns>
    public (IReadOnlyList<Result> Results, int Unnumbered) Results(
        IReadOnlyList<CompareDocument> earlier,
        CompareDocument comparison
    )
    {
        var results = earlier
            .Select(one => ResultIn(one, StoredIn(one)?.Number))
            .OfType<Result>()
            .OrderBy(result => result.Number)
            .ToList();
        var unnumbered = results.Count(result => result.Number == 0);
        if (ResultIn(comparison, 1 + (Latest(earlier)?.Number ?? unnumbered)) is { } added)
            results.Add(added);
        var first = unnumbered < results.Count ? results[unnumbered].Number : unnumbered + 1;
        for (var at = 0; at < unnumbered; at++)
            results[at] = results[at] with { Number = first - unnumbered + at };
        return (results, unnumbered);
    }

    private CompareTrend? StoredIn(CompareDocument comparison) =>
        comparison.Trends.FirstOrDefault(trend =>
            trend.Number > 0
            && this == new CompareSeries(trend.Broker, trend.Profile, trend.Clients, trend.ThresholdMilliseconds)
        );

    private Result? ResultIn(CompareDocument comparison, int? number) =>
        comparison
            .Points.Where(point =>
                point.Profile == Profile
                && point.Clients == Clients
                && point.ThresholdMilliseconds == ThresholdMilliseconds
            )
            .Select(point =>
                point.First == Broker && point.FirstProbability is { } first ? (first, point.FirstRuns)
                : point.Second == Broker && point.SecondProbability is { } second ? (second, point.SecondRuns)
                : ((double, int)?)null
            )
            .FirstOrDefault(known => known is not null)
            is var (probability, runs)
            ? new(comparison, number ?? 0, probability, runs)
            : null;

    /// <summary>A result of the series.</summary>
    /// <param name="Number">Its number in the series, from 1 on; 0 or less where files were deleted.</param>
    /// <param name="Probability">The measured share of sequences in time.</param>
    /// <param name="Runs">How many runs it comes from.</param>
    public sealed record Result(CompareDocument Comparison, int Number, double Probability, int Runs);
}
