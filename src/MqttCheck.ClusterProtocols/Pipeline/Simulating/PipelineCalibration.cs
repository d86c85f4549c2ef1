using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Predictions;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>
/// Fits a simulated pipeline to two published means: that of the publisher's acknowledgement by the log's own time for
/// an append, and that of the way to the subscriber by its time for a commit. Linger and pack are given.
/// </summary>
/// <remarks>
/// Both times are exponential. Five brokers with twenty partitions, as in the article's largest set-up; the rate is
/// scaled down, so that no part is busy. A subscriber is at another broker than its session's in four of five cases.
/// </remarks>
internal sealed class PipelineCalibration : IClusterEventSink
{
    private const long Second = 1_000_000_000;
    private const int Brokers = 5;
    private const int Pairs = 100;
    private const int PerSecond = 500;
    private const int Iterations = 14;

    private readonly Dictionary<long, long> _published = [];
    private readonly Mean _acknowledgement = new();
    private readonly Mean _delivery = new();
    private long _inTime;

    /// <summary>Below which time a delivery is in time: 100 ms.</summary>
    public const double DeadlineMilliseconds = 100;

    /// <summary>The two times, in milliseconds.</summary>
    public readonly record struct Times(double Append, double Commit);

    /// <summary>
    /// The result of a simulation: means in milliseconds, and the share of deliveries in time with its interval.
    /// </summary>
    public sealed record Result(double Acknowledgement, double Delivery, double InTime, Interval Interval);

    /// <summary>Finds the times that make the two means.</summary>
    /// <param name="acknowledgementMilliseconds">The mean of an acknowledgement, above the linger.</param>
    /// <param name="deliveryMilliseconds">The mean of a delivery.</param>
    /// <param name="seed">The seed; every value is tried with the same random numbers.</param>
    /// <exception cref="ArgumentException">No time up to 200 ms makes a mean.</exception>
    public static Times Fit(double acknowledgementMilliseconds, double deliveryMilliseconds, ulong seed)
    {
        var append = Bisect(
            acknowledgementMilliseconds,
            value => Run(new Times(value, value), seed, 0)._acknowledgement.Value
        );
        var commit = Bisect(deliveryMilliseconds, value => Run(new Times(append, value), seed, 0)._delivery.Value);
        return new Times(append, commit);
    }

    /// <summary>Simulates the fitted pipeline with random numbers of its own.</summary>
    /// <param name="times">The times.</param>
    /// <param name="seed">The seed.</param>
    /// <param name="replications">How many replications, which are the units of the interval; at least 2.</param>
    /// <param name="error">The largest probability that the interval misses the truth.</param>
    public static Result Measure(Times times, ulong seed, int replications, double error)
    {
        var runs = Enumerable
            .Range(1, replications)
            .AsParallel()
            .AsOrdered()
            .Select(replication => Run(times, seed, (ulong)replication))
            .ToArray();
        var shares = runs.Select(run => run._inTime / run._delivery.Count).ToArray();
        return new Result(
            runs.Average(run => run._acknowledgement.Value),
            runs.Average(run => run._delivery.Value),
            shares.Average(),
            PredictionBounds.OfMeans(shares.Sum(), shares.Sum(share => share * share), replications, error)
        );
    }

    /// <inheritdoc/>
    public void Add(in ClusterEvent happened)
    {
        switch (happened.Kind)
        {
            case ClusterEventKind.Published:
                _published[happened.Message] = happened.Nanoseconds;
                break;
            case ClusterEventKind.Acknowledged:
                _acknowledgement.Add((happened.Nanoseconds - _published[happened.Message]) / 1e6);
                break;
            case ClusterEventKind.Delivered:
                var milliseconds = (happened.Nanoseconds - _published[happened.Message]) / 1e6;
                _delivery.Add(milliseconds);
                _inTime += milliseconds < DeadlineMilliseconds ? 1 : 0;
                break;
        }
    }

    private static double Bisect(double wanted, Func<double, double> mean)
    {
        var (low, high) = (0.01, 200.0);
        if (mean(low) > wanted || mean(high) < wanted)
            throw new ArgumentException(Invariant($"no time of the log makes a mean of {wanted} ms"));
        for (var i = 0; i < Iterations; i++)
        {
            var middle = (low + high) / 2;
            (low, high) = mean(middle) < wanted ? (middle, high) : (low, middle);
        }
        return (low + high) / 2;
    }

    private static PipelineCalibration Run(Times times, ulong seed, ulong replication)
    {
        var run = new PipelineCalibration();
        PipelineSimulation.Run(PlanOf(times, seed, replication), seed, replication, run);
        return run;
    }

    private static PipelinePlan PlanOf(Times times, ulong seed, ulong replication)
    {
        TopologyNode[] nodes =
        [
            .. Enumerable.Range(1, Brokers).Select(number => new TopologyNode { Name = Invariant($"b{number}") }),
            new TopologyNode { Name = "log", Kind = NodeKind.Log },
            new TopologyNode { Name = "store", Kind = NodeKind.Store },
        ];
        return new PipelinePlan
        {
            Topology = new Topology
            {
                Name = "tbmq",
                System = ClusterSystem.Pipeline,
                Nodes = nodes,
                Links = [],
            },
            Options = new PipelineOptions { Partitions = 20 },
            Times = new PipelineTimes
            {
                AppendMilliseconds = new ExponentialLaw(times.Append),
                CommitMilliseconds = new ExponentialLaw(times.Commit),
            },
            Steps = [.. Steps(RandomStream.For(seed, 0x63616C, replication))],
            DurationNanoseconds = 8 * Second,
        };
    }

    // Poisson publications for five seconds; the last ones have three seconds to arrive.
    private static List<SimulationStep> Steps(RandomStream random)
    {
        var steps = new List<SimulationStep>();
        for (var pair = 0; pair < Pairs; pair++)
            steps.Add(Step(0, SimulationStepKind.Subscribe, random.NextInt(Brokers), Pairs + pair, pair));
        for (
            var at = (double)Second / 10;
            at < 5 * Second;
            at -= Second / (double)PerSecond * Math.Log(random.NextOpenDouble())
        )
        {
            var pair = random.NextInt(Pairs);
            steps.Add(Step((long)at, SimulationStepKind.Publish, pair % Brokers, pair, pair));
        }
        return steps;
    }

    private static SimulationStep Step(long at, SimulationStepKind kind, int node, int client, int pair) =>
        new()
        {
            AtNanoseconds = at,
            Kind = kind,
            Node = node,
            Client = client,
            Topic = Invariant($"t/{pair}"),
            Qos = QualityOfService.AtLeastOnce,
        };

    private sealed class Mean
    {
        private double _sum;

        public double Count { get; private set; }

        public double Value => _sum / Count;

        public void Add(double value) => (_sum, Count) = (_sum + value, Count + 1);
    }
}
