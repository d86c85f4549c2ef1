using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.Systems;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Monitors.Messages;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Verdicts;

/// <summary>
/// Makes live runs of a cluster, one after the other, until every property is decided. Nodes stay up between runs.
/// Faults are healed before the next run, and test messages have to arrive everywhere.
/// </summary>
/// <param name="cluster">The cluster, started.</param>
/// <param name="events">The events that it was started with.</param>
/// <param name="sink">The sink of these events.</param>
/// <param name="options">The properties and limits of the verification.</param>
/// <param name="time">The clock of payloads.</param>
internal sealed class ClusterVerification(
    IClusterUnderTest cluster,
    LiveClusterEvents events,
    ClusterRunSink sink,
    ClusterVerificationOptions options,
    TimeProvider time
)
{
    private readonly Lazy<(Func<int, ClusterOutcome>? Run, string? WhyNot)> _simulated = new(() =>
        SimulationOf(TopologyOf(cluster, options), options.IsMadeReady, options.Seed)
    );

    private static readonly TimeSpan s_readyPatience = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan s_drain = TimeSpan.FromSeconds(5);

    // A run judges what brokers of the user forward. Bridges of brokers that were just started take longer.
    private static readonly TimeSpan s_runningPatience = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_commandPatience = TimeSpan.FromSeconds(15);

    // Mosquitto waits up to 30 s before it restores a lost bridge, and only then sends its queued messages.
    private static readonly TimeSpan s_drainAfterFaults = TimeSpan.FromSeconds(40);

    // Own nodes and their clients try again within a second, and a simulated pipeline has as much time.
    private static readonly TimeSpan s_drainOfOwnAfterFaults = TimeSpan.FromSeconds(10);

    // They may last until the end of a run, while the node goes on.
    private static readonly FaultKind[] s_ofDisks = [FaultKind.Fill, FaultKind.Throttle];

    // How much later than planned a run may end on a busy machine.
    private static readonly TimeSpan s_slack = TimeSpan.FromSeconds(5);

    // The head start exceeds the settling time by this, so that no message races with the first subscriptions.
    private static readonly TimeSpan s_headStart = TimeSpan.FromMilliseconds(20);

    private const double ProbesPerSecond = 10;

    // A fault counts as over when the process of the node is started, but the node joins the cluster later.
    private const long ProcessStartNanoseconds = 3_000_000_000;

    /// <summary>The limits of a run, for the intervals of its properties.</summary>
    /// <param name="topology">The topology.</param>
    public static RunLimits Limits(Topology topology) => RunLimits.Of(topology, Drain(topology) + s_slack);

    /// <summary>How long a run takes, without the time in which a cluster heals.</summary>
    /// <param name="topology">The topology.</param>
    public static TimeSpan RunTime(Topology topology) =>
        topology.Scenario.Settle + topology.Duration + TimeSpan.FromSeconds(3);

    /// <summary>
    /// The time that a run waits after its last message before missing messages count as lost. It is longer if faults
    /// are planned, because a message delayed by a fault is late and not lost.
    /// </summary>
    /// <param name="topology">The topology.</param>
    public static TimeSpan Drain(Topology topology) =>
        topology.Scenario.Faults.Count == 0 && topology.Load.OfflineShare == 0 ? s_drain
        : topology.System.IsOwn() ? s_drainOfOwnAfterFaults
        : s_drainAfterFaults;

    /// <summary>How many messages probes and clients of sessions send in a second.</summary>
    /// <param name="topology">The topology.</param>
    public static double ProbeRate(Topology topology)
    {
        var brokers = topology.Brokers.Count;
        return brokers < 2
            ? 0
            : brokers * ProbesPerSecond * (brokers - 1 + 1.0 / ProbeNode.ProbesPerRetained)
                + topology.Scenario.Sessions.Rate;
    }

    /// <summary>Makes the runs.</summary>
    /// <param name="progress">Who is told how far it is.</param>
    /// <param name="cancellation">Ends in order: runs that are complete count.</param>
    /// <exception cref="BrokerException">A node cannot be reached, or the cluster does not heal.</exception>
    public async Task<ClusterVerificationResult> RunAsync(
        IProgress<CampaignProgress>? progress,
        CancellationToken cancellation
    )
    {
        var runs = new List<ClusterRunRecord>();
        string? endedBy = null;
        var (began, longest) = (time.GetTimestamp(), RunTime(Topology));
        while (runs.Count < options.MostRuns && HasTime() && !cancellation.IsCancellationRequested)
        {
            progress?.Report(
                new(
                    (double)runs.Count / options.MostRuns,
                    string.Create(CultureInfo.InvariantCulture, $"run {runs.Count + 1} of at most {options.MostRuns}")
                )
            );
            var clock = time.GetTimestamp();
            ClusterRunRecord? run;
            try
            {
                run = await RunAsync(runs.Count, cancellation);
            }
            // Runs that are complete count, although the cluster does not heal after the last one.
            catch (BrokerException failure) when (runs.Count > 0 && cluster.Topology.Scenario.Faults.Count > 0)
            {
                endedBy = failure.Message;
                break;
            }
            if (time.GetElapsedTime(clock) is var length && length > longest)
                longest = length;
            // A run that the user interrupts has no outcome.
            if (run is null)
                break;
            runs.Add(run);
            foreach (var test in options.Tests)
                test.Add(run.Outcome);
            var isDecided = options.Tests.Count > 0 && options.Tests.All(test => test.IsDecided);
            if (run.LoopAfterNanoseconds is not null || isDecided)
                break;
        }
        return new([.. runs], [.. options.Tests.Select(test => test.Answer)], cancellation.IsCancellationRequested)
        {
            EndedBy = endedBy,
        };

        bool HasTime() => options.Budget?.Allows(time.GetElapsedTime(began), longest, isOfLeastRuns: false) ?? true;
    }

    /// <summary>Makes one run, after healing the faults of earlier runs.</summary>
    /// <param name="run">Its number, from 0, which decides all random choices.</param>
    /// <param name="cancellation">Ends the run, which is no outcome then.</param>
    /// <returns>The run; null if it was cut short.</returns>
    /// <exception cref="BrokerException">A node cannot be reached, or the cluster does not heal.</exception>
    public Task<ClusterRunRecord?> RunAsync(int run, CancellationToken cancellation) =>
        ClusterSignals.RunAsync(Topology, run, time, () => MakeAsync(run, cancellation));

    private async Task<ClusterRunRecord?> MakeAsync(int run, CancellationToken cancellation)
    {
        await HealAsync(cancellation);
        if (options.IsMadeReady && !await IsReadyAsync(PatienceOf(run), cancellation))
            return null;
        var (now, own) = (MonotonicClock.NowNanoseconds, FleetSetup.NewPrefix());
        var prefix = Topology.Scenario.TopicPrefix + own;
        var clients = RunClients.OfRun(Topology, prefix, options.Seed, run);
        var book = RunMonitors.BookOf(Topology, NamesOf(Topology, clients), now);
        var monitors = RunMonitors.Of(Topology, Patience, TreeBound(Topology), now, Topology.Joining, book);
        var hasProbes = Topology.Brokers.Count > 1 && options.IsMadeReady;
        var faults = ScheduledFault.Of(Topology, options.Seed, run);
        var recorder = new ClusterOutcomeRecorder(
            Topology.Scenario.Settle,
            hasProbes ? TimeSpan.FromSeconds(1 / ProbesPerSecond) : null,
            monitors
        )
        {
            Convergence = new ConvergenceMonitor(Topology, Topology.Joining),
            Messages = (book, Topology.Nodes.Count),
        };
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task? stopping = null;
        sink.Begin(recorder, monitors.OfType<LoopMonitor>().Single(), prefix, () => stopping = StopAsync(ending));
        var setup = SetupOf(run, own, clients, faults, hasProbes) with
        {
            Began = start => recorder.CountsFromNanoseconds = start,
        };
        LiveClusterResult? result = null;
        try
        {
            result = await new LiveClusterRun(setup, events).RunAsync(time, ending.Token);
        }
        // Brokers that were stopped because of a loop cannot end a run in order.
        catch (Exception failure)
            when (sink.LoopNanoseconds is not null && failure is BrokerException or OperationCanceledException)
        {
            events.Flush(all: true);
        }
        if (stopping is not null)
            await stopping;
        if (cancellation.IsCancellationRequested)
            return null;
        var end = result?.EndNanoseconds ?? sink.LoopNanoseconds!.Value;
        var probesEnd = Math.Min(end, sink.FirstProbeNanoseconds + (long)Topology.Duration.TotalNanoseconds ?? end);
        var record = new ClusterRunRecord
        {
            Outcome = recorder.End(end, probesEnd, LinksAreSeen) with { Kept = result?.Kept },
            Faults = faults,
            StartNanoseconds = recorder.CountsFromNanoseconds,
            EndNanoseconds = end,
            Links = result?.Links ?? [],
            FaultLatenessNanoseconds = result?.FaultLatenessNanoseconds ?? 0,
            FaultNotes = result?.FaultNotes ?? [],
            NotBack = result?.NotBack,
            Failure = result?.Load.Failure ?? result?.NotBack ?? result?.NodeFailure,
            LoopAfterNanoseconds = sink.LoopNanoseconds - (sink.FirstPublicationNanoseconds ?? sink.LoopNanoseconds),
        };
        return WithSimulation(record, run);
    }

    private Topology Topology { get; } = TopologyOf(cluster, options);

    private TimeSpan Patience => options.Patience?.Missing ?? Drain(Topology);

    private static Topology TopologyOf(IClusterUnderTest cluster, ClusterVerificationOptions options) =>
        options.Scenario is { } scenario ? cluster.Topology with { Scenario = scenario } : cluster.Topology;

    private static ClientNames NamesOf(Topology topology, RunClients clients) =>
        clients.AreDrawn
            ? ClientNames.Of(topology, clients.PublisherNodes, clients.SubscriberNodes)
            : ClientNames.Of(topology);

    private LiveClusterSetup SetupOf(
        int run,
        string prefix,
        RunClients clients,
        IReadOnlyList<ScheduledFault> faults,
        bool hasProbes
    )
    {
        var (topology, scenario) = (Topology, Topology.Scenario);
        return new LiveClusterSetup
        {
            Cluster = cluster,
            Workload = topology.Load with { Duration = topology.Duration },
            Prefix = prefix,
            TopicPrefix = scenario.TopicPrefix,
            Seed = SeedPurpose.Verify.Seed(options.Seed) + (ulong)run,
            Faults = faults,
            HeadStart =
                scenario.Settle
                + s_headStart
                + TimeSpan.FromMicroseconds(
                    ClusterReplications.PingPhaseNanoseconds(topology, options.Seed, run) / 1000
                ),
            Drain = Patience,
            DrainOfUnowed = options.Patience?.Unowed,
            KeepsMessages = options.KeepsMessages,
            Failover = scenario.Return == ClientReturn.Next,
            Clients = clients,
            WarmUpPause = ClusterReplications.WarmUpPause(topology),
            MostPerSecond = options.MostPerSecond,
            Sessions = scenario.Sessions,
            ProbesPerSecond = hasProbes ? ProbesPerSecond : 0,
        };
    }

    // A simulated run has the same clients and faults. The reason is told where a system of our own is not simulated.
    private static (Func<int, ClusterOutcome>? Run, string? WhyNot) SimulationOf(
        Topology topology,
        bool probes,
        ulong seed
    )
    {
        try
        {
            SimulatedSystem.RequireLoad(topology);
            var system = SimulatedSystem.Of(topology);
            system.Check(topology);
            return (system.Replications(new(topology, probes, seed, Pairs: false, IsChecked: false)).Start(seed), null);
        }
        catch (InputException reason)
        {
            return (null, topology.System.IsOwn() ? reason.Message : null);
        }
    }

    // A fault that was drawn in this run may be none that the simulation knows.
    private ClusterRunRecord WithSimulation(ClusterRunRecord record, int run)
    {
        try
        {
            var (simulate, whyNot) = _simulated.Value;
            return record with { Simulated = simulate?.Invoke(run), WhyNotSimulated = whyNot };
        }
        catch (InputException reason)
        {
            return record with { WhyNotSimulated = reason.Message };
        }
    }

    private static long TreeBound(Topology topology) => ClusterCores.BoundOf(topology) + ProcessStartNanoseconds;

    // Relays see no messages between brokers that do not speak MQTT with each other.
    private bool LinksAreSeen =>
        cluster.WhyNoLinkFaults is null
        && (Topology.HasBridges || (Topology.System.IsOwn() && Topology.System != ClusterSystem.Pipeline));

    private async Task StopAsync(CancellationTokenSource ending)
    {
        // Brokers that ran before are not stopped, whatever the user's commands could do.
        if (cluster.WhyNoNodeFaults is null && Topology.System != ClusterSystem.Running)
            await Task.WhenAll(Topology.Brokers.Select(cluster.KillAsync));
        await ending.CancelAsync();
    }

    /// <summary>
    /// Ends the faults of earlier runs, and waits until every broker accepts clients but those that join later.
    /// </summary>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="BrokerException">A broker does not.</exception>
    public async Task HealAsync(CancellationToken cancellation)
    {
        foreach (var link in cluster.WhyNoLinkFaults is null ? Topology.Links : [])
            await cluster.HealAsync(link.From, link.To);
        foreach (var fault in cluster.Topology.Scenario.Faults.Where(fault => fault.IsOfClients))
        foreach (var node in fault.Candidates(cluster.Topology))
            await cluster.PartClientsAsync(node, isParted: false);
        var joining = Topology.Joining;
        for (var node = 0; node < cluster.Topology.Nodes.Count; node++)
        {
            await cluster.MendAsync(node);
            foreach (var kind in s_ofDisks.Where(kind => HasFaultOf(one => one == kind)))
            {
                if (cluster.Topology.Nodes[node].Address is null)
                    await cluster.ChangeAsync(node, kind, begins: false);
            }
            if (cluster.WhyNoNodeFaults is null && cluster.StateOf(node) is ClusterNodeState.Frozen)
                await cluster.ChangeAsync(node, FaultKind.Freeze, begins: false);
            if (cluster.WhyNoNodeFaults is not null)
                continue;
            var runs = cluster.StateOf(node) is ClusterNodeState.Running;
            if (runs && joining.Contains(node))
                await cluster.KillAsync(node);
            else if (!runs && !joining.Contains(node))
                await cluster.RestartAsync(node);
        }
        foreach (var node in Topology.Brokers.Where(node => !joining.Contains(node)))
        {
            if (await cluster.WaitReadyAsync(node, s_readyPatience, cancellation) is not { } instead)
                continue;
            var failure =
                $"Cluster {Topology.Name}: node {Topology.Nodes[node].Name} {instead}."
                // A node that has ended says why, for example that its file is damaged.
                + (cluster.FailureOf(node) is { } reason ? $" {reason}" : "");
            // A fault may have spoiled its files.
            if (!HasFaultsOfDisks || !await cluster.TryRenewAsync(node))
                throw new BrokerException(failure);
            await cluster.RestartAsync(node);
            if (await cluster.WaitReadyAsync(node, s_readyPatience, cancellation) is not null)
                throw new BrokerException(failure);
        }
    }

    private bool HasFaultsOfDisks => HasFaultOf(kind => kind.NeedsDisk() || kind.ChangesFiles());

    private bool HasFaultOf(Func<FaultKind, bool> isSought) =>
        cluster.Topology.Scenario.Faults.Any(fault => fault.KindsOf(cluster.Topology).Any(isSought));

    // Bridges connect, and clusters form, some time after their brokers accept clients.
    private async Task<bool> IsReadyAsync(TimeSpan patience, CancellationToken cancellation)
    {
        var mini = ReadyLoad(Topology.Load);
        var started = time.GetTimestamp();
        string? failure = null;
        while (time.GetElapsedTime(started) < patience)
        {
            var names = Topology.Nodes.Select(node => node.Name).ToList();
            var recorder = new ClusterOutcomeRecorder(TimeSpan.Zero, null, []);
            var (topics, prefix) = (Topology.Scenario.TopicPrefix, FleetSetup.NewPrefix());
            sink.Begin(recorder, new LoopMonitor(0, names), topics + prefix, () => { });
            var result = await new LiveClusterRun(
                new LiveClusterSetup
                {
                    Cluster = cluster,
                    Workload = mini,
                    Prefix = prefix,
                    TopicPrefix = topics,
                    // Its topics are new, and the members of each topic must agree before a message may pass.
                    Drain = TimeSpan.FromSeconds(1) + ClusterReplications.WarmUpPause(Topology),
                    ProbesPerSecond = 0,
                },
                events
            ).RunAsync(time, cancellation);
            if (cancellation.IsCancellationRequested)
                return false;
            var outcome = recorder.End(result.EndNanoseconds, result.EndNanoseconds);
            failure = result.Load.Failure;
            if (
                failure is null
                && outcome.Publications > 0
                && outcome.Deliveries >= outcome.Publications * ReceiversPerMessage(mini)
            )
                return true;
        }
        if (failure is null && IsOfUser)
            return true;
        throw new BrokerException(
            $"Cluster {Topology.Name}: messages do not reach every node within "
                + string.Create(CultureInfo.InvariantCulture, $"{s_readyPatience.TotalSeconds} s")
                + (failure is null ? "." : $": {failure}.")
        );
    }

    // Those of a message whose publisher is there, on average: clients of nodes that join later are not.
    private int ReceiversPerMessage(Workload load)
    {
        var (placement, joining) = (new ClientPlacement(Topology), Topology.Joining);
        if (joining.Count == 0)
            return load.ReceiversPerMessage;
        var there = Enumerable
            .Range(0, load.Subscribers)
            .Where(subscriber => !joining.Contains(placement.SubscriberNode(subscriber)))
            .ToHashSet();
        if (load.Shape == WorkloadShape.FanOut)
            return there.Count;
        return Enumerable
            .Range(0, load.Publishers)
            .Where(publisher => !joining.Contains(placement.PublisherNode(publisher)))
            .All(publisher => there.Contains(WorkloadTopics.Receiver(load, publisher)))
            ? load.ReceiversPerMessage
            : 0;
    }

    // Nobody but the user knows what these brokers should forward. Access lists may stop what bridges send.
    private bool IsOfUser => Topology.System is ClusterSystem.Running or ClusterSystem.Exec || Topology.HasBridges;

    // After faults of an earlier run a bridge may take long to come back.
    private TimeSpan PatienceOf(int run) =>
        !IsOfUser || (run > 0 && Topology.Scenario.Faults.Count > 0) ? s_readyPatience
        : Topology.System == ClusterSystem.Running ? s_runningPatience
        : s_commandPatience;

    // A few messages of the same shape, within the cap.
    private Workload ReadyLoad(Workload load) =>
        load with
        {
            Arrivals = ArrivalKind.Constant,
            // A single overlay may lose messages that follow the first one on a topic at once.
            MessagesPerSecond = Math.Min(
                Math.Clamp((Topology.System == ClusterSystem.SingleOverlay ? 1 : 10) * load.Publishers, 20, 1000),
                options.MostPerSecond ?? double.PositiveInfinity
            ),
            Duration = TimeSpan.FromSeconds(.5),
            WarmUp = LoadWarmUp.Lasting(TimeSpan.FromSeconds(.2)),
            OfflineShare = 0,
            Burst = null,
            PersistentSubscribers = false,
            Payload = LoadPayload.OfSize(100),
        };
}
