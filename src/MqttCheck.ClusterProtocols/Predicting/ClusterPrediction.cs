using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Shards;

namespace MqttCheck.ClusterProtocols.Predicting;

/// <summary>Predicts the properties of a topology by simulated runs.</summary>
internal sealed class ClusterPrediction
{
    private readonly ClusterJob _job;
    private readonly bool _isChecked;
    private readonly List<(int Run, ClusterViolation Violation)> _violations = [];
    private long _owed;
    private long _undelivered;

    /// <summary>A prediction without runs so far.</summary>
    /// <param name="topology">The topology with load, faults and at least one property.</param>
    /// <param name="error">The largest probability of a wrong decision or interval; in (0, .5).</param>
    /// <param name="indifference">
    /// How far from a compared probability a decision must be right; see <see cref="ClusterPropertyTest"/>.
    /// </param>
    /// <param name="seed">The seed of all runs.</param>
    /// <param name="pairs">Whether deliveries are told apart by the places of their clients, where it has such.</param>
    /// <param name="assumesNormal">
    /// Whether expectations have approximate intervals, as for runs that are about normal, also where a guaranteed one
    /// exists.
    /// </param>
    /// <param name="isChecked">
    /// Whether the monitors of live runs judge each replication, which takes longer; see <see cref="Violations"/>.
    /// </param>
    /// <exception cref="InputException">
    /// There is no property, one cannot be read, or the topology cannot be simulated.
    /// </exception>
    public ClusterPrediction(
        Topology topology,
        double error,
        double indifference,
        ulong seed,
        bool pairs = false,
        bool assumesNormal = false,
        bool isChecked = false
    )
    {
        if (topology.Scenario.Properties.Count == 0)
            throw new InputException($"{topology.Name}: there is no property; name one, such as 'Q0.95[ delivery ]'.");
        SessionLoad.ThrowIfAny(topology);
        var limits = assumesNormal ? null : LimitsOf(topology);
        Tests =
        [
            .. ClusterProperty
                .Parse(topology.Scenario.Properties)
                .Select(property => new ClusterPropertyTest(property, error, indifference, limits)),
        ];
        _isChecked = isChecked;
        var places = pairs ? ClientPlaces.Of(topology) : null;
        Pairs = places is null ? null : new(places);
        var question = new ReplicationQuestion(topology, NeedsProbes(Tests), seed, pairs, isChecked);
        SimulatedSystem.RequireLoad(topology);
        _job = new(question, SimulatedSystem.Of(topology).Replications(question));
    }

    /// <summary>The test of each property, in their order.</summary>
    public IReadOnlyList<ClusterPropertyTest> Tests { get; }

    /// <summary>
    /// Delivery times and losses by pairs of places, of as many runs as the last property takes; null if they were not
    /// asked for, or the topology has no such places.
    /// </summary>
    public PairPredictions? Pairs { get; }

    /// <summary>
    /// The violations that the monitors found, with the number of the run from 1; empty where none was asked for.
    /// </summary>
    public IReadOnlyList<(int Run, ClusterViolation Violation)> Violations => _violations;

    /// <summary>
    /// The share of owed deliveries that had not come when runs ended and that nobody may call lost, as their
    /// publications were not acknowledged or of QoS 0; 0 .. 1.
    /// </summary>
    public double UndeliveredShare => _owed == 0 ? 0 : (double)_undelivered / _owed;

    /// <summary>Simulates runs until every property is a decided statement, and no more than a number.</summary>
    /// <param name="runner">Who simulates; the answers do not depend on it.</param>
    /// <param name="replications">The most runs.</param>
    /// <param name="report">Is told after each run how many there are.</param>
    /// <param name="cancellation">Ends it; what is known so far stays.</param>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    /// <exception cref="InputException">The runner cannot compute it.</exception>
    public void Run(IShardRunner runner, int replications, Action<int> report, CancellationToken cancellation)
    {
        var done = 0;
        foreach (var outcome in runner.Run(_job, replications, cancellation))
        {
            foreach (var test in Tests)
                if (!test.IsDecided)
                    test.Add(outcome);
            Pairs?.Add(outcome);
            _owed += outcome.Owed;
            _undelivered += outcome.UndeliveredAtEnd - outcome.Missing.Lost;
            report(++done);
            if (_isChecked)
                _violations.AddRange(outcome.Violations.Select(violation => (done, violation)));
            if (Tests.All(test => test.IsDecided))
                break;
        }
    }

    /// <summary>The limits that the plan sets to a simulated run.</summary>
    /// <param name="topology">The topology with load and duration.</param>
    internal static RunLimits LimitsOf(Topology topology) => RunLimits.Of(topology, SimulatedSystem.Of(topology).Rest);

    private static bool NeedsProbes(IEnumerable<ClusterPropertyTest> tests) =>
        tests.SelectMany(test => test.Property.Measures).Any(measure => measure.Quantity.NeedsProbes);
}
