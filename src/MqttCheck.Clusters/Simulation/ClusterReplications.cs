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
/// Clients of a node that was down come back when they try to connect next, and then publish what has become due
/// meanwhile. Messages that count begin when a tree has had time to form.
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
    private readonly ClientPlaces? _places;

    /// <summary>The replications of a topology.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <param name="probes">
    /// Whether there are probes of all pairs of brokers, ten a second; <c>repair</c> and <c>blackout</c> need them.
    /// </param>
    /// <param name="places">By which places deliveries are told apart; null if they are not.</param>
    /// <exception cref="InputException">Its system, its hops or its load cannot be simulated.</exception>
    public ClusterReplications(Topology topology, bool probes, ClientPlaces? places = null)
    {
        ArgumentNullException.ThrowIfNull(topology);
        (_topology, _probes, _places, _load) = (topology, probes, places, topology.Load);
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
        var placesOfClients = clients.PlacesOf(_places);
        var simulator = draws ? null : new ClusterSimulator(Plan(clients), observer);
        return replication =>
        {
            if (draws)
            {
                clients = RunClients.OfRun(_topology, LoadPrefix, seed, replication);
                placesOfClients = clients.PlacesOf(_places);
                simulator = new ClusterSimulator(Plan(clients), observer);
            }
            var recorder = new ClusterOutcomeRecorder(
                _topology.Scenario.Settle,
                _probes ? TimeSpan.FromTicks(ProbeIntervalNanoseconds / 100) : null,
                []
            )
            {
                ClientPlaces = placesOfClients,
            };
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
        var faults = ScheduledFault.Of(_topology, seed, replication);
        var absences = ClientAbsence.Of(faults);
        for (var message = 0L; at < end; message++)
        {
            var publisher = (int)(message % _load.Publishers);
            var arrives = (long)at + _clients.AccessNanoseconds(publisher);
            if (Connected(absences, clients.PublisherNodes[publisher], arrives) is { } sent)
                steps.Add(Publication(clients, sent, publisher));
            at += _load.Arrivals == ArrivalKind.Poisson ? -gap * Math.Log(random.NextOpenDouble()) : gap;
        }
        if (_probes)
            steps.AddRange(_clients.Probes(ProbePrefix, LeadNanoseconds, end, ProbeIntervalNanoseconds));
        foreach (var step in FaultSteps.Of(_topology, faults))
            steps.Add(step with { AtNanoseconds = step.AtNanoseconds + LeadNanoseconds });
        AddReturns(steps, clients, absences);
        return [.. steps.OrderBy(step => step.AtNanoseconds)];
    }

    // When a client can send what is due at a time; null if it never comes back.
    private long? Connected(IReadOnlyList<ClientAbsence> absences, int node, long due)
    {
        foreach (var absence in absences)
        {
            if (absence.Node != node || due < LeadNanoseconds + absence.FromNanoseconds)
                continue;
            if (absence.UntilNanoseconds is not { } until)
                return null;
            due = Math.Max(due, LeadNanoseconds + until);
        }
        return due;
    }

    // Subscribers are not back as soon as their node is. They follow the faults, so that a node is down before they go.
    private void AddReturns(List<SimulationStep> steps, RunClients clients, IReadOnlyList<ClientAbsence> absences)
    {
        foreach (var absence in absences)
        {
            if (absence.UntilNanoseconds is not { } until)
                continue;
            foreach (var step in LoadSubscriptions(clients).Where(step => step.Node == absence.Node))
            {
                steps.Add(
                    step with
                    {
                        AtNanoseconds = LeadNanoseconds + absence.FromNanoseconds,
                        Kind = SimulationStepKind.Unsubscribe,
                    }
                );
                steps.Add(step with { AtNanoseconds = LeadNanoseconds + until });
            }
        }
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

    private IEnumerable<SimulationStep> Subscriptions(RunClients clients) =>
        LoadSubscriptions(clients).Concat(_clients.ProbeSubscriptions(ProbePrefix, LastSubscription));

    private IEnumerable<SimulationStep> LoadSubscriptions(RunClients clients)
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
