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
public sealed class ClusterReplications : IReplications
{
    private const ulong LoadStream = 0x6C6F6164;
    private const string ProbePrefix = "mqttcheck/probe/";
    private const string LoadPrefix = "mqttcheck/x/";
    private const long Second = 1_000_000_000;
    private const long ProbeIntervalNanoseconds = Second / 10;

    private readonly Topology _topology;
    private readonly Workload _load;
    private readonly bool _probes;
    private readonly bool _isOverlay;
    private readonly ReplicationClients _clients;

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
        _isOverlay = topology.System.IsOverlay();
        _clients = new ReplicationClients(topology, _load, probes);
        LeadNanoseconds = WarmUpNanoseconds + (_load.WarmUp.Messages > 0 && _isOverlay ? WarmUpDuration : 0);
        // Finds what cannot be simulated before anything is.
        _ = new ClusterSimulator(Plan(RunClients.Of(topology with { Overlay = new() }, LoadPrefix)));
    }

    /// <summary>How long before the first message that counts the nodes start, in nanoseconds.</summary>
    public long LeadNanoseconds { get; }

    // A tree, or the members of topics, have had time to form.
    private long WarmUpNanoseconds =>
        (long)(3 * _topology.KeepAliveSeconds * Second)
        + Second
        + (_isOverlay ? OverlayCores.DiscoveryOf(_topology).CollectNanoseconds : 0);

    private long WarmUpDuration =>
        (long)_load.WarmUp.Duration.TotalNanoseconds + (long)WarmUpPause(_topology).TotalNanoseconds;

    /// <summary>
    /// How long nothing is sent between counted warm-up messages, which make topics known, and messages that count:
    /// the members of topics agree meanwhile.
    /// </summary>
    /// <param name="topology">The topology.</param>
    internal static TimeSpan WarmUpPause(Topology topology) =>
        topology.System.IsOverlay() ? TimeSpan.FromSeconds(3 * topology.KeepAliveSeconds) : TimeSpan.Zero;

    /// <inheritdoc/>
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
        var draws = _topology.Overlay.Topics is not null;
        var observer = new ReplicationObserver(_clients, ProbePrefix, LeadNanoseconds);
        var clients = RunClients.Of(_topology, LoadPrefix);
        var simulator = draws ? null : new ClusterSimulator(Plan(clients), observer);
        return replication =>
        {
            if (draws)
            {
                clients = RunClients.OfRun(_topology, LoadPrefix, seed, replication);
                simulator = new ClusterSimulator(Plan(clients), observer);
            }
            var recorder = new ClusterOutcomeRecorder(
                _topology.Scenario.Settle,
                _probes ? TimeSpan.FromTicks(ProbeIntervalNanoseconds / 100) : null,
                []
            );
            observer.Begin(recorder);
            var totals = simulator!.Run(seed, replication, Steps(clients, seed, replication));
            return observer.End(DurationNanoseconds, totals.SignallingBytes);
        };
    }

    private const long LastSubscription = Second / 2;

    private long DurationNanoseconds => LeadNanoseconds + (long)_topology.Duration.TotalNanoseconds + (2 * Second);

    private SimulationPlan Plan(RunClients clients) =>
        new()
        {
            Topology = _topology,
            Core = ClusterCores.Of(_topology),
            Hop = ClusterCores.HopOf(_topology),
            // Only what it subscribes and publishes to counts; each replication has times of its own.
            Steps =
            [
                .. Subscriptions(clients),
                .. clients
                    .Topics.Concat(_clients.ProbeTopics(ProbePrefix))
                    .Distinct()
                    .Select(topic => Publication(LastSubscription, 0, 0, topic)),
            ],
            Absent = FaultSteps.Absent(ScheduledFault.Of(_topology, seed: 0, run: 0)),
            DurationNanoseconds = DurationNanoseconds,
        };

    private SimulationStep[] Steps(RunClients clients, ulong seed, int replication)
    {
        var steps = new List<SimulationStep>(Subscriptions(clients));
        var random = RandomStream.For(seed, LoadStream, (ulong)replication);
        var end = LeadNanoseconds + (long)_topology.Duration.TotalNanoseconds;
        var gap = Second / _load.MessagesPerSecond;
        var at = LeadNanoseconds + (gap * random.NextDouble());
        if (_isOverlay)
            AddWarmUp(steps, clients);
        for (var message = 0L; at < end; message++)
        {
            var publisher = (int)(message % _load.Publishers);
            var arrives = (long)at + _clients.AccessNanoseconds(publisher);
            steps.Add(Publication(clients, arrives, publisher));
            at += _load.Arrivals == ArrivalKind.Poisson ? -gap * Math.Log(random.NextOpenDouble()) : gap;
        }
        if (_probes)
            steps.AddRange(_clients.Probes(ProbePrefix, LeadNanoseconds, end, ProbeIntervalNanoseconds));
        foreach (var step in FaultSteps.Of(_topology, ScheduledFault.Of(_topology, seed, replication)))
            steps.Add(step with { AtNanoseconds = step.AtNanoseconds + LeadNanoseconds });
        return [.. steps.OrderBy(step => step.AtNanoseconds)];
    }

    // Counted warm-up messages make topics known; they do not count.
    private void AddWarmUp(List<SimulationStep> steps, RunClients clients)
    {
        for (var message = 0; message < _load.WarmUp.Messages; message++)
        for (var publisher = 0; publisher < _load.Publishers; publisher++)
            steps.Add(
                Publication(
                    clients,
                    WarmUpNanoseconds + (long)(message * _load.WarmUp.Time.TotalNanoseconds) + publisher,
                    publisher
                )
            );
    }

    private SimulationStep Publication(RunClients clients, long at, int publisher) =>
        Publication(at, clients.PublisherNodes[publisher], publisher, clients.Topics[publisher]) with
        {
            Qos = _load.Qos,
            PayloadBytes = _load.Payload.MaximumBytes,
        };

    private IEnumerable<SimulationStep> Subscriptions(RunClients clients)
    {
        for (var subscriber = 0; subscriber < _load.Subscribers; subscriber++)
            yield return new SimulationStep
            {
                AtNanoseconds = LastSubscription,
                Kind = SimulationStepKind.Subscribe,
                Node = clients.SubscriberNodes[subscriber],
                Client = _load.Publishers + subscriber,
                Topic = clients.Filters[subscriber],
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
