using System.Globalization;
using MqttCheck.App.Compare;
using MqttCheck.Cli.Terminal;
using MqttCheck.Reports.Documents;
using MqttCheck.Sequential;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>Trends in words, and as a section of the page.</summary>
internal static class CompareTrendText
{
    private const int ShownResults = 30;

    // An axis needs some width where every result is 1.
    private const double LargestMinimum = .9;

    /// <summary>A line for each trend, and one for each of its changes.</summary>
    public static IEnumerable<string> Lines(IReadOnlyList<CompareTrend> trends)
    {
        foreach (var trend in trends)
        {
            yield return $"trend: {Where(trend)}: {Summary(trend)}";
            foreach (var change in trend.Changes)
                yield return $"  {Sentence(change)}";
        }
        if (trends.Count > 0)
            yield return Method;
    }

    /// <summary>The section; none without a trend.</summary>
    public static IEnumerable<DocumentSection> Sections(IReadOnlyList<CompareTrend> trends)
    {
        if (trends.Count == 0)
            yield break;
        yield return new(
            "History",
            "How often each broker was in time in this comparison and those before it. " + Method,
            [
                new DocumentTable(
                    "Changes",
                    ["point", "since", "before", "now", "results", "also new"],
                    [.. trends.SelectMany(Rows)]
                ),
                .. trends.Where(trend => trend.Results.Count > 0).Select(Chart),
            ]
        );
    }

    /// <summary>Says how results count that an earlier version wrote without a number.</summary>
    /// <param name="results">How many, at least 1.</param>
    public static string Unnumbered(int results) =>
        Invariant($"{Counted.Of(results, "earlier result")} without a number, as earlier versions wrote them; ")
        + Invariant($"they count as the first {results}, and are not looked at again");

    // The promise, in the only words that are printed.
    internal static string Method =>
        Invariant($"A series without a change shows one with a probability of at most {LevelChanges.FalseAlarmRate}, ")
        + "however long it is watched. This assumes that its results are exchangeable where nothing changed: "
        + "no order of them is likelier than another. Each result is looked at once, by a permutation test.";

    private static string Summary(CompareTrend trend) =>
        Seen(trend) < LevelChanges.FewestValues
            ? Invariant($"{Counted.Of(Seen(trend), "result")}; changes are looked for from ")
                + Invariant($"{LevelChanges.FewestValues} on")
        : trend.Changes.Count == 0
            ? Invariant($"no change in {Seen(trend)} results")
                + (trend.Results.Count == 0 ? "" : $"; mean {NumberText.Probability(Mean(trend))}")
        : Invariant($"{Counted.Of(trend.Changes.Count, "change")} in {Seen(trend)} results");

    private static double Mean(CompareTrend trend) => trend.Results.Average(result => result.Probability);

    // Files of earlier results may be deleted.
    private static int Seen(CompareTrend trend) => Math.Max(trend.Number, trend.Results.Count);

    private static string Sentence(CompareTrend.Change change) =>
        $"since {Day(change.Since)}: {NumberText.Probability(change.After)} in "
        + $"{Counted.Of(change.ResultsAfter, "result")}, before {NumberText.Probability(change.Before)} in "
        + $"{change.ResultsBefore}"
        + (change.Also.Count == 0 ? "" : $"; also new: {string.Join("; ", change.Also)}");

    private static IEnumerable<IReadOnlyList<string>> Rows(CompareTrend trend)
    {
        if (trend.Changes.Count == 0)
            yield return [Where(trend), Summary(trend), "–", "–", Invariant($"{Seen(trend)}"), "–"];
        foreach (var change in trend.Changes)
            yield return
            [
                Where(trend),
                Day(change.Since),
                NumberText.Probability(change.Before),
                NumberText.Probability(change.After),
                Invariant($"{change.ResultsBefore} and {change.ResultsAfter}"),
                change.Also.Count == 0 ? "–" : string.Join("; ", change.Also),
            ];
    }

    private static IntervalChart Chart(CompareTrend trend)
    {
        var shown = trend.Results.TakeLast(ShownResults).ToArray();
        return new(
            $"History of {Where(trend)}",
            Invariant($"The share of sequences in time, the latest {shown.Length} of {Seen(trend)} results. ")
                + "Results in colour are those since a change: up, or down.",
            Math.Min(LargestMinimum, Math.Floor(shown.Min(result => result.Probability) * 10) / 10),
            1,
            [
                .. shown.Select(result => new IntervalLine(
                    Day(result.Made),
                    result.Probability,
                    null,
                    Tone(trend, result)
                )),
            ]
        )
        {
            Marks =
            [
                .. trend.Changes.Select(change => KeyValuePair.Create("since " + Day(change.Since), change.After)),
            ],
        };
    }

    private static DocumentTone Tone(CompareTrend trend, CompareTrend.Entry result) =>
        trend.Changes.LastOrDefault(change => change.Since <= result.Made) is not { } change ? DocumentTone.Plain
        : change.After > change.Before ? DocumentTone.Good
        : DocumentTone.Bad;

    private static string Where(CompareTrend trend) =>
        Invariant($"{trend.Broker}, {trend.Profile}, {Counted.Of(trend.Clients, "client")}, ")
        + NumberText.Milliseconds(trend.ThresholdMilliseconds);

    private static string Day(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);
}
