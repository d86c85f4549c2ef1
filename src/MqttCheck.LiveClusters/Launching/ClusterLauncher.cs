using System.Net;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.LiveClusters.Disks;
using MqttCheck.LiveClusters.Links;
using MqttCheck.LiveClusters.Nodes;
using MqttCheck.LiveClusters.Recipes;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>Starts the nodes of a cluster with relays between them, or reaches those that run.</summary>
/// <param name="options">The options of the brokers and links.</param>
internal sealed class ClusterLauncher(ClusterLaunchOptions options)
{
    /// <summary>
    /// Starts a cluster, and returns when every node accepts a client. Disposing the result ends every process, and
    /// removes every file.
    /// </summary>
    /// <param name="topology">The cluster, valid.</param>
    /// <param name="cancellation">Gives up; what was started is stopped first.</param>
    /// <exception cref="BrokerException">
    /// A program is not installed, a node does not start, or it never becomes ready; nothing is left then.
    /// </exception>
    /// <exception cref="InputException">Nodes cannot be started as the topology says.</exception>
    public Task<IClusterUnderTest> StartAsync(Topology topology, CancellationToken cancellation) =>
        StartAsync(topology, [], cancellation);

    /// <summary>Starts, or reaches, the cluster that a user named as a broker.</summary>
    /// <param name="specification">
    /// A broker of kind <see cref="BrokerKind.Cluster"/>, or one that consists of several programs.
    /// </param>
    /// <param name="cancellation">Gives up; what was started is stopped first.</param>
    /// <exception cref="BrokerException">
    /// A program is not installed, a node does not start, or it never becomes ready; nothing is left then.
    /// </exception>
    /// <exception cref="InputException">The file is wrong, or nodes cannot be started as it says.</exception>
    public Task<IClusterUnderTest> StartAsync(BrokerSpecification specification, CancellationToken cancellation) =>
        specification.Nodes.Count > 0 ? RunningCluster.ReachAsync(specification, options, cancellation)
        // Nothing happens to its links, so no relay takes time in them.
        : specification.Kind.IsComposed()
            ? new ClusterLauncher(options with { HasRelays = false }).StartAsync(
                SingleBroker.TopologyOf(specification),
                cancellation
            )
        : StartAsync(ClusterInput.Topology(specification.Topology), cancellation);

    /// <summary>Starts a cluster of which some nodes join later.</summary>
    /// <param name="topology">The cluster, valid.</param>
    /// <param name="later">The indexes of nodes that are not started.</param>
    /// <param name="cancellation">Gives up; what was started is stopped first.</param>
    /// <exception cref="BrokerException">
    /// A program is not installed, a node does not start, or it never becomes ready; nothing is left then.
    /// </exception>
    /// <exception cref="InputException">Nodes cannot be started as the topology says.</exception>
    public async Task<IClusterUnderTest> StartAsync(
        Topology topology,
        IReadOnlyCollection<int> later,
        CancellationToken cancellation
    )
    {
        if (topology.System == ClusterSystem.Running)
            return await RunningCluster.ReachAsync(topology, options, cancellation);
        topology = DiskNeeds.WithMixes(topology);
        var disks = DiskNeeds.Of(topology);
        var recipe = ClusterRecipes.Of(topology, options.Brokers, options.NodeProgram, options.Configurations);
        if (
            recipe.WhyNoLeave is { } why
            && topology.Scenario.Faults.FirstOrDefault(fault => fault.Kind == FaultKind.Leave) is { } leave
        )
            throw new InputException($"{topology.Name}: fault '{leave}' cannot be made: {why}; allowed: stop.");
        var found = await recipe.DescribeAsync(topology, cancellation);
        var description = found with { Name = topology.Broker ?? $"cluster:{topology.Name}" };
        var cluster = Prepare(topology, recipe, description, await RemotesAsync(topology, cancellation));
        try
        {
            foreach (var node in disks)
                await cluster.MakeDiskAsync(node);
            await StartNodesAsync(cluster, recipe, later, cancellation);
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    // Brokers that run already, to which bridges lead.
    private async Task<RemoteBroker?[]> RemotesAsync(Topology topology, CancellationToken cancellation)
    {
        var remotes = new RemoteBroker?[topology.Nodes.Count];
        foreach (var (index, node) in topology.Nodes.Index().Where(node => node.Item.Address is not null))
        {
            var (broker, access) = RunningNodes.Of(topology, node, options.Brokers);
            if (broker.Transport != BrokerTransport.Tcp)
                throw new InputException(
                    $"{topology.Name}: node {node.Name} is at {node.Address}, and relays read what bridges send; "
                        + "allowed: mqtt://HOST:PORT."
                );
            remotes[index] = await RemoteBroker.ReachAsync(broker, access, cancellation);
        }
        return remotes;
    }

    private static Dictionary<int, Credentials> LoginsAt(IEnumerable<RemoteBroker?> remotes)
    {
        var logins = new Dictionary<int, Credentials>();
        foreach (var (node, remote) in remotes.Index())
            if (remote?.Credentials is { } login)
                logins[node] = login;
        return logins;
    }

    private LaunchedCluster Prepare(
        Topology topology,
        IClusterRecipe recipe,
        BrokerDescription description,
        RemoteBroker?[] remotes
    )
    {
        var count = topology.Nodes.Count;
        var ports = Enumerable.Range(0, count).Select(_ => new PortReservation()).ToArray();
        var common = recipe.HasCommonPeerPort ? new PortReservation() : null;
        PortReservation?[] peerPorts = [.. ports.Select(_ => common ?? PeerPort())];
        var started = WithMulticast(topology, ports[0].Port);
        var links = new LinkLoop(options.Observer);
        var relays = Relays(
            links.Network,
            topology,
            recipe,
            common?.Port ?? 0,
            [.. ports.Select((port, node) => remotes[node]?.Address ?? PeerAddress(node, peerPorts[node] ?? port))]
        );
        links.Start();
        var directory = new ClusterDirectory();
        return new LaunchedCluster(
            topology,
            recipe,
            description,
            directory,
            links,
            [
                .. Enumerable
                    .Range(0, count)
                    .Select(node => new ClusterNode(
                        recipe,
                        new ClusterNodePlan
                        {
                            Topology = started,
                            Index = node,
                            Directory = directory.OfNode(topology.Nodes[node].Name),
                            Port = ports[node].Port,
                            PeerPort = peerPorts[node]?.Port ?? 0,
                            Remote = remotes[node],
                            PeerLogins = LoginsAt(remotes),
                            Peers = relays[node],
                        },
                        ports[node],
                        peerPorts[node]
                    )),
            ],
            ReadNotes(topology, recipe, directory)
        )
        {
            Warned = options.Warned,
            Clients = ClientRelays.Of(topology, node => remotes[node]?.Address ?? ports[node].Address, options.Seed),
            Failover = options.Brokers.Failover,
        };

        PortReservation? PeerPort() => recipe.HasPeerPorts ? new() : null;
        IPEndPoint PeerAddress(int node, PortReservation port) => new(recipe.PeerAddress(node), port.Port);
    }

    // Two clusters that run at one time have different TCP ports, and so different groups.
    private static Topology WithMulticast(Topology topology, int port) =>
        topology.Overlay is { Multicast: null, AnnouncesOnLinks: false } overlay && topology.System.IsOverlay()
            ? topology with
            {
                Overlay = overlay with { Multicast = MulticastGroup.Default with { Port = port } },
            }
            : topology;

    // The address at which each node finds the relay of each other one.
    private Dictionary<int, IPEndPoint>[] Relays(
        LinkNetwork network,
        Topology topology,
        IClusterRecipe recipe,
        int relayPort,
        IReadOnlyList<IPEndPoint> targets
    )
    {
        var relays = targets.Select(_ => new Dictionary<int, IPEndPoint>()).ToArray();
        foreach (var (from, to) in recipe.Connections(topology))
        {
            if (!options.HasRelays || !recipe.HasRelay(topology, to))
            {
                relays[from][to] = targets[to];
                continue;
            }
            network.Add(from, to, LaunchedCluster.LawOf(topology, from, to), options.Seed);
            relays[from][to] = network.Listen(from, to, new IPEndPoint(recipe.RelayAddress(from, to), relayPort));
            network.SetTarget(from, to, targets[to]);
        }
        return relays;
    }

    // Reads the notes of MqttCheck's own nodes.
    private NoteReader? ReadNotes(Topology topology, IClusterRecipe recipe, ClusterDirectory directory) =>
        recipe is OwnNodeRecipe && options.Notes is { } notes
            ? new NoteReader(
                [.. topology.Nodes.Select(node => OwnNodeRecipe.NotesOf(directory.OfNode(node.Name)))],
                note => notes.Add(note)
            )
            : null;

    private async Task StartNodesAsync(
        LaunchedCluster cluster,
        IClusterRecipe recipe,
        IReadOnlyCollection<int> later,
        CancellationToken cancellation
    )
    {
        var topology = cluster.Topology;
        var connections = recipe.Connections(topology).ToList();
        var order = InOrder(topology.Nodes.Count, connections)
            .Where(node => !later.Contains(node) && recipe.Starts(topology, node))
            .ToList();
        foreach (var node in order)
        {
            await cluster.ChangeAsync(node, FaultKind.Join, begins: true);
            if (recipe.StartsInOrder)
                await ReadyAsync(cluster, node, cancellation);
        }
        if (!recipe.StartsInOrder)
        {
            foreach (var node in order)
                await ReadyAsync(cluster, node, cancellation);
        }
        if (!recipe.HasBridges)
            return;
        foreach (var (from, to) in connections.Where(pair => !later.Contains(pair.From) && !later.Contains(pair.To)))
        {
            if (!await cluster.WaitBridgeAsync(from, to, options.Brokers.StartTimeout, cancellation))
                throw new BrokerException(
                    $"Cluster {topology.Name}: the bridge from {topology.Nodes[from].Name} to "
                        + $"{topology.Nodes[to].Name} was not accepted within "
                        + $"{options.Brokers.StartTimeout.TotalSeconds:0.#} s; see its topics."
                );
        }
    }

    private async Task ReadyAsync(LaunchedCluster cluster, int node, CancellationToken cancellation)
    {
        var timeout = options.Brokers.StartTimeout;
        if (await cluster.WaitReadyAsync(node, timeout, cancellation) is not { } problem)
            return;
        var name = cluster.Topology.Nodes[node].Name;
        throw new BrokerException(
            cluster.FailureOf(node)
                ?? $"Cluster {cluster.Topology.Name}: node {name} does not accept a client within "
                    + $"{timeout.TotalSeconds:0.#} s: it {problem}. {cluster.OutputOf(node)}"
        );
    }

    // A node comes after the nodes that it connects to, as far as there is no cycle. Ties keep the order of the file.
    private static List<int> InOrder(int count, List<(int From, int To)> connections)
    {
        var (order, visited) = (new List<int>(), new bool[count]);
        for (var node = 0; node < count; node++)
            Visit(node);
        return order;

        void Visit(int node)
        {
            if (visited[node])
                return;
            visited[node] = true;
            foreach (var (_, to) in connections.Where(pair => pair.From == node))
                Visit(to);
            order.Add(node);
        }
    }
}
