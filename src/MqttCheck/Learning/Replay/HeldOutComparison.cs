using System.Collections.Immutable;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Nagle;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// Exchanges of training cases that were held out, beside what a model that was learned from the others says about
/// them; for pictures.
/// </summary>
/// <param name="Exchanges">
/// Every n-th held-out exchange, some thousands of them, beside the model's law at its features; empty if
/// <see cref="HasLaw"/> is false.
/// </param>
/// <param name="ObservedMilliseconds">
/// The observed latencies of the replayed cases outside of resets, by <see cref="MessageKind"/>.
/// </param>
/// <param name="ReplayedMilliseconds">
/// The latencies of the same cases simulated in closed loop, by <see cref="MessageKind"/>.
/// </param>
/// <param name="HasLaw">
/// Whether the model is a law of what is known when an exchange starts; a queue is none, since work that arrives
/// later can delay an exchange.
/// </param>
/// <param name="Runaways">
/// How many held-out cases were left out of the replay because latencies and load drove each other up without
/// bound.
/// </param>
internal sealed record HeldOutComparison(
    IReadOnlyList<HeldOutExchange> Exchanges,
    IReadOnlyList<double[]> ObservedMilliseconds,
    IReadOnlyList<double[]> ReplayedMilliseconds,
    bool HasLaw,
    int Runaways
)
{
    private const int MostExchanges = 3000;

    /// <summary>Learns from four fifths of the cases of a log and compares with the others.</summary>
    /// <param name="log">The log.</param>
    /// <param name="kind">The kind of model.</param>
    /// <param name="seed">The seed.</param>
    /// <returns>The comparison; null where the log cannot be learned from, or has too few cases.</returns>
    public static HeldOutComparison? Of(ExchangeLog log, string kind, ulong seed)
    {
        try
        {
            var data = TrainingData.From(log);
            return data.Runs.Length < LatencyLearning.HeldOutEvery
                ? null
                : Of(data, LearnerCatalogue.ByName(kind), seed);
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
        if (training.Rows.Length < TrainingData.FewestExchanges || heldOut.Rows.Length == 0)
            return null;
        var model = learner.Learn(training, seed).Model;
        var seen = training.SeenKinds();
        return NagleModel.OwnOf(model) is IConditionalLaw law
            ? Replay(
                heldOut,
                model,
                seen,
                Sample(model is NagleModel ? heldOut.OwnRows : heldOut.Rows, law, seen),
                hasLaw: true,
                seed
            )
            : Replay(heldOut, model, seen, [], hasLaw: false, seed);
    }

    private static List<HeldOutExchange> Sample(ImmutableArray<TrainingRow> heldOut, IConditionalLaw law, bool[] seen)
    {
        var exchanges = new List<HeldOutExchange>();
        var step = Math.Max(1, heldOut.Length / MostExchanges);
        for (var i = 0; i < heldOut.Length; i += step)
        {
            var row = heldOut[i];
            if (seen[(int)row.Features.Kind])
                exchanges.Add(
                    new(
                        row.Features,
                        row.LatencyMilliseconds,
                        law.CumulativeProbability(row.Features, row.LatencyMilliseconds),
                        Median(law, row.Features)
                    )
                );
        }
        return exchanges;
    }

    private static HeldOutComparison Replay(
        TrainingData heldOut,
        LatencyModel model,
        bool[] seen,
        List<HeldOutExchange> exchanges,
        bool hasLaw,
        ulong seed
    )
    {
        var (observed, replayed) = (ReplayObserver.ByKind(), ReplayObserver.ByKind());
        var runaways = 0;
        foreach (var one in ObservedCase.Of(heldOut).Where(one => one.CanBeReplayed(seen)))
        {
            var latencies = ReplayObserver.ByKind();
            var observer = new ReplayObserver(one.Run.WindowMilliseconds * one.Share, latencies);
            if (!CaseReplay.Simulate(model, one, one.Share, seed, 0, ref observer))
            {
                runaways++;
                continue;
            }
            for (var kind = 0; kind < latencies.Length; kind++)
            {
                observed[kind].AddRange(one.SortedMilliseconds[kind]);
                replayed[kind].AddRange(latencies[kind]);
            }
        }
        return new(
            exchanges,
            Array.ConvertAll(observed, kind => kind.ToArray()),
            Array.ConvertAll(replayed, kind => kind.ToArray()),
            hasLaw,
            runaways
        );
    }

    private static double Median(IConditionalLaw law, in ExchangeFeatures features)
    {
        var (given, high) = (features, 1.0);
        while (IsBelowMedian(high) && high < 1e9)
            high *= 4;
        return Bisection.Narrow(0, high, IsBelowMedian, _ => 0, steps: 24).Fails;

        bool IsBelowMedian(double milliseconds) => law.CumulativeProbability(given, milliseconds) < 0.5;
    }
}
