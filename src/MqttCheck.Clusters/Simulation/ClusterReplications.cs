using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Simulation;

/// <summary>
/// Simulated runs of a topology with its load and its faults. A replication depends on the seed and its number alone:
/// any part of them can be computed anywhere, in any order.
/// </summary>
/// <remarks>
/// Clients of a node come back as soon as it does. An open loop keeps its times, and a publication at a node that is
/// down is not made. Messages that count begin when a tree has had time to form.
/// </remarks>
public sealed class ClusterReplications
{
    private const ulong LoadStream = 0x6C6F6164;
    private const string ProbePrefix = "mqttcheck/probe/";
    private const string LoadPrefix = "mqttcheck/x/";
    private const long Second = 1_000_000_000;
    private const long ProbeIntervalNanoseconds = Second / 10;

    private readonly Topology _topology;
    private readonly Workload _load;
    private readonly bool _probes;
    private readonly SimulationPlan _plan;
    private readonly ReplicationClients _clients;
    private readonly SimulationStep[] _subscriptions;
    private readonly string[] _topics;

    /// <summary>The replications of a topology.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <param name="probes">
    /// Whether there are probes of all pairs of brokers, ten a second; <c>repair</c> and <c>blackout</c> need them.
    /// </param>
    /// <exception cref="InputException">Its system, its hops or its load cannot be simulated.</exception>
    public ClusterReplications(Topology topology, bool probes)
    {
        ArgumentNullException.ThrowIfNull(topology);
        (_topology, _probes, _load) = (topology, probes, topology.Load);
        if (!_load.IsOpenLoop)
            throw new InputException(
                $"{topology.Name}: the load '{_load.Name}' is a closed loop, which is not simulated; "
                    + "allowed: arrivals 'constant' or 'poisson' with a rate."
            );
        _clients = new ReplicationClients(topology, _load, probes);
        _topics = [.. Enumerable.Range(0, _load.Publishers).Select(i => WorkloadTopics.Topic(_load, LoadPrefix, i))];
        _subscriptions = [.. Subscriptions()];
        LeadNanoseconds = (long)(3 * topology.KeepAliveSeconds * Second) + Second;
        _plan = new SimulationPlan
        {
            Topology = topology,
            Core = ClusterCores.Of(topology),
            Hop = ClusterCores.HopOf(topology),
            // Only what it subscribes and publishes to counts; each replication has times of its own.
            Steps =
            [
                .. _subscriptions,
                .. _topics
                    .Concat(_clients.ProbeTopics(ProbePrefix))
                    .Distinct()
                    .Select(topic => Publication(LastSubscription, 0, 0, topic)),
            ],
            Absent = FaultSteps.Absent(ScheduledFault.Of(topology, seed: 0, run: 0)),
            DurationNanoseconds = LeadNanoseconds + (long)topology.Duration.TotalNanoseconds + (2 * Second),
        };
    }

    /// <summary>How long before the first message that counts the nodes start, in nanoseconds.</summary>
    public long LeadNanoseconds { get; }

    /// <summary>Simulates some replications.</summary>
    /// <param name="seed">The seed of all.</param>
    /// <param name="first">The number of the first one, from 0.</param>
    /// <param name="last">The number of the last one.</param>
    /// <param name="cancellation">Ends the work between two replications.</param>
    /// <returns>Their outcomes in order; fewer if cancelled.</returns>
    public IReadOnlyList<ClusterOutcome> Run(ulong seed, int first, int last, CancellationToken cancellation = default)
    {
        var simulate = Start(seed);
        var outcomes = new List<ClusterOutcome>();
        for (var replication = first; replication <= last && !cancellation.IsCancellationRequested; replication++)
            outcomes.Add(simulate(replication));
        return outcomes;
    }

    /// <summary>Makes a simulator with memory of its own; one thread at a time may use it.</summary>
    /// <param name="seed">The seed of all.</param>
    /// <returns>From the number of a replication to its outcome.</returns>
    internal Func<int, ClusterOutcome> Start(ulong seed)
    {
        var observer = new ReplicationObserver(_clients, ProbePrefix);
        var simulator = new ClusterSimulator(_plan, observer);
        return replication =>
        {
            var recorder = new ClusterOutcomeRecorder(
                _topology.Scenario.Settle,
                _probes ? TimeSpan.FromTicks(ProbeIntervalNanoseconds / 100) : null,
                []
            );
            observer.Begin(recorder);
            var totals = simulator.Run(seed, replication, Steps(seed, replication));
            return observer.End(_plan.DurationNanoseconds, totals.SignallingBytes);
        };
    }

    private const long LastSubscription = Second / 2;

    private SimulationStep[] Steps(ulong seed, int replication)
    {
        var steps = new List<SimulationStep>(_subscriptions);
        var random = RandomStream.For(seed, LoadStream, (ulong)replication);
        var end = LeadNanoseconds + (long)_topology.Duration.TotalNanoseconds;
        var gap = Second / _load.MessagesPerSecond;
        var at = LeadNanoseconds + (gap * random.NextDouble());
        for (var message = 0L; at < end; message++)
        {
            var publisher = (int)(message % _load.Publishers);
            var node = _clients.Placement.PublisherNode(publisher);
            var arrives = (long)at + _clients.AccessNanoseconds(publisher);
            steps.Add(
                Publication(arrives, node, publisher, _topics[publisher]) with
                {
                    Qos = _load.Qos,
                    PayloadBytes = _load.Payload.MaximumBytes,
                }
            );
            at += _load.Arrivals == ArrivalKind.Poisson ? -gap * Math.Log(random.NextOpenDouble()) : gap;
        }
        if (_probes)
            steps.AddRange(_clients.Probes(ProbePrefix, LeadNanoseconds, end, ProbeIntervalNanoseconds));
        foreach (var step in FaultSteps.Of(_topology, ScheduledFault.Of(_topology, seed, replication)))
            steps.Add(step with { AtNanoseconds = step.AtNanoseconds + LeadNanoseconds });
        return [.. steps.OrderBy(step => step.AtNanoseconds)];
    }

    private IEnumerable<SimulationStep> Subscriptions()
    {
        for (var subscriber = 0; subscriber < _load.Subscribers; subscriber++)
            yield return new SimulationStep
            {
                AtNanoseconds = LastSubscription,
                Kind = SimulationStepKind.Subscribe,
                Node = _clients.Placement.SubscriberNode(subscriber),
                Client = _load.Publishers + subscriber,
                Topic = WorkloadTopics.Filter(_load, LoadPrefix, subscriber),
                Qos = _load.SubscribeQos,
            };
        foreach (var step in _clients.ProbeSubscriptions(ProbePrefix, LastSubscription))
            yield return step;
    }

    private static SimulationStep Publication(long at, int node, int client, string topic) =>
        new()
        {
            AtNanoseconds = at,
            Kind = SimulationStepKind.Publish,
            Node = node,
            Client = client,
            Topic = topic,
            Qos = QualityOfService.AtLeastOnce,
        };

    /// <summary>How long the messages of a replication count, in words.</summary>
    public override string ToString() =>
        Invariant(
            $"{_topology.Duration.TotalSeconds:0.###} s of {_load.Loop}, {_topology.Scenario.Faults.Count} faults"
        );
}
