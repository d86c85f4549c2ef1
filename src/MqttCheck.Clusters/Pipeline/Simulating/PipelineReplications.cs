using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Simulation;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Statistics;

namespace MqttCheck.Clusters.Pipeline.Simulating;

/// <summary>Simulated runs of a pipeline with its load and its faults.</summary>
/// <remarks>
/// An open loop keeps its times, and a publication at a broker that is down is not made. Messages that count begin two
/// seconds after the subscriptions.
/// </remarks>
public sealed class PipelineReplications : IReplications
{
    private const ulong LoadStream = 0x6C6F6164;
    private const long Second = 1_000_000_000;
    private const long LeadNanoseconds = 2 * Second;
    private const long RestNanoseconds = 10 * Second;
    private const string TopicPrefix = "mqttcheck/x/";

    private readonly Topology _topology;
    private readonly Workload _load;
    private readonly ReplicationClients _clients;
    private readonly IReadOnlyList<int>? _places;

    /// <summary>The replications of a topology.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <param name="places">By which places deliveries are told apart; null if they are not.</param>
    /// <exception cref="InputException">Its nodes, its load or its faults cannot be simulated.</exception>
    public PipelineReplications(Topology topology, ClientPlaces? places = null)
    {
        ArgumentNullException.ThrowIfNull(topology);
        (_topology, _load) = (topology, topology.Load);
        if (!_load.IsOpenLoop)
            throw new InputException(
                $"{topology.Name}: the load '{_load.Name}' is a closed loop, which is not simulated; "
                    + "allowed: arrivals 'constant' or 'poisson' with a rate."
            );
        _clients = new ReplicationClients(topology, _load, probes: false);
        _places = RunClients.Of(topology, TopicPrefix).PlacesOf(places);
        _ = Plan(seed: 0, replication: 0);
    }

    /// <inheritdoc/>
    public IReadOnlyList<ClusterOutcome> Run(ulong seed, int first, int last, CancellationToken cancellation = default)
    {
        var observer = new ReplicationObserver(_clients, "mqttcheck/probe/", countsFrom: 0);
        var outcomes = new List<ClusterOutcome>();
        for (var replication = first; replication <= last && !cancellation.IsCancellationRequested; replication++)
        {
            var settle = _topology.Scenario.Settle;
            IClusterMonitor[] monitors = _load.PersistentSubscribers
                ? [new DurabilityMonitor((long)settle.TotalNanoseconds)]
                : [];
            observer.Begin(
                new ClusterOutcomeRecorder(settle, probeInterval: null, monitors) { ClientPlaces = _places }
            );
            var plan = Plan(seed, replication);
            PipelineSimulation.Run(plan, seed, (ulong)replication, observer);
            var outcome = observer.End(plan.DurationNanoseconds, signallingBytes: 0);
            // Requests to log and store carry many messages, so neither is known of them.
            outcomes.Add(outcome with { SignallingBytes = null, Retransmitted = null });
        }
        return outcomes;
    }

    private PipelinePlan Plan(ulong seed, int replication)
    {
        var end = LeadNanoseconds + (long)_topology.Duration.TotalNanoseconds;
        var steps = new List<SimulationStep>(Subscriptions());
        steps.AddRange(Publications(RandomStream.For(seed, LoadStream, (ulong)replication), end));
        foreach (var step in FaultSteps.Of(_topology, ScheduledFault.Of(_topology, seed, replication)))
            steps.Add(step with { AtNanoseconds = step.AtNanoseconds + LeadNanoseconds });
        var plan = PipelinePlans.Of(
            _topology,
            [.. steps.OrderBy(step => step.AtNanoseconds)],
            durationNanoseconds: end + RestNanoseconds
        );
        return plan with { ArePersistent = _load.PersistentSubscribers };
    }

    private IEnumerable<SimulationStep> Publications(RandomStream random, long end)
    {
        var gap = Second / _load.MessagesPerSecond;
        var at = LeadNanoseconds + (gap * random.NextDouble());
        for (var message = 0L; at < end; message++)
        {
            var publisher = (int)(message % _load.Publishers);
            yield return new SimulationStep
            {
                AtNanoseconds = (long)at + _clients.AccessNanoseconds(publisher),
                Kind = SimulationStepKind.Publish,
                Node = _clients.Placement.PublisherNode(publisher),
                Client = publisher,
                Topic = WorkloadTopics.Topic(_load, TopicPrefix, publisher),
                Qos = _load.Qos,
            };
            at += _load.Arrivals == ArrivalKind.Poisson ? -gap * Math.Log(random.NextOpenDouble()) : gap;
        }
    }

    private IEnumerable<SimulationStep> Subscriptions() =>
        Enumerable
            .Range(0, _load.Subscribers)
            .Select(subscriber => new SimulationStep
            {
                AtNanoseconds = 0,
                Kind = SimulationStepKind.Subscribe,
                Node = _clients.Placement.SubscriberNode(subscriber),
                Client = _load.Publishers + subscriber,
                Topic = WorkloadTopics.Filter(_load, TopicPrefix, subscriber),
                Qos = _load.SubscribeQos,
            });
}
