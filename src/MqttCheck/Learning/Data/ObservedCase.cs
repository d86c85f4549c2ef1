using MqttCheck.Clients;

namespace MqttCheck.Learning.Data;

/// <summary>The exchanges of one training case on the live broker, to compare a replay with.</summary>
/// <param name="Run">The case.</param>
/// <param name="Number">Its position in the training data.</param>
/// <param name="SortedMilliseconds">The latencies of the exchanges outside of resets, by kind, ascending.</param>
/// <param name="SortedSetUps">
/// How long the connections of these exchanges were set up, in milliseconds, ascending; empty where that is not
/// known.
/// </param>
internal sealed record ObservedCase(TrainingRun Run, int Number, double[][] SortedMilliseconds, double[] SortedSetUps)
{
    /// <summary>A probability of which fewer than this many exchanges lie above its quantile says little.</summary>
    public const int FewestBeyond = 3;

    // A long case is compared only up to this many exchanges, because latencies settle within a sequence.
    private const double MostExchanges = 5000;

    /// <summary>How much of its time, from the beginning, is looked at, 0 .. 1.</summary>
    public double Share { get; } = ShareOf(Run);

    /// <summary>The length of the sequences whose probability is asked for.</summary>
    public int SequenceLength { get; } = Run.Population!.Groups.Max(group => group.Profile.SequenceLength);

    /// <summary>How many exchanges there are.</summary>
    public int Count => SortedMilliseconds.Sum(latencies => latencies.Length);

    /// <summary>
    /// The cases that can be replayed: those whose population is known and, where most are, that are valid.
    /// </summary>
    /// <param name="data">The data.</param>
    public static ObservedCase[] Of(TrainingData data)
    {
        List<double>?[][] latencies = [.. data.Runs.Select(_ => new List<double>?[MessageKinds.Count])];
        var setUps = Array.ConvertAll(latencies, _ => new List<double>());
        var windows = data.Runs.Select(run => run.WindowMilliseconds * ShareOf(run)).ToArray();
        foreach (ref readonly var row in data.Rows.AsSpan())
        {
            if (row.Reset || row.SentMilliseconds > windows[row.Run])
                continue;
            (latencies[row.Run][(int)row.Features.Kind] ??= []).Add(row.LatencyMilliseconds);
            if (!double.IsNaN(row.SetUpMilliseconds))
                setUps[row.Run].Add(row.SetUpMilliseconds);
        }
        var mostAreValid = 2 * data.Runs.Count(run => run.IsInvalid) < data.Runs.Length;
        var result = new List<ObservedCase>();
        for (var run = 0; run < latencies.Length; run++)
        {
            if (data.Runs[run].Population is null || (mostAreValid && data.Runs[run].IsInvalid))
                continue;
            var sorted = Array.ConvertAll(latencies[run], kind => kind?.Order().ToArray() ?? []);
            var observed = new ObservedCase(data.Runs[run], run, sorted, [.. setUps[run].Order()]);
            if (observed.Count > 0)
                result.Add(observed);
        }
        return [.. result];
    }

    /// <summary>
    /// Whether a model can replay the case: it has seen every kind of message that the case has, and every one that its
    /// clients may send in a simulation, though none of them did here.
    /// </summary>
    /// <param name="seen">The kinds that the model has seen.</param>
    public bool CanBeReplayed(bool[] seen) =>
        Enum.GetValues<MessageKind>()
            .All(kind =>
                seen[(int)kind] || (SortedMilliseconds[(int)kind].Length == 0 && !Run.Population!.Sends(kind))
            );

    /// <summary>
    /// The observed latency that a share of the exchanges does not exceed, when the kinds come in given proportions.
    /// </summary>
    /// <param name="sortedMilliseconds">Latencies by kind, ascending.</param>
    /// <param name="share">The share.</param>
    /// <param name="kindShares">The proportions; of the kinds that were observed they need not add up to 1.</param>
    /// <returns>
    /// The latency and the share of exchanges below or at it; null where too few exchanges lie beyond.
    /// </returns>
    public static (double Milliseconds, double Share)? Quantile(
        double[][] sortedMilliseconds,
        double share,
        double[] kindShares
    )
    {
        if (sortedMilliseconds.Sum(latencies => latencies.Length) * (1 - share) < FewestBeyond)
            return null;
        // By bisection to the resolution of the clock.
        var (quantile, _) = Bisection.Narrow(
            sortedMilliseconds.Max(latencies => latencies.Length > 0 ? latencies[^1] : 0),
            0,
            milliseconds => Mix(sortedMilliseconds, kindShares, milliseconds) >= share,
            milliseconds => 1e-4 + 1e-6 * milliseconds
        );
        return (quantile, Mix(sortedMilliseconds, kindShares, quantile));
    }

    private static double ShareOf(TrainingRun run) => Math.Min(1, MostExchanges / run.Exchanges);

    /// <summary>
    /// The share of exchanges that take at most a time, when the kinds come in given proportions; kinds without
    /// exchanges are left out.
    /// </summary>
    /// <param name="sortedMilliseconds">Latencies by kind, ascending.</param>
    /// <param name="kindShares">The proportions.</param>
    /// <param name="milliseconds">The time.</param>
    public static double Mix(IReadOnlyList<double[]> sortedMilliseconds, double[] kindShares, double milliseconds)
    {
        double below = 0,
            all = 0;
        for (var kind = 0; kind < kindShares.Length; kind++)
        {
            var latencies = sortedMilliseconds[kind];
            if (latencies.Length == 0)
                continue;
            below += kindShares[kind] * SortedTimes.CountUpTo(latencies, milliseconds) / latencies.Length;
            all += kindShares[kind];
        }
        return all > 0 ? below / all : 0;
    }
}
