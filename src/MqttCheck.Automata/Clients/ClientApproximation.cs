using System.Globalization;
using MathNet.Numerics.Statistics;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Simulation;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Clients;

/// <summary>
/// A latency model that no automaton can carry, replaced for one setup: latencies are simulated, and for each kind of
/// message and range of open exchanges their empirical law with <see cref="LawLowering.MostPieces"/> pieces takes the
/// model's place. What this changes is measured.
/// </summary>
internal sealed class ClientApproximation(
    SimulatedFleet setup,
    LatencyModel model,
    ClientLatency latency,
    double lawDistance
)
{
    private const int Replications = 400,
        SmallestSample = 400,
        MostRanges = 8;
    private readonly LatencyModel _model = model;

    internal ClientLatency Latency { get; } = latency;

    /// <summary>
    /// The largest difference between the distribution function of simulated latencies in a range and that of the law
    /// that stands for them.
    /// </summary>
    public double LawDistance { get; } = lawDistance;

    /// <summary>The notes that a reader must be told about the approximation.</summary>
    public IReadOnlyList<string> Notes =>
        [
            string.Create(
                CultureInfo.InvariantCulture,
                $"The latency model ({_model.Kind}) was replaced by laws of {LawLowering.MostPieces} "
                    + $"pieces for each kind of message and range of open exchanges, learned from "
                    + $"{Replications} simulations of this setup; largest difference "
                    + $"of the distribution functions {LawDistance:0.####}."
            ),
        ];

    /// <summary>Whether automata cannot carry a model as it is.</summary>
    /// <param name="model">The model.</param>
    public static bool IsNeeded(LatencyModel model) => !ClientLatency.CanCarry(model);

    /// <summary>Replaces a model for a setup.</summary>
    /// <param name="setup">The setup.</param>
    /// <param name="model">The model.</param>
    /// <param name="cancellation">Stops the work.</param>
    /// <exception cref="InputException">
    /// A value of the setup is not allowed, or a replication did not end within the bound.
    /// </exception>
    public static ClientApproximation Of(
        SimulatedFleet setup,
        LatencyModel model,
        CancellationToken cancellation = default
    )
    {
        var recorder = new Recorder(setup.Clients);
        // Large setups give enough latencies in fewer simulations.
        for (var replication = 0; replication < Replications && recorder.Count < 2_000_000; replication++)
            FleetSimulation.Observe(model, setup, replication, ref recorder, cancellation);
        var distance = 0.0;
        var laws = Enum.GetValues<MessageKind>().Select(kind => Ranges(recorder.Of(kind), ref distance)).ToArray();
        return new(setup, model, new() { UsesActive = true, Of = (kind, _) => LawOf(laws[(int)kind], kind) }, distance);
    }

    /// <summary>The network of the setup with the laws that replace the model.</summary>
    /// <param name="observed">Number of the observed client, from 0.</param>
    public AutomataNetwork Network(int observed = 0) => ClientNetwork.Of(setup, Latency, observed);

    /// <summary>
    /// The largest difference, over all thresholds, between P(all in time) of the observed client by the model and by
    /// the network, both simulated; and by how much it may exceed 0 by chance, with 99 % confidence.
    /// </summary>
    /// <param name="replications">How often each is simulated, 1 or more.</param>
    /// <param name="observed">Number of the observed client, from 0.</param>
    /// <param name="cancellation">Stops the work.</param>
    public (double Difference, double Chance) Compare(
        int replications,
        int observed = 0,
        CancellationToken cancellation = default
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(replications);
        var single = setup with { Sequences = 1, Seed = setup.Seed + 1 };
        var sample = FleetSimulation.Run(_model, single, replications, threads: 1, cancellation: cancellation);
        double[] model =
        [
            .. Enumerable
                .Range(0, replications)
                .Select(replication => sample.WorstMilliseconds[replication * single.Clients + observed])
                .Order(),
        ];
        var run = new NetworkSimulator(
            ClientNetwork.Of(single, Latency, observed),
            new() { SimultaneousSteps = SimultaneousSteps.InOrder }
        ).Start(single.Seed);
        var network = new double[replications];
        for (var replication = 0; replication < replications; replication++)
        {
            cancellation.ThrowIfCancellationRequested();
            run.Restart(single.Seed, (ulong)replication);
            while (run[ClientNetwork.Done] == 0)
                run.Step();
            network[replication] = run[ClientNetwork.Worst];
        }
        Array.Sort(network);
        var difference = model
            .Concat(network)
            .Max(x =>
                Math.Abs(SortedArrayStatistics.EmpiricalCDF(model, x) - SortedArrayStatistics.EmpiricalCDF(network, x))
            );
        return (difference, 2 * ConcentrationBounds.DkwHalfWidth(replications, .005));
    }

    // The ranges of open exchanges with about the same number of latencies each, and the law of each.
    private static List<(int From, Law Law)> Ranges(
        List<(int Active, double Milliseconds)> latencies,
        ref double distance
    )
    {
        var ranges = new List<(int, Law)>();
        var perRange = Math.Max(SmallestSample, latencies.Count / MostRanges);
        var ordered = latencies.OrderBy(latency => latency.Active).ToList();
        for (var from = 0; from < ordered.Count; )
        {
            var until = Math.Min(ordered.Count, from + perRange);
            if (ordered.Count - until < SmallestSample)
                until = ordered.Count;
            // The same number of open exchanges belongs to one range.
            while (until < ordered.Count && ordered[until].Active == ordered[until - 1].Active)
                until++;
            double[] sample = [.. ordered.GetRange(from, until - from).Select(latency => latency.Milliseconds).Order()];
            var law = EmpiricalLaw.Of(sample, LawLowering.MostPieces);
            for (var i = 0; i < sample.Length; i++)
            {
                var probability = law.CumulativeProbability(sample[i]);
                distance = Math.Max(
                    distance,
                    Math.Max(
                        Math.Abs((i + 1.0) / sample.Length - probability),
                        Math.Abs((double)i / sample.Length - law.CumulativeProbability(Math.BitDecrement(sample[i])))
                    )
                );
            }
            ranges.Add((from == 0 ? 0 : ordered[from].Active, law));
            from = until;
        }
        return ranges;
    }

    private static Expression LawOf(List<(int From, Law Law)> ranges, MessageKind kind)
    {
        if (ranges.Count == 0)
            throw new InputException(
                $"latency model: no {kind.Name()} message was simulated; allowed: a setup that has one"
            );
        return Choice(0, ranges.Count);

        Expression Choice(int from, int until)
        {
            if (until - from == 1)
                return Expression.Draw(ranges[from].Law);
            var middle = (from + until) / 2;
            return If(
                Expression.Of(ClientLatency.Active) < ranges[middle].From,
                Choice(from, middle),
                Choice(middle, until)
            );
        }
    }

    private readonly struct Recorder(int clients) : IFleetObserver
    {
        private readonly List<(int Active, double Milliseconds)>[] _latencies =
        [
            .. Enumerable.Range(0, MessageKinds.Count).Select(_ => new List<(int, double)>()),
        ];
        private readonly int[] _active = new int[clients];

        public int Count => _latencies.Sum(latencies => latencies.Count);

        public List<(int Active, double Milliseconds)> Of(MessageKind kind) => _latencies[(int)kind];

        public void SetUp(int client, in ClientAction action, double begunMilliseconds, double nowMilliseconds) { }

        public void Started(
            int client,
            int sequence,
            in ClientAction action,
            in ExchangeFeatures features,
            double nowMilliseconds
        ) => _active[client] = features.Active;

        public void Ended(
            int client,
            int sequence,
            in ClientAction action,
            double startedMilliseconds,
            double nowMilliseconds
        ) => _latencies[(int)action.Kind].Add((_active[client], nowMilliseconds - startedMilliseconds));
    }
}
