using MqttCheck.App.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.App.Compare;

/// <summary>
/// A directory with the result of every comparison, one small file each, and what they show together.
/// </summary>
/// <remarks>
/// Each file stores the numbers of its results and the changes that were found up to it. So a result is looked at once,
/// when it is added, and no deleted file changes what was found.
/// </remarks>
internal static class CompareHistory
{
    /// <summary>So many results of a series are shown, the latest ones.</summary>
    public const int MostShown = 200;

    private const string Files = "comparison-*.json",
        LockFile = "adding.lock";

    private static readonly TimeSpan s_longestWait = TimeSpan.FromMinutes(1);

    /// <summary>Reads the results that a directory holds.</summary>
    /// <param name="directory">The directory; none there holds nothing.</param>
    /// <returns>The results in order of time, those of one time by name.</returns>
    /// <exception cref="InputException">A file is no result of a comparison, or cannot be read.</exception>
    public static IReadOnlyList<CompareDocument> Read(string directory) =>
        Directory.Exists(directory)
            ?
            [
                .. Directory
                    .GetFiles(directory, Files)
                    .Order(StringComparer.Ordinal)
                    .Select(CompareFile.Read)
                    .OrderBy(comparison => comparison.Generated),
            ]
            : [];

    /// <summary>Adds a result and looks at it; no file that is there is touched.</summary>
    /// <param name="directory">The directory, which can be written.</param>
    /// <exception cref="InputException">A file is no result of a comparison, or cannot be read.</exception>
    public static Added Add(string directory, CompareDocument comparison)
    {
        // Another one that ends at the same time has the next number.
        using var alone = Lock(directory);
        var earlier = Read(directory);
        var trends = Trends(earlier, comparison);
        var unnumbered = CompareSeries
            .Of(comparison)
            .Where(series => series.Latest(earlier) is null)
            .Select(series => series.Results(earlier, comparison).Unnumbered)
            .DefaultIfEmpty()
            .Max();
        return new(Write(directory, Stored(comparison, trends)), trends, unnumbered);
    }

    /// <summary>A comparison as a file of the history holds it.</summary>
    public static CompareDocument Stored(CompareDocument comparison, IReadOnlyList<CompareTrend> trends) =>
        comparison with
        {
            Distributions = [],
            Trends = [.. trends.Select(trend => trend with { Results = [] })],
        };

    /// <summary>The trends of a comparison and those before it: one for each of its brokers and points.</summary>
    /// <param name="earlier">The results before it, in order of time.</param>
    public static IReadOnlyList<CompareTrend> Trends(
        IReadOnlyList<CompareDocument> earlier,
        CompareDocument comparison
    ) => [.. CompareSeries.Of(comparison).Select(series => Trend(series, earlier, comparison))];

    private static string Write(string directory, CompareDocument comparison)
    {
        var name = Invariant($"comparison-{comparison.Generated.UtcDateTime:yyyyMMdd-HHmmss}.json");
        var whole = Path.Combine(directory, Path.GetRandomFileName());
        using (var stream = File.Create(whole))
            CompareFile.Write(stream, comparison);
        while (true)
        {
            var path = RunFiles.Fresh(Path.Combine(directory, name));
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

    // A result is worth more than its number: equal numbers break no promise, so nobody waits without end.
    private static FileStream? Lock(string directory)
    {
        var path = Path.Combine(directory, LockFile);
        FileStream? alone = null;
        SpinWait.SpinUntil(() => (alone = TryLock(path)) is not null, s_longestWait);
        return alone;
    }

    private static FileStream? TryLock(string path)
    {
        try
        {
            return new(path, FileMode.OpenOrCreate, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose);
        }
        catch (IOException)
        {
            return null;
        }
    }

    private static CompareTrend Trend(
        CompareSeries series,
        IReadOnlyList<CompareDocument> earlier,
        CompareDocument comparison
    )
    {
        var latest = series.Latest(earlier);
        var (results, unnumbered) = series.Results(earlier, comparison);
        var isMeasured = results.Count > 0 && results[^1].Comparison == comparison;
        var number = isMeasured ? results[^1].Number : latest?.Number ?? unnumbered;
        return new()
        {
            Broker = series.Broker,
            Profile = series.Profile,
            Clients = series.Clients,
            ThresholdMilliseconds = series.ThresholdMilliseconds,
            Number = number,
            Results =
            [
                .. results
                    .TakeLast(MostShown)
                    .Select(one => new CompareTrend.Entry(one.Comparison.Generated, one.Probability, one.Runs)),
            ],
            Changes = Changes(latest?.Changes ?? [], results, isMeasured ? number : null, series.Broker),
        };
    }

    // Changes that were found stay; the result with the given number is looked at.
    private static List<CompareTrend.Change> Changes(
        IReadOnlyList<CompareTrend.Change> found,
        IReadOnlyList<CompareSeries.Result> results,
        int? number,
        string broker
    )
    {
        var changes = found.ToList();
        var stretch = results.Where(result => found.Count == 0 || result.Number >= found[^1].Number).ToArray();
        var at = number is { } looked
            ? LevelChanges.Look([.. stretch.Select(result => result.Probability)], looked)
            : null;
        var level = stretch[..(at ?? stretch.Length)];
        if (changes.Count > 0 && level.Length > 0)
            changes[^1] = changes[^1] with { After = Mean(level), ResultsAfter = level.Length };
        if (at is not { } first)
            return changes;
        var since = stretch[first];
        changes.Add(
            new(
                since.Comparison.Generated,
                Mean(level),
                level.Length,
                Mean(stretch[first..]),
                stretch.Length - first,
                [.. New(level[^1].Comparison, since.Comparison, broker)]
            )
            {
                Number = since.Number,
            }
        );
        return changes;
    }

    private static double Mean(IEnumerable<CompareSeries.Result> results) =>
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

    /// <summary>A result that was added.</summary>
    /// <param name="Path">Its file.</param>
    /// <param name="Trends">The trends that it shows together with those before.</param>
    /// <param name="Unnumbered">
    /// How many results before it have no number, where this one is the first that has: the most of any series.
    /// </param>
    public sealed record Added(string Path, IReadOnlyList<CompareTrend> Trends, int Unnumbered);
}
