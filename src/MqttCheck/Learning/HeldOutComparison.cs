using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Logs;

namespace MqttCheck.Learning;

/// <summary>Exchanges of training cases that were held out, beside what a model that was learned from the others says about them; for pictures.</summary>
public sealed class HeldOutComparison
{
    private const int MostMedians = 3000;
    private readonly List<MessageKind> _kinds;

    private HeldOutComparison(List<MessageKind> kinds, List<double> transforms, List<double> observed, List<double> medians, List<double> replayed) =>
        (_kinds, Transforms, ObservedMilliseconds, MedianMilliseconds, ReplayedMilliseconds) = (kinds, transforms, observed, medians, replayed);

    /// <summary>The model's distribution function at each exchange (probability integral transform); empty for a model that is no law of what is known at the start.</summary>
    public IReadOnlyList<double> Transforms { get; }

    /// <summary>The latency of each exchange.</summary>
    public IReadOnlyList<double> ObservedMilliseconds { get; }

    /// <summary>The model's median for each of the first exchanges; as many as <see cref="Transforms"/> or none.</summary>
    public IReadOnlyList<double> MedianMilliseconds { get; }

    /// <summary>Latencies of the same cases simulated in closed loop.</summary>
    public IReadOnlyList<double> ReplayedMilliseconds { get; }

    /// <summary>The transforms of one kind.</summary>
    /// <param name="kind">The kind.</param>
    public IReadOnlyList<double> TransformsOf(MessageKind kind) => [.. Transforms.Where((_, index) => _kinds[index] == kind)];

    /// <summary>Learns from four fifths of the cases of a log and compares with the others.</summary>
    /// <param name="log">The log.</param>
    /// <param name="kind">The kind of model.</param>
    /// <param name="seed">The seed.</param>
    /// <returns>The comparison; null where the log cannot be learned from, or has too few cases.</returns>
    public static HeldOutComparison? Of(ExchangeLog log, string kind, ulong seed)
    {
        ArgumentNullException.ThrowIfNull(log);
        try
        {
            var data = TrainingData.From(log);
            return data.Runs.Length < LatencyLearning.HeldOutEvery ? null : Of(data, Learners.ByName(kind), seed);
        }
        catch (InputException)
        {
            // An interrupted exploration: there is a report of it all the same.
            return null;
        }
    }

    private static HeldOutComparison? Of(TrainingData data, ILearner learner, ulong seed)
    {
        static bool HeldOut(int run) => run % LatencyLearning.HeldOutEvery == LatencyLearning.HeldOutEvery - 1;
        var training = data.OfRuns(run => !HeldOut(run));
        var heldOut = data.OfRuns(HeldOut);
        if (training.Rows.Length < TrainingData.FewestExchanges || heldOut.Rows.Length == 0) return null;
        var model = learner.Learn(training, seed).Model;
        var seen = training.SeenKinds();
        List<MessageKind> kinds = [];
        List<double> transforms = [], observed = [], medians = [], replayed = [];
        var step = Math.Max(1, heldOut.Rows.Length / MostMedians);
        for (var i = 0; i < heldOut.Rows.Length; i += step)
        {
            var row = heldOut.Rows[i];
            observed.Add(row.LatencyMilliseconds);
            if (model is not IConditionalLaw law || !seen[(int)row.Features.Kind]) continue;
            kinds.Add(row.Features.Kind);
            transforms.Add(law.CumulativeProbability(row.Features, row.LatencyMilliseconds));
            medians.Add(Median(law, row.Features));
        }
        foreach (var one in ObservedCase.Of(heldOut))
        {
            if (one.SortedMilliseconds.Where((latencies, kind) => latencies.Length > 0 && !seen[kind]).Any()) continue;
            var latencies = new List<double>[MessageKinds.Count];
            for (var kind = 0; kind < latencies.Length; kind++) latencies[kind] = [];
            var observer = new ReplayObserver(one.Run.WindowMilliseconds * one.Share, latencies);
            if (CaseReplay.Simulate(model, one, one.Share, seed, 0, ref observer)) replayed.AddRange(latencies.SelectMany(kind => kind));
        }
        return new(kinds, transforms, observed, medians, replayed);
    }

    private static double Median(IConditionalLaw law, in ExchangeFeatures features)
    {
        double low = 0, high = 1;
        while (law.CumulativeProbability(features, high) < 0.5 && high < 1e9) high *= 4;
        for (var i = 0; i < 24; i++)
        {
            var middle = (low + high) / 2;
            if (law.CumulativeProbability(features, middle) < 0.5) low = middle;
            else high = middle;
        }
        return high;
    }
}
