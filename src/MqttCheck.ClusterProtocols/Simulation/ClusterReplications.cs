using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>
/// Simulated runs of a topology with its load and its faults. A replication depends on the seed and its number alone:
/// any part of them can be computed anywhere, in any order.
/// </summary>
/// <remarks>
/// Clients of a node that was down come back when they try to connect next, and then publish what has become due
/// meanwhile. Messages that count begin when a tree has had time to form.
/// </remarks>
internal sealed class ClusterReplications : IReplications
{
    private const ulong PhaseStream = 0x7068617365;
    private const string ProbePrefix = "mqttcheck/probe/";
    private const long Second = 1_000_000_000;
    private const long ProbeIntervalNanoseconds = Second / 10;

    /// <summary>How long a replication goes on after the last message is due.</summary>
    internal static readonly TimeSpan Rest = TimeSpan.FromSeconds(2);

    private readonly Topology _topology;
    private readonly Workload _load;
    private readonly bool _probes;
    private readonly bool _isOverlay;
    private readonly string _loadPrefix;
    private readonly ReplicationClients _clients;
    private readonly ClientPlaces? _places;
    private readonly bool _isChecked;

    /// <summary>The replications of a topology.</summary>
    /// <param name="topology">The topology, with load and faults.</param>
    /// <param name="probes">
    /// Whether there are probes of all pairs of brokers, ten a second; <c>repair</c> and <c>blackout</c> need them.
    /// </param>
    /// <param name="places">The places by which deliveries are told apart; null if they are not.</param>
    /// <param name="isChecked">Whether the monitors of live runs judge each replication.</param>
    /// <exception cref="InputException">Its system, its hops or its load cannot be simulated.</exception>
    public ClusterReplications(Topology topology, bool probes, ClientPlaces? places = null, bool isChecked = false)
    {
        (_topology, _probes, _places, _load) = (topology, probes, places, topology.Load);
        _isChecked = isChecked;
        _isOverlay = topology.System.IsOverlay();
        _clients = new ReplicationClients(topology, _load, probes);
        LeadNanoseconds = WarmUpNanoseconds + (_load.WarmUp.Messages > 0 && _isOverlay ? WarmUpDuration : 0);
        _loadPrefix = ReplicationClients.LoadPrefixOf(topology);
        // Finds what cannot be simulated before anything is.
        _ = new ClusterSimulator(Plan(RunClients.Of(topology with { Overlay = new() }, _loadPrefix)));
    }

    /// <summary>The replications that answer a question.</summary>
    internal static ClusterReplications Of(ReplicationQuestion question) =>
        new(question.Topology, question.Probes, question.Places, question.IsChecked);

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

    /// <summary>
    /// A uniform part of the time between two pings of an overlay's members, by which probes begin later or earlier
    /// after the first ping. Otherwise all runs would show one phase of the pings. 0 without pings.
    /// </summary>
    /// <param name="topology">The topology.</param>
    /// <param name="seed">The seed of the command.</param>
    /// <param name="run">The number of the run or replication.</param>
    internal static long PingPhaseNanoseconds(Topology topology, ulong seed, int run) =>
        topology.System.IsOverlay()
            ? (long)(topology.KeepAliveSeconds * Second * RandomStream.For(seed, PhaseStream, (ulong)run).NextDouble())
            : 0;

    /// <inheritdoc/>
    public Func<int, ClusterOutcome> Start(ulong seed)
    {
        var draws = _topology.Overlay.Topics is not null;
        var observer = new ReplicationObserver(_clients, ProbePrefix, LeadNanoseconds);
        var clients = RunClients.Of(_topology, _loadPrefix);
        var placesOfClients = clients.PlacesOf(_places);
        var simulator = draws ? null : new ClusterSimulator(Plan(clients), observer);
        return replication =>
        {
            if (draws)
            {
                clients = RunClients.OfRun(_topology, _loadPrefix, seed, replication);
                placesOfClients = clients.PlacesOf(_places);
                simulator = new ClusterSimulator(Plan(clients), observer);
            }
            var recorder = new ClusterOutcomeRecorder(
                _topology.Scenario.Settle,
                _probes ? TimeSpan.FromTicks(ProbeIntervalNanoseconds / 100) : null,
                _isChecked ? Monitors() : []
            )
            {
                ClientPlaces = placesOfClients,
                Convergence = new ConvergenceMonitor(_topology, Absent),
            };
            observer.Begin(recorder);
            var totals = simulator!.Run(seed, replication, Steps(clients, seed, replication));
            return observer.End(DurationNanoseconds, LastDueNanoseconds, totals.SignallingBytes);
        };
    }

    private IReadOnlyList<ClusterMonitor> Monitors() =>
        RunMonitors.Of(_topology, Rest, ClusterCores.BoundOf(_topology), 0, Absent);

    private IReadOnlySet<int> Absent => _topology.Joining;

    private const long LastSubscription = Second / 2;

    // Messages and probes end here.
    private long LastDueNanoseconds => LeadNanoseconds + (long)_topology.Duration.TotalNanoseconds;

    private long DurationNanoseconds => LastDueNanoseconds + (long)Rest.TotalNanoseconds;

    private SimulationPlan Plan(RunClients clients) =>
        new()
        {
            Topology = _topology,
            Core = ClusterCores.Of(_topology),
            Hop = ClusterCores.HopOf(_topology),
            // The subscriptions and topics of these steps are those of all replications, but each replication draws its
            // own times.
            Steps =
            [
                .. Subscriptions(clients, LastSubscription),
                .. clients
                    .Topics.Concat(_clients.ProbeTopics(ProbePrefix))
                    .Distinct()
                    .Select(topic => new SimulationStep
                    {
                        AtNanoseconds = LastSubscription,
                        Kind = SimulationStepKind.Publish,
                        Topic = topic,
                    }),
            ],
            Absent = Absent,
            DurationNanoseconds = DurationNanoseconds,
        };

    private SimulationStep[] Steps(RunClients clients, ulong seed, int replication)
    {
        var ofProbes = LastSubscription + PingPhaseNanoseconds(_topology, seed, replication);
        var steps = new List<SimulationStep>(Subscriptions(clients, ofProbes));
        var end = LastDueNanoseconds;
        if (_isOverlay)
            AddWarmUp(steps, clients);
        var faults = ScheduledFault.Of(_topology, seed, replication);
        var absences = ClientAbsence.Of(faults);
        foreach (var (publisher, arrives) in _clients.Arrivals(seed, replication, LeadNanoseconds, end))
        {
            var due = arrives - LeadNanoseconds;
            if (ClientAbsence.SentAt(absences, clients.PublisherNodes[publisher], due) is { } sent)
                steps.Add(_clients.Publication(clients, publisher, LeadNanoseconds + sent));
        }
        if (_probes)
            steps.AddRange(_clients.Probes(ProbePrefix, LeadNanoseconds, end, ProbeIntervalNanoseconds));
        steps.AddRange(FaultSteps.Of(_topology, faults, LeadNanoseconds));
        AddReturns(steps, clients, absences);
        return [.. steps.OrderBy(step => step.AtNanoseconds)];
    }

    // Subscribers are not back as soon as their node is. They follow the faults, so that a node is down before they go.
    private void AddReturns(List<SimulationStep> steps, RunClients clients, IReadOnlyList<ClientAbsence> absences)
    {
        foreach (var absence in absences)
        {
            if (absence.UntilNanoseconds is not { } until)
                continue;
            var lost = _clients.Subscriptions(clients, LastSubscription).Where(step => step.Node == absence.Node);
            foreach (var step in lost)
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
                _clients.Publication(
                    clients,
                    publisher,
                    WarmUpNanoseconds + (long)(message * _load.WarmUp.Time.TotalNanoseconds) + publisher
                )
            );
    }

    private IEnumerable<SimulationStep> Subscriptions(RunClients clients, long ofProbes) =>
        _clients.Subscriptions(clients, LastSubscription).Concat(_clients.ProbeSubscriptions(ProbePrefix, ofProbes));
}
