using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Terminal;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>
/// A directory with the result of every comparison, one small file each, and what they show together.
/// </summary>
internal static class CompareHistory
{
    /// <summary>So many results of a directory are read, the latest ones.</summary>
    public const int MostResults = 200;

    private const string Files = "comparison-*.json";

    /// <summary>Reads the results that a directory holds.</summary>
    /// <param name="directory">The directory; none there holds nothing.</param>
    /// <returns>The latest results in order of time.</returns>
    /// <exception cref="InputException">A file is no result of a comparison, or cannot be read.</exception>
    public static IReadOnlyList<CompareDocument> Read(string directory) =>
        Directory.Exists(directory)
            ?
            [
                .. Directory
                    .GetFiles(directory, Files)
                    .Select(CompareReport.Read)
                    .OrderBy(comparison => comparison.Generated)
                    .TakeLast(MostResults),
            ]
            : [];

    /// <summary>Adds a result; no file that is there is touched.</summary>
    /// <param name="directory">The directory, which can be written.</param>
    /// <returns>The file.</returns>
    public static string Add(string directory, CompareDocument comparison)
    {
        var name = Invariant($"comparison-{comparison.Generated.UtcDateTime:yyyyMMdd-HHmmss}.json");
        var whole = Path.Combine(directory, Path.GetRandomFileName());
        using (var stream = File.Create(whole))
            CompareReport.WriteJson(stream, comparison with { Distributions = [], Trends = [] });
        while (true)
        {
            var path = OutputPath.Fresh(Path.Combine(directory, name));
            try
            {
                File.Move(whole, path);
                return path;
            }
            catch (IOException) when (File.Exists(path))
            {
                // Another comparison took the name in between.
            }
        }
    }

    /// <summary>
    /// What a comparison and those before it show together: a trend for each of its brokers and points.
    /// </summary>
    /// <param name="earlier">The results before it, in order of time.</param>
    public static IReadOnlyList<CompareTrend> Trends(IReadOnlyList<CompareDocument> earlier, CompareDocument comparison)
    {
        CompareDocument[] all = [.. earlier, comparison];
        return
        [
            .. comparison
                .Points.SelectMany(point =>
                    ((string[])[point.First, point.Second]).Select(broker =>
                        (broker, point.Profile, point.Clients, point.ThresholdMilliseconds)
                    )
                )
                // The baseline is the same each time.
                .Where(series => series.broker != ComparisonCampaign.StoredLabel)
                .Distinct()
                .Select(series =>
                    Trend(all, series.broker, series.Profile, series.Clients, series.ThresholdMilliseconds)
                ),
        ];
    }

    private static CompareTrend Trend(
        CompareDocument[] all,
        string broker,
        string profile,
        int clients,
        double threshold
    )
    {
        var made = new List<CompareDocument>();
        var results = new List<CompareTrend.Entry>();
        foreach (var comparison in all)
        {
            var at = comparison.Points.Where(point =>
                point.Profile == profile && point.Clients == clients && point.ThresholdMilliseconds == threshold
            );
            if (at.Select(point => ResultOf(point, broker)).FirstOrDefault(one => one is not null) is not { } known)
                continue;
            made.Add(comparison);
            results.Add(new(comparison.Generated, known.Probability, known.Runs));
        }
        int[] starts = [0, .. LevelChanges.Find([.. results.Select(one => one.Probability)]), results.Count];
        return new()
        {
            Broker = broker,
            Profile = profile,
            Clients = clients,
            ThresholdMilliseconds = threshold,
            Results = results,
            Changes =
            [
                .. Enumerable
                    .Range(1, starts.Length - 2)
                    .Select(number =>
                    {
                        var (before, since, end) = (starts[number - 1], starts[number], starts[number + 1]);
                        return new CompareTrend.Change(
                            results[since].Made,
                            Mean(results[before..since]),
                            since - before,
                            Mean(results[since..end]),
                            end - since,
                            [.. New(made[since - 1], made[since], broker)]
                        );
                    }),
            ],
        };
    }

    private static (double Probability, int Runs)? ResultOf(CompareDocument.Point point, string broker) =>
        point.First == broker && point.FirstProbability is { } first ? (first, point.FirstRuns)
        : point.Second == broker && point.SecondProbability is { } second ? (second, point.SecondRuns)
        : null;

    private static double Mean(IEnumerable<CompareTrend.Entry> results) =>
        results.Average(result => result.Probability);

    private static IEnumerable<string> New(CompareDocument before, CompareDocument after, string broker)
    {
        if (Described(before) is var old && Described(after) is var now && old != now)
            yield return $"broker {now}, before {old}";
        if (before.Machine != after.Machine)
            yield return $"machine {after.Machine}, before {before.Machine}";
        if (before.ToolVersion != after.ToolVersion)
            yield return $"tool {after.ToolVersion}, before {before.ToolVersion}";

        string? Described(CompareDocument comparison) =>
            comparison.Brokers.FirstOrDefault(one => one.Label == broker)?.Description;
    }
}
