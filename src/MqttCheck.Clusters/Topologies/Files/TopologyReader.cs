using System.Text.Json;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>Turns a JSON value into a topology and notes every finding on the way.</summary>
internal sealed class TopologyReader
{
    /// <summary>The names of <see cref="TreeRules"/>.</summary>
    internal static readonly string[] Rules = ["safe", "paper", "silent"];

    /// <summary>The names of <see cref="PeerHopMode"/>.</summary>
    internal static readonly string[] Hops = ["qos0", "qos1", "qos2", "transport-4.17", "transport-4.18"];

    /// <summary>The names of <see cref="NodeKind"/>.</summary>
    internal static readonly string[] Kinds = ["broker", "store", "log"];

    private readonly JsonObjectReader _reader;
    private readonly JsonFindings _findings;
    private readonly string _source;
    private readonly ClusterSystem _system;
    private readonly List<TopologyNode> _nodes = [];
    private readonly List<JsonTree> _nodeTrees = [];
    private readonly List<TopologyLink> _links = [];
    private readonly List<JsonTree> _linkTrees = [];

    /// <summary>A reader of one topology.</summary>
    public TopologyReader(JsonTree tree, JsonFindings findings, string source)
    {
        (_reader, _findings, _source) = (new JsonObjectReader(tree, findings), findings, source);
        var system = _reader.Required("system", string.Join(", ", ClusterSystems.Names));
        _system = (ClusterSystem)ScenarioReader.Choice(system, findings, ClusterSystems.Names);
    }

    private bool IsBridge => _system == ClusterSystem.MosquittoBridge;

    /// <summary>Reads it.</summary>
    /// <returns>The topology, whose parts may be stand-ins after a finding.</returns>
    public Topology Read()
    {
        _reader.Optional("$schema");
        var topology = new Topology
        {
            Name = ScenarioReader.Name(_reader, _findings),
            Description = _reader.Text("description", ""),
            System = _system,
            Nodes = _nodes,
            Links = _links,
            Rules = (TreeRules)ScenarioReader.Choice(ForOwn("rules"), _findings, Rules),
            Hop = ForOwn("hop") is { } hop
                ? (PeerHopMode)ScenarioReader.Choice(hop, _findings, Hops)
                : PeerHopMode.Qos2,
            KeepAliveSeconds = KeepAlive(),
            Overlay = OverlayReader.Read(_reader.Optional("overlay"), _system, _findings),
            HasIds = ForOwn("ids") is null || _reader.Flag("ids"),
            StreamReplicas = ForSystem(_reader, "streamReplicas", ClusterSystem.Nats) is { } replicas
                ? JsonObjectReader.Integer(replicas, 1, 5, _findings)
                : null,
            Pipeline = PipelineReader.Read(ForSystem(_reader, "pipeline", ClusterSystem.Pipeline), _findings),
            IsPersistent =
                ForSystem(_reader, "persistence", ClusterSystem.MosquittoBridge) is null || _reader.Flag("persistence"),
        };
        topology = topology with { Transport = ReadTransport(topology.HasTransport) };
        ReadGraph();
        var sites = ReadSites();
        var (scenario, faults) = ScenarioReader.Read(_reader, _findings, _source);
        _reader.End();
        topology = topology with { Sites = sites, Scenario = scenario };
        if (_findings.Count == 0)
        {
            new TopologyChecks(topology, _findings, _reader.Tree, _nodeTrees, _linkTrees).Check();
            CheckScenario(topology, faults);
        }
        return topology;
    }

    private void CheckScenario(Topology topology, IReadOnlyList<JsonTree> faults)
    {
        if (_findings.Count > 0)
            return;
        foreach (var error in topology.Load.Validate())
            _findings.Add(_reader.Tree.Member("workload") ?? _reader.Tree, "workload", error);
        for (var fault = 0; fault < faults.Count; fault++)
        {
            foreach (var problem in ScenarioFile.FaultProblems(topology, topology.Scenario.Faults[fault]))
                _findings.Add(faults[fault], $"'{faults[fault].Text}': {problem}");
        }
    }

    private TransportSettings ReadTransport(bool hasTransport)
    {
        var value = _reader.Optional("transport");
        if (value is not null && !hasTransport)
            _findings.Add(
                value,
                $"a system '{_system.Name()}' has no such setting; allowed: with '{ClusterSystem.Transport.Name()}', "
                    + $"or with hop \"{Hops[^2]}\" or \"{Hops[^1]}\""
            );
        return TransportReader.Read(value, _system != ClusterSystem.Transport, _findings);
    }

    private JsonTree? ForOwn(string key)
    {
        var value = _reader.Optional(key);
        if (value is not null && !_system.IsOwn())
        {
            var own = Enum.GetValues<ClusterSystem>().Where(system => system.IsOwn()).Select(ClusterSystems.Name);
            _findings.Add(
                value,
                $"a system '{_system.Name()}' has no such setting; allowed: with {string.Join(", ", own)}"
            );
        }
        return value;
    }

    private double KeepAlive()
    {
        // A bridge takes at least five seconds; without the key it keeps its own default of a minute.
        if (IsBridge)
            return _reader.Number("keepAliveSeconds", 5, 65_535, 60);
        return ForOwn("keepAliveSeconds") is { } value ? JsonObjectReader.Number(value, 0.01, 3600, _findings) : 2;
    }

    private void ReadGraph()
    {
        var command = ForSystem(_reader, "command", ClusterSystem.Exec);
        if (_reader.Optional("family") is { } family)
        {
            var sample = ReadWay(_reader, new TopologyLink { From = 0, To = 1 });
            if (family.Type == JsonTokenType.String && TopologyFamily.TryParse(family.Text, out var graph))
            {
                var made = graph.ToTopology(_system, sample);
                _nodes.AddRange(made.Nodes.Select(node => node with { Command = command?.Text }));
                _links.AddRange(made.Links);
                _nodeTrees.AddRange(made.Nodes.Select(_ => family));
                _linkTrees.AddRange(made.Links.Select(_ => family));
            }
            else
            {
                _findings.Add(family, $"{family.Given} given; allowed: {TopologyFamily.Forms}");
            }
            return;
        }
        foreach (var tree in _reader.Array("nodes", "an array of nodes, or the key family instead"))
        {
            _nodes.Add(ReadNode(tree, command?.Text));
            _nodeTrees.Add(tree);
        }
        if (_nodes.Count > Topology.MostNodes)
            _findings.Add(_reader.Tree.Member("nodes")!, $"{_nodes.Count} nodes given; allowed: {Topology.MostNodes}");
        foreach (var tree in _reader.Optional("links") is null ? [] : _reader.Array("links", "an array of links"))
        {
            if (ReadLink(tree) is not { } link)
                continue;
            _links.Add(link);
            _linkTrees.Add(tree);
        }
    }

    private TopologyNode ReadNode(JsonTree tree, string? command)
    {
        var reader = new JsonObjectReader(tree, _findings);
        var name = reader.Text("name", null);
        if (tree.Member("name") is { Type: JsonTokenType.String } given)
        {
            if (!TopologyNames.IsNode(name))
                _findings.Add(given, $"{given.Given} given; allowed: {TopologyNames.AllowedNode}");
            if (_nodes.Exists(node => node.Name == name))
                _findings.Add(given, $"another node is named {given.Given}; allowed: a name of its own for each node");
        }
        var node = new TopologyNode
        {
            Name = name,
            Kind = (NodeKind)
                ScenarioReader.Choice(
                    ForSystem(reader, "kind", ClusterSystem.AedesRedis, ClusterSystem.Pipeline),
                    _findings,
                    Kinds
                ),
            Capability = reader.Number("capability", -1e9, 1e9, 0),
            ServiceMilliseconds = reader.Optional("service") is { } service ? ReadLaw(service) : null,
            Address = ForSystem(reader, "address", ClusterSystem.Running) is null ? null : reader.Text("address", null),
            Command = ForSystem(reader, "command", ClusterSystem.Exec) is null ? command : reader.Text("command", null),
        };
        reader.End();
        return node;
    }

    private JsonTree? ForSystem(JsonObjectReader reader, string key, params ClusterSystem[] systems)
    {
        var value = reader.Optional(key);
        if (value is not null && !systems.Contains(_system))
        {
            var allowed = string.Join(" or ", systems.Select(system => $"'{system.Name()}'"));
            _findings.Add(value, $"a system '{_system.Name()}' has no such setting; allowed: with {allowed}");
        }
        return value;
    }

    private TopologyLink? ReadLink(JsonTree tree)
    {
        var reader = new JsonObjectReader(tree, _findings);
        var ends = reader.Array("between", "an array of the names of two nodes");
        var indexes = ends.Select(end => _nodes.FindIndex(node => node.Name == end.Text)).ToList();
        for (var end = 0; end < ends.Count; end++)
        {
            if (indexes[end] < 0)
            {
                var names = string.Join(", ", _nodes.Select(node => node.Name));
                _findings.Add(ends[end], $"unknown node {ends[end].Given}; allowed: {names}");
            }
        }
        var isPair = ends.Count == 2 && indexes.TrueForAll(index => index >= 0);
        if (tree.Member("between") is { Type: JsonTokenType.StartArray } between)
        {
            if (ends.Count != 2)
                _findings.Add(between, $"{ends.Count} names given; allowed: the names of two nodes");
            else if (isPair && indexes[0] == indexes[1])
                _findings.Add(between, $"{ends[0].Given} is linked with itself; allowed: two nodes");
        }
        var link = ReadWay(reader, new TopologyLink { From = isPair ? indexes[0] : 0, To = isPair ? indexes[1] : 1 });
        reader.End();
        return isPair ? link : null;
    }

    // Delay, rate and loss of a link are read here, with the topics that a bridge takes over it.
    private TopologyLink ReadWay(JsonObjectReader reader, TopologyLink ends)
    {
        var link = ends with
        {
            DelayMilliseconds = reader.Optional("delay") is { } delay ? ReadLaw(delay) : new ConstantLaw(0),
            BitsPerSecond = reader.Optional("rate") is { } rate ? ReadRate(rate) : null,
            Loss = reader.Number("loss", 0, 1, 0),
        };
        return IsBridge ? ReadBridge(reader, link) : link;
    }

    private TopologyLink ReadBridge(JsonObjectReader reader, TopologyLink link)
    {
        var lines = reader.Required("topics", $"a text or a list of texts {BridgeTopic.Form}");
        var topics = new List<BridgeTopic>();
        foreach (
            var line in lines is { Type: JsonTokenType.StartArray } ? lines.Items
            : lines is null ? []
            : [lines]
        )
        {
            if (line.Type != JsonTokenType.String)
                _findings.Add(line, $"{line.Given} given; allowed: {BridgeTopic.Form}");
            else if (BridgeTopic.TryParse(line.Text, out var topic, out var problem))
                topics.Add(topic);
            else
                _findings.Add(line, $"'{line.Text}' is no bridge topic: {problem}; allowed: {BridgeTopic.Form}");
        }
        if (lines is { Type: JsonTokenType.StartArray, Items.Count: 0 })
            _findings.Add(lines, $"a bridge without topics forwards nothing; allowed: {BridgeTopic.Form}");
        return link with
        {
            Topics = topics,
            IsCleanSession = reader.Optional("cleanSession") is not null && reader.Flag("cleanSession"),
        };
    }

    private List<TopologySite> ReadSites()
    {
        var sites = new List<TopologySite>();
        foreach (var tree in _reader.Optional("sites") is null ? [] : _reader.Array("sites", "an array of sites"))
        {
            var reader = new JsonObjectReader(tree, _findings);
            var name = ScenarioReader.Name(reader, _findings);
            var at = reader.Required("at", "the name of a node");
            var node = at is null ? 0 : _nodes.FindIndex(node => node.Name == at.Text && node.Kind == NodeKind.Broker);
            if (node < 0)
            {
                var names = _nodes.Where(node => node.Kind == NodeKind.Broker).Select(node => node.Name);
                _findings.Add(at!, $"unknown broker {at!.Given}; allowed: {string.Join(", ", names)}");
            }
            sites.Add(
                new TopologySite
                {
                    Name = name,
                    Node = Math.Max(0, node),
                    DelayMilliseconds = reader.Optional("delay") is { } delay ? ReadLaw(delay) : new ConstantLaw(0),
                    Publishers = reader.Integer("publishers", 0, 60_000, 0),
                    Subscribers = reader.Integer("subscribers", 0, 60_000, 0),
                }
            );
            reader.End();
        }
        return sites;
    }

    private Law ReadLaw(JsonTree tree)
    {
        var problem = $"{tree.Given} given";
        if (tree.Type == JsonTokenType.String && LawText.TryParse(tree.Text, out var law, out problem))
            return law;
        _findings.Add(tree, $"{problem}; allowed: a law such as \"constant:5ms\", \"normal:31ms,2ms\"");
        return new ConstantLaw(0);
    }

    private double? ReadRate(JsonTree tree)
    {
        if (tree.Type == JsonTokenType.String && RateText.TryParse(tree.Text, out var rate))
            return rate;
        _findings.Add(tree, $"{tree.Given} given; allowed: {RateText.Allowed}");
        return null;
    }
}
