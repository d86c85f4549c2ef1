using MqttCheck.Latency;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning.Data;
using MqttCheck.Simulation;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// Replays a training case in the simulator and compares the probability that all messages of a sequence are in time
/// with the one observed. Few cases hold enough whole sequences, so the probability is taken to be G(t)^L, with G the
/// distribution function of the latencies of single exchanges and L the length of a sequence: messages of one client
/// are far apart.
/// </summary>
internal static class CaseReplay
{
    // The probabilities of a sequence being in time, and the times, at which the comparison is made.
    private static readonly double[] Levels = [0.3, 0.5, 0.7, 0.85, 0.95, 0.99];

    private static readonly double[] Times = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

    private const int WantedExchanges = 12_000;
    private const int FewestReplications = 6;
    private const int MostReplications = 20;

    // A simulation with so many times the observed exchanges has run away.
    private const int MostTimesObserved = 20;

    /// <summary>Replays a case.</summary>
    /// <param name="model">A model that was learned without it.</param>
    /// <param name="observed">The case.</param>
    /// <param name="seed">The seed of the simulation.</param>
    /// <returns>How far the replay was off; null where nothing can be compared.</returns>
    public static ReplayedCase? Of(LatencyModel model, ObservedCase observed, ulong seed)
    {
        var replications = (int)
            Math.Clamp(
                WantedExchanges / Math.Max(1, observed.Run.Exchanges * observed.Share),
                FewestReplications,
                MostReplications
            );
        var simulated = new double[replications][][];
        var together = ReplayObserver.ByKind();
        long started = 0,
            active = 0;
        for (var replication = 0; replication < replications; replication++)
        {
            var latencies = ReplayObserver.ByKind();
            var observer = new ReplayObserver(observed.Run.WindowMilliseconds * observed.Share, latencies);
            var ended = Simulate(model, observed, observed.Share, seed, replication, ref observer);
            (started, active) = (started + observer.Started, active + observer.Active);
            if (!ended)
                return RanAway(observed, (double)active / Math.Max(1, started));
            simulated[replication] = [.. latencies.Select(kind => kind.Order().ToArray())];
            for (var kind = 0; kind < latencies.Length; kind++)
                together[kind].AddRange(latencies[kind]);
        }

        var total = together.Sum(kind => kind.Count);
        var shares = Array.ConvertAll(together, kind => (double)kind.Count / Math.Max(1, total));
        var points = new List<ReplayedPoint>();
        foreach (var (milliseconds, share) in Thresholds(observed.SortedMilliseconds, shares, observed.SequenceLength))
        {
            var there = Math.Pow(share, observed.SequenceLength);
            // Each replication is a run as long as the observed one: how much they differ is how much an observed run
            // scatters, correlation inside a run included.
            var (mean, variance) = SampleMoments.Of(
                Array.ConvertAll(
                    simulated,
                    run => Math.Pow(ObservedCase.Mix(run, shares, milliseconds), observed.SequenceLength)
                )
            );
            var scatter = Math.Max(variance, SamplingVariance(share, observed.SequenceLength, observed.Count));
            points.Add(new(milliseconds, there, mean - there, Math.Sqrt(scatter + variance / replications)));
        }
        return points.Count == 0
            ? null
            : new(
                observed.Run.Clients,
                observed.Run.MessagesPerSecond,
                observed.Run.MeanActive,
                (double)active / Math.Max(1, started),
                points
            );
    }

    /// <summary>
    /// The variance of G(t)^L by the delta method, as if exchanges were independent. A model in which no message is
    /// late would otherwise underestimate the scatter of the observed share.
    /// </summary>
    /// <param name="share">The observed share G(t).</param>
    /// <param name="length">The length L of a sequence.</param>
    /// <param name="count">How many exchanges were observed.</param>
    internal static double SamplingVariance(double share, int length, int count)
    {
        var slope = length * Math.Pow(share, length - 1);
        return slope * slope * share * (1 - share) / count;
    }

    /// <summary>
    /// The thresholds at which the observed probability is one of the levels, and the fixed times with a similar
    /// probability.
    /// </summary>
    /// <param name="sorted">The observed latencies by kind, ascending.</param>
    /// <param name="shares">The proportions of the kinds.</param>
    /// <param name="length">The length of a sequence.</param>
    internal static List<(double Milliseconds, double Share)> Thresholds(double[][] sorted, double[] shares, int length)
    {
        var count = sorted.Sum(kind => kind.Length);
        var thresholds = new List<(double Milliseconds, double Share)>();
        foreach (var level in Levels)
            if (ObservedCase.Quantile(sorted, Math.Pow(level, 1.0 / length), shares) is { } at)
                thresholds.Add(at);
        foreach (var milliseconds in Times)
        {
            var share = ObservedCase.Mix(sorted, shares, milliseconds);
            if (Math.Pow(share, length) >= Levels[0] && (1 - share) * count >= ObservedCase.FewestBeyond)
                thresholds.Add((milliseconds, share));
        }
        return thresholds;
    }

    private static ReplayedCase RanAway(ObservedCase observed, double active) =>
        new(
            observed.Run.Clients,
            observed.Run.MessagesPerSecond,
            observed.Run.MeanActive,
            active,
            [new(ReplayQuality.ResolutionMilliseconds, Observed: .5, Error: -1, Noise: 0)]
        );

    /// <summary>Simulates a case as the live fleet ran it.</summary>
    /// <param name="model">The model.</param>
    /// <param name="observed">The case.</param>
    /// <param name="share">How much of its time, from the beginning, the observer looks at.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    /// <param name="observer">Who looks.</param>
    /// <returns>Whether it came to its end; otherwise latencies and load drove each other up without bound.</returns>
    public static bool Simulate(
        LatencyModel model,
        ObservedCase observed,
        double share,
        ulong seed,
        int replication,
        ref ReplayObserver observer
    )
    {
        var perClient = (double)observed.Run.Exchanges / observed.Run.Clients / observed.SequenceLength;
        var setup = new SimulatedFleet
        {
            Population = observed.Run.Population!,
            Clients = observed.Run.Clients,
            // This length suffices that hardly a client completes all sequences within the window; later exchanges are
            // ignored.
            Sequences = Math.Max(1, (int)Math.Ceiling(share * perClient)),
            Seed = seed,
            MaximumEvents =
                10_000
                + MostTimesObserved
                    * (long)(observed.Run.Exchanges + 2 * observed.Run.Clients * observed.SequenceLength),
        };
        try
        {
            FleetSimulation.Observe(model, setup, replication, ref observer);
            return true;
        }
        catch (InputException)
        {
            return false;
        }
    }
}
