using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.ClusterProtocols.Pipeline.Simulating;

/// <summary>Simulated runs of a pipeline with its load and its faults.</summary>
/// <remarks>
/// A publisher whose broker is down sends what is due when it is back, or at the next broker at once. Messages that
/// count begin two seconds after the subscriptions.
/// </remarks>
internal sealed class PipelineReplications : IReplications
{
    private const long Second = 1_000_000_000;
    private const long LeadNanoseconds = 2 * Second;

    /// <summary>How long a replication goes on after the last message is due.</summary>
    internal static readonly TimeSpan Rest = TimeSpan.FromSeconds(10);

    private readonly Topology _topology;
    private readonly Workload _load;
    private readonly ReplicationClients _clients;
    private readonly RunClients _ofRuns;
    private readonly IReadOnlyList<int>? _places;
    private readonly bool _isChecked;

    /// <summary>The replications of a topology.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <param name="places">The places by which deliveries are told apart; null if they are not.</param>
    /// <param name="isChecked">Whether the monitors of live runs judge each replication.</param>
    /// <exception cref="InputException">Its nodes, its load or its faults cannot be simulated.</exception>
    public PipelineReplications(Topology topology, ClientPlaces? places = null, bool isChecked = false)
    {
        (_topology, _load, _isChecked) = (topology, topology.Load, isChecked);
        _clients = new ReplicationClients(topology, _load, probes: false);
        _ofRuns = RunClients.Of(topology, ReplicationClients.LoadPrefixOf(topology));
        _places = _ofRuns.PlacesOf(places);
        _ = Plan(seed: 0, replication: 0);
    }

    /// <inheritdoc/>
    public Func<int, ClusterOutcome> Start(ulong seed)
    {
        var observer = new ReplicationObserver(_clients, "mqttcheck/probe/", countsFrom: 0);
        var settle = _topology.Scenario.Settle;
        return replication =>
        {
            IReadOnlyList<ClusterMonitor> monitors =
                _isChecked ? RunMonitors.Of(_topology, Rest, 0, 0)
                : _load.PersistentSubscribers ? [new DurabilityMonitor((long)settle.TotalNanoseconds)]
                : [];
            observer.Begin(
                new ClusterOutcomeRecorder(settle, probeInterval: null, monitors) { ClientPlaces = _places }
            );
            var plan = Plan(seed, replication);
            PipelineSimulation.Run(plan, seed, (ulong)replication, observer);
            var outcome = observer.End(plan.DurationNanoseconds, plan.DurationNanoseconds, signallingBytes: 0);
            // Requests to log and store carry many messages, so neither is known of them.
            return outcome with { SignallingBytes = null, Retransmitted = null };
        };
    }

    private PipelinePlan Plan(ulong seed, int replication)
    {
        var end = LeadNanoseconds + (long)_topology.Duration.TotalNanoseconds;
        var faults = ScheduledFault.Of(_topology, seed, replication);
        var absences = ClientAbsence.Of(faults);
        SimulationStep[] steps =
        [
            .. _clients.Subscriptions(_ofRuns, at: 0),
            .. _clients
                .Arrivals(seed, replication, LeadNanoseconds, end)
                .Select(arrival => Publication(absences, arrival.Publisher, arrival.At))
                .OfType<SimulationStep>(),
            .. FaultSteps.Of(_topology, faults, LeadNanoseconds),
        ];
        var plan = PipelinePlans.Of(
            _topology,
            [.. steps.OrderBy(step => step.AtNanoseconds)],
            durationNanoseconds: end + (long)Rest.TotalNanoseconds
        );
        return plan with { ArePersistent = _load.PersistentSubscribers };
    }

    // Null if its client never comes back.
    private SimulationStep? Publication(IReadOnlyList<ClientAbsence> absences, int publisher, long at)
    {
        var (node, due) = (_ofRuns.PublisherNodes[publisher], at - LeadNanoseconds);
        if (_topology.Scenario.Return == ClientReturn.Next)
        {
            var brokers = _topology.Brokers.ToList();
            var from = brokers.IndexOf(node);
            node = Enumerable
                .Range(from, brokers.Count)
                .Select(place => brokers[place % brokers.Count])
                .FirstOrDefault(other => ClientAbsence.SentAt(absences, other, due) == due, node);
        }
        return ClientAbsence.SentAt(absences, node, due) is { } sent
            ? _clients.Publication(_ofRuns, publisher, LeadNanoseconds + sent) with
            {
                Node = node,
            }
            : null;
    }
}
