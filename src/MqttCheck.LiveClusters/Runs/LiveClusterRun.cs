using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.LiveClusters.Launching;
using MqttCheck.LiveClusters.Runs.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.LiveClusters.Runs;

/// <summary>
/// One live run on a cluster: the clients of a load, probes between all nodes, and faults, whose events go to
/// <see cref="LiveClusterEvents"/>.
/// </summary>
/// <param name="setup">The setup of the run.</param>
/// <param name="events">Takes the events; the cluster was started with it.</param>
internal sealed class LiveClusterRun(LiveClusterSetup setup, LiveClusterEvents events)
{
    private static readonly TimeSpan FlushInterval = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan ProbePatience = TimeSpan.FromSeconds(30);

    // Nodes are down on purpose: only a cluster that is gone for so long ends a run early.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private const ulong PhaseStream = 0x7068617365;

    private readonly LoadTopics _topics = setup.Clients is { AreDrawn: true } drawn
        ? LoadTopics.Shared(drawn.Topics, drawn.Filters)
        : TopicsAt(setup);

    private readonly TaskCompletionSource<(long Start, long End)> _began = new(
        TaskCreationOptions.RunContinuationsAsynchronously
    );

    /// <summary>Runs, and returns when everything has arrived or the drain is over.</summary>
    /// <param name="time">The clock that payloads take their time from.</param>
    /// <param name="cancellation">Ends the run in order; the result says that it was interrupted.</param>
    /// <exception cref="BrokerException">
    /// Clients cannot connect, or a fault cannot be made.
    /// </exception>
    /// <exception cref="InputException">The load is invalid, or the brokers offer less than it needs.</exception>
    public async Task<LiveClusterResult> RunAsync(TimeProvider time, CancellationToken cancellation)
    {
        var (cluster, workload) = (setup.Cluster, setup.Workload);
        events.Begin(workload, setup.TopicPrefix, setup.Prefix, _topics);
        var before = await CountersAsync();
        await using var probes = await StartProbesAsync(cancellation);
        await using var sessions = await StartSessionsAsync(cancellation);
        await using var keepers = await StartKeepersAsync(cancellation);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        var faults = new FaultSchedule(cluster, setup.Faults, events);
        var load = Task.Factory.StartNew(
            () => new LoadRun(Load(), sink: null, time).Run(cancellation),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        var breaking = Task.Run(
            () => BreakAsync(faults, probes, sessions, keepers, load, ending.Token),
            CancellationToken.None
        );
        try
        {
            while (!load.IsCompleted)
            {
                await Task.WhenAny(load, Task.Delay(FlushInterval, CancellationToken.None));
                events.Flush(all: false);
            }
            var result = await load;
            await ending.CancelAsync();
            await breaking;
            await faults.FinishAsync();
            var kept = keepers is null || cancellation.IsCancellationRequested ? null : await keepers.EndAsync();
            return new LiveClusterResult
            {
                Load = result,
                Links = await TrafficAsync(before),
                FaultLatenessNanoseconds = faults.LatestNanoseconds,
                Kept = kept,
                EndNanoseconds = MonotonicClock.NowNanoseconds,
                NodeFailure = cluster.Failure,
                FaultNotes = faults.Notes,
                NotBack = faults.NotBack.Count > 0 ? string.Join(' ', faults.NotBack) : null,
            };
        }
        finally
        {
            await ending.CancelAsync();
            events.Flush(all: true);
        }
    }

    private void Begin(long start, long end)
    {
        setup.Began?.Invoke(start);
        _began.TrySetResult((start, end));
    }

    private static LoadTopics TopicsAt(LiveClusterSetup setup)
    {
        var placement = new ClientPlacement(setup.Cluster.Topology);
        return setup.Cluster.Topology.Sites.Any(site => site.TopicPrefix is not null)
            ? LoadTopics.Renamed(
                setup.Workload,
                setup.TopicPrefix,
                setup.Prefix,
                placement.PublisherPrefix,
                placement.SubscriberPrefix
            )
            : LoadTopics.Of(setup.Workload, setup.Topics);
    }

    private async Task<ProbeMesh?> StartProbesAsync(CancellationToken cancellation)
    {
        if (setup.ProbesPerSecond <= 0 || setup.Cluster.Topology.Brokers.Count < 2)
            return null;
        var probes = new ProbeMesh(
            setup.Cluster,
            setup.Topics,
            setup.Prefix,
            setup.ProbesPerSecond,
            setup.Workload.Qos == QualityOfService.AtMostOnce
                ? QualityOfService.AtMostOnce
                : QualityOfService.AtLeastOnce,
            LoadClients,
            Joining,
            events
        );
        try
        {
            await probes.ConnectAsync(ProbePatience, cancellation);
            return probes;
        }
        catch
        {
            await probes.DisposeAsync();
            throw;
        }
    }

    private int LoadClients => setup.Workload.Publishers + setup.Workload.Subscribers;

    private IReadOnlySet<int> Joining { get; } = setup.Cluster.Topology.Joining;

    private async Task<SessionMesh?> StartSessionsAsync(CancellationToken cancellation)
    {
        if (setup.Sessions == SessionLoad.None)
            return null;
        var sessions = new SessionMesh(
            setup.Cluster,
            setup.Sessions,
            setup.Topics,
            setup.Prefix,
            // Each node has the number of a probe client.
            LoadClients + setup.Cluster.Topology.Nodes.Count,
            Joining,
            events
        )
        {
            Drain = setup.DrainOfUnowed ?? SessionMesh.UsualDrain,
        };
        try
        {
            await sessions.ConnectAsync(ProbePatience, cancellation);
            return sessions;
        }
        catch
        {
            await sessions.DisposeAsync();
            throw;
        }
    }

    private async Task<KeeperMesh?> StartKeepersAsync(CancellationToken cancellation)
    {
        if (!setup.KeepsMessages)
            return null;
        var keepers = new KeeperMesh(setup.Cluster, setup.Topics, setup.Prefix, Joining, setup.Drain);
        try
        {
            await keepers.ConnectAsync(ProbePatience, cancellation);
            return keepers;
        }
        catch
        {
            await keepers.DisposeAsync();
            throw;
        }
    }

    private async Task BreakAsync(
        FaultSchedule faults,
        ProbeMesh? probes,
        SessionMesh? sessions,
        KeeperMesh? keepers,
        Task load,
        CancellationToken cancellation
    )
    {
        if (await Task.WhenAny(_began.Task, load) == load)
            return;
        var (start, end) = await _began.Task;
        probes?.Begin(start, end);
        sessions?.Begin(start, end);
        keepers?.Begin(start, end);
        // Faults have a thread of their own, so that they are on time even if the thread pool is busy.
        await Task.Factory.StartNew(
            () => faults.Run(start, cancellation),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        try
        {
            var left = end - MonotonicClock.NowNanoseconds;
            if (left > 0)
                await Task.Delay(TimeSpan.FromMicroseconds(left / 1000), cancellation);
        }
        catch (OperationCanceledException)
        {
            // Cancellation ends the run early.
        }
        await Task.WhenAll(probes?.EndAsync() ?? Task.CompletedTask, sessions?.EndAsync() ?? Task.CompletedTask);
    }

    private LoadSetup Load()
    {
        var (cluster, topology) = (setup.Cluster, setup.Cluster.Topology);
        var placement = new ClientPlacement(topology);
        var places = topology.Brokers.Index().ToDictionary(broker => broker.Item, broker => broker.Index);
        // Clients of a site have a way of their own to the node.
        var sites = topology
            .Sites.Select(site => (Site: site, Endpoint: cluster.EndpointOf(site)))
            .Where(way => way.Endpoint is not null)
            .ToList();
        int[] nodes = [.. topology.Brokers, .. sites.Select(way => way.Site.Node)];
        var drawn = setup.Clients is { AreDrawn: true } clients ? clients : null;
        int PlaceOf(TopologySite? site, int node) =>
            sites.FindIndex(way => ReferenceEquals(way.Site, site)) is >= 0 and var way
                ? places.Count + way
                : places[node];
        return new LoadSetup
        {
            Workload = setup.Workload,
            Endpoint = cluster.Endpoints[0],
            Nodes = new LoadNodes
            {
                Endpoints = [.. cluster.Endpoints, .. sites.Select(way => way.Endpoint!)],
                Logins = [.. nodes.Select(cluster.CredentialsOf)],
                OfPublisher = publisher =>
                    drawn is null
                        ? PlaceOf(placement.PublisherSite(publisher), placement.PublisherNode(publisher))
                        : places[drawn.PublisherNodes[publisher]],
                OfSubscriber = subscriber =>
                    drawn is null
                        ? PlaceOf(placement.SubscriberSite(subscriber), placement.SubscriberNode(subscriber))
                        : places[drawn.SubscriberNodes[subscriber]],
                JoinsLater = place => Joining.Contains(nodes[place]),
                Failover = setup.Failover,
            },
            Topics = _topics,
            Observer = new LoadEvents(events, setup.Workload, _topics, nodes, Begin),
            Credentials = cluster.Credentials,
            MostPerSecond = setup.MostPerSecond,
            Version = setup.Workload.Version ?? ProtocolVersion.V311,
            Prefix = setup.Prefix,
            Seed = setup.Seed,
            // The phase is random, because with a constant rate a fault would otherwise hit the same message in every
            // run.
            ArrivalPhase = RandomStream.For(setup.Seed, PhaseStream).NextDouble(),
            HeadStart = setup.HeadStart,
            DrainOfUnowed = setup.DrainOfUnowed,
            WarmUpPause = setup.WarmUpPause,
            Drain = setup.Drain,
            ConnectPatience = Patience,
        };
    }

    private async Task<List<LinkTraffic>> CountersAsync()
    {
        var traffic = new List<LinkTraffic>();
        foreach (var (from, to) in Directions())
        {
            var counters = await setup.Cluster.CountersAsync(from, to);
            traffic.Add(new LinkTraffic(from, to, counters, counters));
        }
        return traffic;
    }

    private async Task<List<LinkTraffic>> TrafficAsync(List<LinkTraffic> before)
    {
        var traffic = new List<LinkTraffic>();
        foreach (var link in before)
            traffic.Add(link with { After = await setup.Cluster.CountersAsync(link.From, link.To) });
        return traffic;
    }

    private IEnumerable<(int From, int To)> Directions() =>
        setup
            .Cluster.Topology.Links.SelectMany<TopologyLink, (int, int)>(link =>
                [(link.From, link.To), (link.To, link.From)]
            )
            .Distinct();
}
