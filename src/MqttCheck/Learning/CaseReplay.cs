using MqttCheck.Automata;
using MqttCheck.Clients;
using MqttCheck.Latency;

namespace MqttCheck.Learning;

/// <summary>
/// Replays a training case in the simulator and compares the probability that all messages of a sequence are in time with the one observed. Few cases hold enough whole sequences, so
/// the probability is taken to be G(t)^L, with G the distribution function of the latencies of single exchanges and L the length of a sequence: messages of one client are far apart.
/// </summary>
internal static class CaseReplay
{
    /// <summary>The probabilities, of a sequence being in time, at which the comparison is made.</summary>
    private static readonly double[] Levels = [0.3, 0.5, 0.7, 0.85, 0.95, 0.99];

    private const int WantedExchanges = 12_000;
    private const int MostReplications = 24;
    // A simulation with so many times the observed exchanges has run away.
    private const int MostTimesObserved = 20;

    /// <summary>Replays a case.</summary>
    /// <param name="model">A model that was learned without it.</param>
    /// <param name="observed">The case.</param>
    /// <param name="seed">The seed of the simulation.</param>
    /// <returns>How far the replay was off; null where nothing can be compared.</returns>
    public static ReplayedCase? Of(LatencyModel model, ObservedCase observed, ulong seed)
    {
        var latencies = new List<double>[MessageKinds.Count];
        for (var kind = 0; kind < latencies.Length; kind++) latencies[kind] = [];
        var replications = Math.Clamp(WantedExchanges / Math.Max(1, observed.Run.Exchanges), 2, MostReplications);
        var observer = new ReplayObserver(observed.Run.WindowMilliseconds, latencies);
        var ranAway = !Simulate(model, observed, seed, replications, ref observer);
        var active = observer.Started > 0 ? (double)observer.Active / observer.Started : double.NaN;

        var total = latencies.Sum(kind => kind.Count);
        var shares = Array.ConvertAll(latencies, kind => (double)kind.Count / Math.Max(1, total));
        double[][] simulated = [.. latencies.Select(kind => kind.Order().ToArray())];
        double squares = 0, noise = 0, signed = 0;
        var levels = 0;
        foreach (var level in Levels)
        {
            if (observed.Quantile(Math.Pow(level, 1.0 / observed.SequenceLength), shares) is not { } at) continue;
            var there = Math.Pow(at.Share, observed.SequenceLength);
            var here = ranAway ? 0 : Math.Pow(ObservedCase.Mix(simulated, shares, at.Milliseconds), observed.SequenceLength);
            // The variance of G^L with G a share of independent exchanges (delta method).
            var slope = observed.SequenceLength * there / at.Share;
            squares += (here - there) * (here - there);
            signed += here - there;
            noise += slope * slope * at.Share * (1 - at.Share) / observed.Count;
            levels++;
        }
        return levels == 0 ? null : new(observed.Run.Clients, observed.Run.MessagesPerSecond, observed.Run.MeanActive, active,
            Math.Sqrt(squares / levels), Math.Sqrt(noise / levels), signed / levels);
    }

    /// <summary>Simulates a case as the live fleet ran it.</summary>
    /// <returns>Whether it came to its end; otherwise latencies and load drove each other up without bound.</returns>
    public static bool Simulate(LatencyModel model, ObservedCase observed, ulong seed, int replications, ref ReplayObserver observer)
    {
        var perClient = (double)observed.Run.Exchanges / observed.Run.Clients / observed.SequenceLength;
        var setup = new FleetSetup
        {
            Population = observed.Run.Population!,
            Clients = observed.Run.Clients,
            // Long enough that hardly a client has done all of them within the window; what is sent later is not looked at.
            Sequences = Math.Max(1, (int)Math.Ceiling(perClient)),
            Seed = seed,
            MaximumEvents = 10_000 + MostTimesObserved * (long)(observed.Run.Exchanges + 2 * observed.Run.Clients * observed.SequenceLength),
        };
        try
        {
            for (var replication = 0; replication < replications; replication++)
                FleetSimulation.Observe(model, setup, replication, ref observer);
            return true;
        }
        catch (InputException)
        {
            return false;
        }
    }
}
