using System.Text.RegularExpressions;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Finds what is wrong with a topology as a whole, when each of its parts is right.</summary>
internal sealed partial class TopologyChecks(
    Topology topology,
    JsonFindings findings,
    JsonTree root,
    IReadOnlyList<JsonTree> nodes,
    IReadOnlyList<JsonTree> links
)
{
    /// <summary>Notes every finding.</summary>
    /// <param name="root">The file.</param>
    /// <param name="findings">Receives them.</param>
    /// <param name="topology">The topology that was read.</param>
    public static void Check(JsonTree root, JsonFindings findings, Topology topology)
    {
        var (nodes, links) = (PlacesOf("nodes", topology.Nodes.Count), PlacesOf("links", topology.Links.Count));
        var checks = new TopologyChecks(topology, findings, root, nodes, links);
        checks.CheckGraph();
        if (findings.Count == 0)
            checks.CheckScenario();

        // A family gives all nodes and links.
        IReadOnlyList<JsonTree> PlacesOf(string key, int count) =>
            root.Member("family") is { } family ? [.. Enumerable.Repeat(family, count)] : root.Member(key)?.Items ?? [];
    }

    private void CheckScenario()
    {
        foreach (var error in topology.Load.Validate())
            findings.Add(root.Member("workload") ?? root, "workload", error);
        if (SessionFormat.Problem(topology) is { } problem)
            findings.Add(root.Member("sessions") ?? root, problem);
        foreach (var (fault, place) in topology.Scenario.Faults.Zip(root.Member("faults")?.Items ?? []))
        foreach (var wrong in ScenarioFile.FaultProblems(topology, fault))
            findings.Add(place, $"'{place.Text}': {wrong}");
    }

    private void CheckGraph()
    {
        if (topology.Nodes.Count == 0)
        {
            findings.Add(root, "nodes", "no node given; allowed: at least one");
            return;
        }
        CheckRepeatedLinks();
        CheckConnected();
        CheckHop();
        if (topology.System.HasOverlay())
            CheckOverlay();
        switch (topology.System)
        {
            case ClusterSystem.Running:
                CheckAddresses();
                break;
            case ClusterSystem.MosquittoBridge:
                CheckAddresses();
                CheckPorts();
                break;
            case ClusterSystem.Exec:
                CheckCommands();
                break;
            case ClusterSystem.AedesRedis:
                CheckStore();
                break;
            case ClusterSystem.Pipeline:
                CheckLogAndStore();
                break;
        }
    }

    private void CheckRepeatedLinks()
    {
        // A broker may open several bridges to another one, each with topics of its own.
        if (topology.System == ClusterSystem.MosquittoBridge)
            return;
        var seen = new Dictionary<(int, int), int>();
        for (var link = 0; link < topology.Links.Count; link++)
        {
            var (from, to) = (topology.Links[link].From, topology.Links[link].To);
            var key = from < to ? (from, to) : (to, from);
            if (!seen.TryAdd(key, links[link].Line))
                findings.Add(
                    links[link],
                    $"the link between {Name(from)} and {Name(to)} is named a second time, first in line "
                        + FormattableString.Invariant($"{seen[key]}; allowed: each link once")
                );
        }
    }

    private void CheckHop()
    {
        if (
            topology.Hop is PeerHopMode.Transport417 or PeerHopMode.Transport418
            && !topology.System.Has(SystemTraits.PlainHops)
        )
            findings.Add(
                root.Member("hop")!,
                $"a system '{topology.System.Name()}' has no transport as its hop; allowed: with 'spanning-tree' and "
                    + "'flood', and the system 'transport', which names its design by the key transport"
            );
        if (topology is { IsInBand: true, HasTransport: true })
            findings.Add(
                root.Member("signalling")!,
                "\"in-band\" given with a transport as the hop, which has frames of its own; allowed: with the hops "
                    + "\"qos0\", \"qos1\" and \"qos2\""
            );
    }

    private void CheckConnected()
    {
        if (topology.System == ClusterSystem.Running && topology.Links.Count == 0)
            return;
        var reached = new HashSet<int> { 0 };
        var waiting = new Queue<int>(reached);
        while (waiting.TryDequeue(out var node))
        {
            foreach (var link in topology.Links.Where(link => link.From == node || link.To == node))
            {
                var other = link.From == node ? link.To : link.From;
                if (reached.Add(other))
                    waiting.Enqueue(other);
            }
        }
        for (var node = 0; node < topology.Nodes.Count; node++)
        {
            // Servers of a Redis Cluster say where the others are, so that no relay could stand in a link.
            if (topology.Nodes[node].Kind == NodeKind.Store && topology.Pipeline.HasRedisCluster)
                continue;
            if (!reached.Contains(node))
                findings.Add(nodes[node], $"no links lead from {Name(0)} to {Name(node)}; allowed: a connected graph");
        }
    }

    private void CheckAddresses()
    {
        var seen = new Dictionary<string, string>();
        for (var node = 0; node < topology.Nodes.Count; node++)
        {
            var text = topology.Nodes[node].Address;
            if (text is null && topology.System != ClusterSystem.Running)
                continue;
            if (text is null)
                findings.Add(nodes[node], $"{nodes[node].Path}.address", $"the key is missing; allowed: {Addresses}");
            else if (
                !Uri.TryCreate(text, UriKind.Absolute, out var address)
                || DefaultPort(address.Scheme) is not { } port
                || address.Host.Length == 0
                || address.UserInfo.Length > 0
            )
                findings.Add(nodes[node].Member("address")!, $"no address of a broker given; allowed: {Addresses}");
            else
            {
                var place = FormattableString.Invariant(
                    $"{address.DnsSafeHost}:{(address.Port < 0 ? port : address.Port)}"
                );
                if (!seen.TryAdd(place, Name(node)))
                    findings.Add(
                        nodes[node].Member("address")!,
                        $"{place} is the address of node {seen[place]} too; allowed: another one for each node"
                    );
                if (address.Scheme is "mqtt" or "ws")
                    CheckNoTls(nodes[node]);
            }
        }
    }

    private void CheckNoTls(JsonTree node)
    {
        foreach (var given in s_tlsKeys.Select(node.Member).OfType<JsonTree>())
            findings.Add(given, "given for an address without TLS; allowed: with mqtts:// or wss://");
    }

    private static readonly string[] s_tlsKeys = ["caFile", "serverName", "clientCert", "clientKey"];

    private const string Addresses = "mqtt://HOST:PORT, mqtts://, ws:// or wss://, without credentials";

    private static int? DefaultPort(string scheme) =>
        scheme switch
        {
            "mqtt" => 1883,
            "mqtts" => 8883,
            "ws" => 80,
            "wss" => 443,
            _ => null,
        };

    private void CheckCommands()
    {
        var peers = new Dictionary<int, List<int>>();
        for (var node = 0; node < topology.Nodes.Count; node++)
        {
            peers[node] = [];
            if (topology.Nodes[node].Command is not { } command)
            {
                findings.Add(nodes[node], $"{nodes[node].Path}.command", "the key is missing; allowed: a command line");
                continue;
            }
            var tree = nodes[node].Member("command") ?? root.Member("command")!;
            CheckPort(command, tree);
            foreach (var name in PeerPlace().Matches(command).Select(match => match.Groups[1].Value))
                AddPeer(node, name, tree, peers[node]);
        }
        if (findings.Count == 0 && Cycle(peers) is { } cycle)
            findings.Add(
                nodes[cycle[0]].Member("command") ?? nodes[cycle[0]],
                $"each of {string.Join(" -> ", cycle.Select(Name))} needs the address of the next before it starts; "
                    + "allowed: peers without a cycle"
            );
    }

    private void CheckPorts()
    {
        foreach (var (node, tree) in topology.Nodes.Zip(nodes))
            if (node.Command is { } command)
                CheckPort(command, tree.Member("command")!);
    }

    private void CheckPort(string command, JsonTree tree)
    {
        if (!command.Contains("{port}", StringComparison.Ordinal))
            findings.Add(tree, "the command does not say where the port goes; allowed: a command with {port}");
    }

    private void AddPeer(int node, string name, JsonTree tree, List<int> peers)
    {
        var peer = topology.NodeIndex(name);
        if (peer < 0 || topology.LinksBetween(node, peer).Count == 0)
        {
            var linked = Enumerable
                .Range(0, topology.Nodes.Count)
                .Where(other => topology.LinksBetween(node, other).Count > 0)
                .Select(Name);
            findings.Add(
                tree,
                $"{{peer:{name}}} of node {Name(node)} is no node that it is linked with; allowed: "
                    + string.Join(", ", linked.DefaultIfEmpty("none"))
            );
            return;
        }
        peers.Add(peer);
    }

    // The nodes of a cycle, with the first at the end again.
    private static List<int>? Cycle(Dictionary<int, List<int>> peers)
    {
        var finished = new HashSet<int>();
        foreach (var start in peers.Keys)
        {
            if (Visit(start, []) is { } cycle)
                return cycle;
        }
        return null;

        List<int>? Visit(int node, List<int> path)
        {
            if (path.IndexOf(node) is >= 0 and var at)
                return [.. path[at..], node];
            if (finished.Contains(node))
                return null;
            path.Add(node);
            foreach (var peer in peers[node])
            {
                if (Visit(peer, path) is { } cycle)
                    return cycle;
            }
            path.RemoveAt(path.Count - 1);
            finished.Add(node);
            return null;
        }
    }

    private void CheckStore()
    {
        var stores = topology.Nodes.Count(node => node.Kind == NodeKind.Store);
        if (stores != 1 || topology.Brokers.Count == 0 || topology.Nodes.Any(node => node.Kind == NodeKind.Log))
        {
            findings.Add(
                root.Member("nodes") ?? root,
                FormattableString.Invariant($"{stores} stores and {topology.Brokers.Count} brokers given; ")
                    + "allowed: one node of kind \"store\" and brokers"
            );
            return;
        }
        for (var link = 0; link < topology.Links.Count; link++)
        {
            if (topology.Nodes[topology.Links[link].To].Kind != NodeKind.Store)
                findings.Add(links[link], "the link does not lead to the store; allowed: [broker, store]");
        }
    }

    private void CheckOverlay()
    {
        if (topology.Overlay.Topics is not null && topology.Sites.Count > 0)
            findings.Add(
                root.Member("sites")!,
                "clients that draw their topics draw their nodes too; allowed: sites without overlay.topics"
            );
        for (var node = 0; topology.System == ClusterSystem.TopicOverlay && node < topology.Nodes.Count; node++)
        for (var other = 0; other < node; other++)
            if (topology.LinksBetween(node, other).Count == 0)
                findings.Add(
                    nodes[node],
                    $"no link joins {Name(other)} and {Name(node)}; allowed: links between all pairs of nodes, since "
                        + "the brokers of a topic are any of them"
                );
    }

    private void CheckLogAndStore()
    {
        if (PipelineNodes.Problem(topology) is { } problem)
            findings.Add(root.Member("nodes") ?? root, problem);
        for (var link = 0; link < topology.Links.Count; link++)
        {
            var (from, to) = (topology.Nodes[topology.Links[link].From], topology.Nodes[topology.Links[link].To]);
            if (from.Kind != NodeKind.Broker || to.Kind == NodeKind.Broker)
                findings.Add(
                    links[link],
                    "the link does not lead from a broker to the log or the store; allowed: [broker, log] or "
                        + "[broker, store]"
                );
            else if (to.Kind == NodeKind.Store && topology.Pipeline.HasRedisCluster)
                findings.Add(
                    links[link],
                    $"the link leads to {to.Name}, a server of a Redis Cluster, which is reached without links; "
                        + "allowed: [broker, log]"
                );
        }
    }

    private string Name(int node) => topology.Nodes[node].Name;

    [GeneratedRegex(@"\{peer:([^}]*)\}")]
    private static partial Regex PeerPlace();
}
