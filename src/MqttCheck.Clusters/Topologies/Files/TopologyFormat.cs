using System.Text.Json;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Systems;
using MqttCheck.Json;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The format of topologies.</summary>
internal static class TopologyFormat
{
    /// <summary>The names of <see cref="PeerHopMode"/>.</summary>
    internal static readonly string[] Hops = ["qos0", "qos1", "qos2", "transport-4.17", "transport-4.18"];

    private static readonly JsonKind<ClusterSystem> s_system = Words<ClusterSystem>(ClusterSystems.Names)
        .Named(string.Join(", ", ClusterSystems.Names));

    private static readonly JsonKind<Law> s_law = new(
        "a law such as \"constant:5ms\", \"normal:31ms,2ms\"",
        ReadLaw,
        (writer, law) => writer.WriteStringValue(law.ToString()),
        () => new ConstantLaw(0)
    );

    private static readonly JsonKind<bool> s_signalling = JsonKinds.Choice([("publish", false), ("in-band", true)]);

    private static readonly JsonKind<double> s_rate = JsonKinds
        .TextWhere(RateText.Allowed, text => RateText.TryParse(text, out _))
        .As(text => RateText.TryParse(text, out var rate) ? rate : 0, RateText.Of);

    /// <summary>A topology.</summary>
    public static JsonKind<Topology> Kind { get; } = JsonFormat.Of<Topology>(Fields).Then(TopologyChecks.Check);

    private static Topology Fields(JsonFields<Topology> fields)
    {
        var system = fields.Required("system", s_system, of => of.System);
        fields.Ignored("$schema");
        var settings = new SystemFields<Topology>(fields, system);
        var topology = TreeSettings(settings, Settings(fields, settings, system));
        topology = topology with
        {
            Transport = settings.Of(
                "transport",
                TransportFormat.Kind(isHop: system != ClusterSystem.Transport),
                of => of.Transport,
                new(),
                topology.HasTransport,
                $"'{ClusterSystem.Transport.Name()}', or with hop \"{Hops[^2]}\" or \"{Hops[^1]}\""
            ),
        };
        topology = Graph(fields, settings, topology);
        return topology with
        {
            Sites = fields.Optional("sites", JsonKinds.List(Site(topology), "an array of sites"), of => of.Sites, []),
            Scenario = ScenarioFormat.Keys(fields, of => of.Scenario),
        };
    }

    private static Topology Settings(
        JsonFields<Topology> fields,
        SystemFields<Topology> settings,
        ClusterSystem system
    ) =>
        new()
        {
            Name = fields.Required("name", ScenarioFormat.Name, of => of.Name),
            Description = fields.Optional("description", JsonKinds.Text, of => of.Description, ""),
            System = system,
            Nodes = [],
            Links = [],
            Rules = settings.Own("rules", Words<TreeRules>(["safe", "paper", "silent"]), of => of.Rules, default),
            Hop = settings.Own("hop", Words<PeerHopMode>(Hops), of => of.Hop, PeerHopMode.Qos2),
            // A bridge takes at least five seconds; without the key it keeps its own default of a minute.
            KeepAliveSeconds =
                system == ClusterSystem.MosquittoBridge
                    ? fields.Optional("keepAliveSeconds", JsonKinds.Number(5, 65_535), of => of.KeepAliveSeconds, 60)
                    : settings.Own("keepAliveSeconds", JsonKinds.Number(0.01, 3600), of => of.KeepAliveSeconds, 2),
            Overlay = settings.Of(
                "overlay",
                OverlayFormat.Kind,
                of => of.Overlay,
                new(),
                system.HasOverlay(),
                "spanning-tree, single-overlay, topic-overlay"
            ),
            HasIds = settings.Own("ids", JsonKinds.Flag, of => of.HasIds, true),
            StreamReplicas = settings.Of(
                "streamReplicas",
                JsonKinds.Integer(1, 5).As(copies => (int?)copies, copies => copies ?? 0),
                of => of.StreamReplicas,
                null,
                ClusterSystem.Nats
            ),
            Settings = settings.Of(
                "settings",
                JsonKinds.Details,
                of => of.Settings,
                BridgeSettings.None,
                ClusterSystem.Nats,
                ClusterSystem.RabbitMq,
                ClusterSystem.AedesRedis
            ),
            Pipeline = settings.Of("pipeline", PipelineFormat.Kind, of => of.Pipeline, new(), ClusterSystem.Pipeline),
            IsPersistent = settings.Of(
                "persistence",
                JsonKinds.Flag,
                of => of.IsPersistent,
                true,
                ClusterSystem.MosquittoBridge
            ),
        };

    private static Topology TreeSettings(SystemFields<Topology> settings, Topology topology) =>
        topology with
        {
            IsInBand = settings.Of("signalling", s_signalling, of => of.IsInBand, false, ClusterSystem.SpanningTree),
            Machine = settings.Of<MachineCapability?>(
                "machine",
                MachineFormat.Kind.As(machine => (MachineCapability?)machine, machine => machine!),
                of => of.Machine,
                null,
                ClusterSystem.SpanningTree,
                ClusterSystem.SingleOverlay,
                ClusterSystem.TopicOverlay
            ),
        };

    private static Topology Graph(JsonFields<Topology> fields, SystemFields<Topology> settings, Topology topology)
    {
        var command = settings.Of<string?>("command", JsonKinds.Text!, _ => null, null, ClusterSystem.Exec);
        var commands = RunningFormat.Commands(settings, _ => NodeCommands.None, NodeCommands.None);
        var sample = new TopologyNode
        {
            Name = "",
            Command = command,
            Commands = commands,
            MaxQueuedMessages = BridgeFormat.MaxQueuedMessages(settings, _ => null, null),
            Options = BridgeFormat.Options(settings, _ => BridgeSettings.None, BridgeSettings.None),
        };
        var family = fields.Nullable(
            "family",
            JsonKinds.TextWhere(TopologyFamily.Forms, text => TopologyFamily.TryParse(text, out _)),
            _ => null
        );
        if (family is not null)
        {
            var way = Way(fields, topology.System, _ => new() { From = 0, To = 1 }, hasOptions: false);
            if (!TopologyFamily.TryParse(family, out var graph))
                return topology;
            var made = graph.ToTopology(topology.System, way);
            return topology with
            {
                Nodes = [.. made.Nodes.Select(node => sample with { Name = node.Name })],
                Links = made.Links,
            };
        }
        var nodes = fields.Required(
            "nodes",
            JsonKinds.List(Node(topology.System, sample), "an array of nodes, or the key family instead", CheckName),
            of => of.Nodes
        );
        fields.Refuse(
            "nodes",
            nodes.Count > Topology.MostNodes,
            _ => $"{nodes.Count} nodes given; allowed: {Topology.MostNodes}"
        );
        topology = topology with { Nodes = nodes };
        var links = fields.Optional("links", JsonKinds.List(Link(topology), "an array of links"), of => of.Links, []);
        return topology with { Links = links };
    }

    // The sample has the keys that are given for all nodes.
    private static JsonKind<TopologyNode> Node(ClusterSystem system, TopologyNode sample) =>
        JsonFormat.Of<TopologyNode>(fields =>
        {
            var settings = new SystemFields<TopologyNode>(fields, system);
            var capability = Capability(fields);
            var node = new TopologyNode
            {
                Name = fields.Required(
                    "name",
                    JsonKinds.Text.Then(
                        (tree, findings, name) =>
                            JsonKinds.Is(tree, findings, TopologyNames.IsNode(name), TopologyNames.AllowedNode)
                    ),
                    of => of.Name
                ),
                Kind = settings.Of(
                    "kind",
                    Words<NodeKind>(["broker", "store", "log"]),
                    of => of.Kind,
                    default,
                    ClusterSystem.AedesRedis,
                    ClusterSystem.Pipeline,
                    ClusterSystem.Exec
                ),
                Capability = capability ?? 0,
                HasOwnCapability = capability is not null,
                ServiceMilliseconds = fields.Nullable("service", s_law, of => of.ServiceMilliseconds),
                Address = settings.Of<string?>(
                    "address",
                    JsonKinds.Text!,
                    of => of.Address,
                    null,
                    ClusterSystem.Running,
                    ClusterSystem.MosquittoBridge
                ),
                Command = settings.Of<string?>(
                    "command",
                    JsonKinds.Text!,
                    of => of.Command,
                    sample.Command,
                    ClusterSystem.Exec,
                    ClusterSystem.MosquittoBridge
                ),
                Access = RunningFormat.Access(fields, settings),
                Commands = RunningFormat.Commands(settings, of => of.Commands, sample.Commands),
                Broker = BridgeFormat.Broker(settings),
                MaxQueuedMessages = BridgeFormat.MaxQueuedMessages(
                    settings,
                    of => of.MaxQueuedMessages,
                    sample.MaxQueuedMessages
                ),
                Options = BridgeFormat.Options(settings, of => of.Options, sample.Options),
            };
            return BridgeFormat.WithoutForeign(fields, system, node);
        });

    private static double? Capability(JsonFields<TopologyNode> fields) =>
        fields.Nullable(
            "capability",
            JsonKinds.Number(-1e9, 1e9),
            of => of.HasOwnCapability || of.Capability != 0 ? of.Capability : null
        );

    private static void CheckName(
        IReadOnlyList<TopologyNode> nodes,
        TopologyNode node,
        JsonTree tree,
        JsonFindings findings
    )
    {
        if (tree.Member("name") is { Type: JsonTokenType.String } given && nodes.Any(other => other.Name == node.Name))
            findings.Add(given, $"another node is named {given.Given}; allowed: a name of its own for each node");
    }

    private static JsonKind<TopologyLink> Link(Topology topology) =>
        JsonFormat.Of<TopologyLink>(fields =>
        {
            var (from, to) = fields.Required("between", Ends(topology), of => (of.From, of.To));
            var link = Way(fields, topology.System, of => of, hasOptions: true) with { From = from, To = to };
            return link.Topics.Count == 0 || to < 0 || to >= topology.Nodes.Count
                ? link
                : BridgeSettings.Of(link, topology.Nodes[to].Broker);
        });

    private static JsonKind<(int From, int To)> Ends(Topology topology) =>
        new(
            "an array of the names of two nodes",
            (tree, findings) =>
            {
                if (
                    !JsonKinds.Is(
                        tree,
                        findings,
                        tree.Type == JsonTokenType.StartArray,
                        "an array of the names of two nodes"
                    )
                )
                    return (0, 1);
                var ends = tree.Items;
                int[] indexes = [.. ends.Select(end => topology.NodeIndex(end.Text))];
                foreach (var (end, _) in ends.Zip(indexes).Where(end => end.Second < 0))
                    findings.Add(
                        end,
                        $"unknown node {end.Given}; allowed: "
                            + string.Join(", ", topology.Nodes.Select(node => node.Name))
                    );
                if (ends.Count != 2)
                    findings.Add(tree, $"{ends.Count} names given; allowed: the names of two nodes");
                else if (indexes[0] == indexes[1] && indexes[0] >= 0)
                    findings.Add(tree, $"{ends[0].Given} is linked with itself; allowed: two nodes");
                return ends.Count == 2 ? (indexes[0], indexes[1]) : (0, 1);
            },
            (writer, ends) =>
                JsonKinds.Texts.Write(writer, [topology.Nodes[ends.From].Name, topology.Nodes[ends.To].Name]),
            () => (0, 1)
        );

    // Delay, rate and loss of a link are read here, with the topics that a bridge takes over it.
    private static TopologyLink Way<T>(
        JsonFields<T> fields,
        ClusterSystem system,
        Func<T, TopologyLink> of,
        bool hasOptions
    )
    {
        var link = new TopologyLink
        {
            From = 0,
            To = 1,
            DelayMilliseconds = fields.Optional(
                "delay",
                s_law,
                owner => of(owner).DelayMilliseconds,
                new ConstantLaw(0)
            ),
            BitsPerSecond = fields.Nullable("rate", s_rate, owner => of(owner).BitsPerSecond),
            Loss = fields.Optional("loss", JsonKinds.Number(0, 1), owner => of(owner).Loss, 0),
        };
        return BridgeFormat.Link(fields, system, of, link, hasOptions);
    }

    private static JsonKind<TopologySite> Site(Topology topology) =>
        JsonFormat.Of<TopologySite>(fields =>
            new()
            {
                Name = fields.Required("name", ScenarioFormat.Name, of => of.Name),
                Node = fields.Required("at", Broker(topology), of => of.Node),
                DelayMilliseconds = fields.Optional("delay", s_law, of => of.DelayMilliseconds, new ConstantLaw(0)),
                TopicPrefix = new SystemFields<TopologySite>(fields, topology.System).Of<string?>(
                    "topicPrefix",
                    ScenarioFormat.TopicPrefix!,
                    of => of.TopicPrefix,
                    null,
                    ClusterSystem.MosquittoBridge,
                    ClusterSystem.Exec,
                    ClusterSystem.Running
                ),
                Publishers = fields.Optional("publishers", JsonKinds.Integer(0, 60_000), of => of.Publishers, 0),
                Subscribers = fields.Optional("subscribers", JsonKinds.Integer(0, 60_000), of => of.Subscribers, 0),
            }
        );

    private static JsonKind<int> Broker(Topology topology) =>
        new(
            "the name of a node",
            (tree, findings) =>
            {
                var node = topology.NodeIndex(tree.Text);
                if (topology.Brokers.Contains(node))
                    return node;
                var names = topology.Brokers.Select(broker => topology.Nodes[broker].Name);
                findings.Add(tree, $"unknown broker {tree.Given}; allowed: {string.Join(", ", names)}");
                return 0;
            },
            (writer, node) => writer.WriteStringValue(topology.Nodes[node].Name),
            () => 0
        );

    private static Law ReadLaw(JsonTree tree, JsonFindings findings)
    {
        var problem = $"{tree.Given} given";
        if (tree.Type == JsonTokenType.String && LawText.TryParse(tree.Text, out var law, out problem))
            return law;
        findings.Add(tree, $"{problem}; allowed: {s_law.Allowed}");
        return s_law.StandIn();
    }

    private static JsonKind<T> Words<T>(IReadOnlyList<string> words)
        where T : struct, Enum => JsonKinds.Choice([.. words.Zip(Enum.GetValues<T>())]);
}
