using System.Globalization;
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

    private static string Method =>
        Invariant($"A series without a change shows one with a probability of at most {LevelChanges.FalseAlarmRate}, ")
        + "however long it is watched, if its results are independent of each other (a permutation test "
        + "after each result).";

    private static string Summary(CompareTrend trend) =>
        trend.Results.Count < LevelChanges.FewestValues
            ? Invariant($"{Counted.Of(trend.Results.Count, "result")}; changes are looked for from ")
                + Invariant($"{LevelChanges.FewestValues} on")
        : trend.Changes.Count == 0
            ? Invariant($"no change in {trend.Results.Count} results; ")
                + $"mean {NumberText.Probability(trend.Results.Average(result => result.Probability))}"
        : Invariant($"{Counted.Of(trend.Changes.Count, "change")} in {trend.Results.Count} results");

    private static string Sentence(CompareTrend.Change change) =>
        $"since {Day(change.Since)}: {NumberText.Probability(change.After)} in "
        + $"{Counted.Of(change.ResultsAfter, "result")}, before {NumberText.Probability(change.Before)} in "
        + $"{change.ResultsBefore}"
        + (change.Also.Count == 0 ? "" : $"; also new: {string.Join("; ", change.Also)}");

    private static IEnumerable<IReadOnlyList<string>> Rows(CompareTrend trend)
    {
        if (trend.Changes.Count == 0)
            yield return [Where(trend), Summary(trend), "–", "–", Invariant($"{trend.Results.Count}"), "–"];
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
            Invariant($"The share of sequences in time, the latest {shown.Length} of {trend.Results.Count} results. ")
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
