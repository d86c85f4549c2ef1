using System.Text.Json;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The keys of bridges: what they forward, and what is kept for them.</summary>
internal static class BridgeFormat
{
    private static readonly JsonKind<IReadOnlyList<BridgeTopic>> s_topics = new(
        $"a text or a list of texts {BridgeTopic.Form}",
        ReadTopics,
        (writer, topics) => JsonKinds.Texts.Write(writer, [.. topics.Select(topic => topic.ToString())]),
        () => []
    );

    private static readonly JsonKind<IReadOnlyDictionary<string, string>> s_ofBroker = Options(BridgeSettings.OfBroker);
    private static readonly JsonKind<IReadOnlyDictionary<string, string>> s_ofBridge = Options(BridgeSettings.OfBridge);

    private static readonly JsonKind<BridgePeer> s_broker = JsonKinds.Choice([
        .. BridgePeers.Names.Select(name => (name, BridgePeers.Named(name)!.Value)),
    ]);

    /// <summary>The broker that a node of bridges is.</summary>
    /// <param name="settings">The keys of the node.</param>
    public static BridgePeer Broker(SystemFields<TopologyNode> settings) =>
        settings.Of("broker", s_broker, of => of.Broker, BridgePeer.Mosquitto, ClusterSystem.MosquittoBridge);

    /// <summary>
    /// A node without the settings that only a broker has which is started for bridges; such keys of its own are
    /// refused.
    /// </summary>
    /// <param name="fields">The keys of the node.</param>
    /// <param name="system">The system of the cluster.</param>
    /// <param name="node">The node.</param>
    public static TopologyNode WithoutForeign(JsonFields<TopologyNode> fields, ClusterSystem system, TopologyNode node)
    {
        if (system != ClusterSystem.MosquittoBridge)
            return node;
        fields.Refuse("command", node.Address is not null, _ => "given beside address; allowed: one of them");
        if (node is { Address: null, Command: null, Broker: BridgePeer.Mosquitto })
            return node;
        foreach (var key in (string[])["maxQueuedMessages", "options"])
            fields.Refuse(
                key,
                true,
                _ => $"given for a broker whose settings are its own; allowed: for {BridgePeers.Of(default).Name}"
            );
        return node with { MaxQueuedMessages = null, Options = BridgeSettings.None };
    }

    /// <summary>How many messages a broker keeps for a client or a bridge that is away.</summary>
    /// <param name="settings">The keys of a node, or of all nodes.</param>
    /// <param name="get">The number that is written.</param>
    /// <param name="usual">The number where the key is missing.</param>
    public static int? MaxQueuedMessages<T>(SystemFields<T> settings, Func<T, int?> get, int? usual) =>
        settings.Of(
            "maxQueuedMessages",
            JsonKinds.Integer(0).As(number => (int?)number, number => number ?? 0),
            get,
            usual,
            ClusterSystem.MosquittoBridge
        );

    /// <summary>Other settings of a broker, which its configuration gets as they are.</summary>
    /// <param name="settings">The keys of a node, or of all nodes.</param>
    /// <param name="get">The settings that are written.</param>
    /// <param name="usual">Those of all nodes, which the ones of a node are added to.</param>
    public static IReadOnlyDictionary<string, string> Options<T>(
        SystemFields<T> settings,
        Func<T, IReadOnlyDictionary<string, string>> get,
        IReadOnlyDictionary<string, string> usual
    )
    {
        var own = settings.Of("options", s_ofBroker, get, usual, ClusterSystem.MosquittoBridge);
        return usual.Count == 0 || ReferenceEquals(own, usual)
            ? own
            : usual.Where(one => !own.ContainsKey(one.Key)).Concat(own).ToDictionary();
    }

    /// <summary>A link with the keys of a bridge.</summary>
    /// <param name="fields">The keys of the link, or of all links.</param>
    /// <param name="system">The system of the cluster.</param>
    /// <param name="of">The link that is written.</param>
    /// <param name="link">The link so far.</param>
    /// <param name="hasOptions">Whether the object may have other settings of a bridge.</param>
    public static TopologyLink Link<T>(
        JsonFields<T> fields,
        ClusterSystem system,
        Func<T, TopologyLink> of,
        TopologyLink link,
        bool hasOptions
    )
    {
        if (system == ClusterSystem.Exec)
            return link with { Topics = fields.Optional("topics", s_topics, owner => of(owner).Topics, []) };
        if (system != ClusterSystem.MosquittoBridge)
            return link;
        link = link with
        {
            Topics = fields.Required("topics", s_topics, owner => of(owner).Topics),
            IsCleanSession = fields.Optional("cleanSession", JsonKinds.Flag, owner => of(owner).IsCleanSession, false),
        };
        return link with
        {
            // Mosquitto takes the one for the other too.
            IsLocalCleanSession = fields.Optional(
                "localCleanSession",
                JsonKinds.Flag,
                owner => of(owner).IsLocalCleanSession,
                link.IsCleanSession,
                always: true
            ),
            Options = hasOptions
                ? fields.Optional("options", s_ofBridge, owner => of(owner).Options, BridgeSettings.None)
                : BridgeSettings.None,
        };
    }

    private static JsonKind<IReadOnlyDictionary<string, string>> Options(IReadOnlyList<string> allowed) =>
        new(
            $"an object with keys of {string.Join(", ", allowed)}",
            (tree, findings) => ReadOptions(tree, findings, allowed),
            (writer, options) => JsonKinds.Details.Write(writer, options),
            () => BridgeSettings.None
        );

    private static IReadOnlyDictionary<string, string> ReadOptions(
        JsonTree tree,
        JsonFindings findings,
        IReadOnlyList<string> allowed
    )
    {
        if (!JsonKinds.Is(tree, findings, tree.Type == JsonTokenType.StartObject, "an object of settings"))
            return BridgeSettings.None;
        var options = new Dictionary<string, string>();
        foreach (var (key, value) in tree.Members)
        {
            if (!allowed.Contains(key))
                findings.Add(
                    value,
                    $"no setting that is passed on; allowed: {string.Join(", ", allowed)}"
                        + NearestName.Meant(key, allowed)
                );
            else if (
                JsonKinds.Is(
                    value,
                    findings,
                    value.Type
                        is JsonTokenType.True
                            or JsonTokenType.False
                            or JsonTokenType.Number
                            or JsonTokenType.String
                        && value.Text.Length > 0
                        && !value.Text.Any(char.IsControl),
                    "true, false, a number or a text in one line"
                )
            )
                options[key] = value.Text;
        }
        return options.Count > 0 ? options : BridgeSettings.None;
    }

    private static List<BridgeTopic> ReadTopics(JsonTree tree, JsonFindings findings)
    {
        var topics = new List<BridgeTopic>();
        var isList = tree.Type == JsonTokenType.StartArray;
        foreach (var line in isList ? tree.Items : [tree])
        {
            if (!JsonKinds.Is(line, findings, line.Type == JsonTokenType.String, BridgeTopic.Form))
                continue;
            if (BridgeTopic.TryParse(line.Text, out var topic, out var problem))
                topics.Add(topic);
            else
                findings.Add(line, $"'{line.Text}' is no bridge topic: {problem}; allowed: {BridgeTopic.Form}");
        }
        if (isList && tree.Items.Count == 0)
            findings.Add(tree, $"a bridge without topics forwards nothing; allowed: {BridgeTopic.Form}");
        return topics;
    }
}
