using System.Diagnostics;

namespace MqttCheck.Clusters.Topologies.Sessions;

/// <summary>
/// The promises of a system about clients at several nodes: whether they make one group of a shared subscription,
/// whether a client identifier is connected once, and who gets a will. The evidence names the source of each.
/// </summary>
/// <param name="SharedSubscriptions">How far a group of a shared subscription reaches.</param>
/// <param name="TakeOver">How far a new connection ends the older one of its client identifier.</param>
/// <param name="Wills">How far the will of a client goes whose connection breaks.</param>
internal sealed record SystemPromises(SessionReach SharedSubscriptions, SessionReach TakeOver, SessionReach Wills)
{
    private static readonly SystemPromises s_perNode = new(
        SessionReach.Node,
        SessionReach.Node,
        Wills: SessionReach.Cluster
    );
    private static readonly SystemPromises s_oneStore = new(
        SessionReach.Nowhere,
        SessionReach.Cluster,
        Wills: SessionReach.Cluster
    );
    private static readonly SystemPromises s_unknown = new(
        SessionReach.Unknown,
        SessionReach.Unknown,
        SessionReach.Unknown
    );

    /// <summary>
    /// The promises of a cluster. A single broker agrees with itself, and the standard says what it does with a client
    /// identifier and a will; shared subscriptions are optional.
    /// </summary>
    public static SystemPromises Of(Topology topology)
    {
        var promises = Of(topology.System);
        return topology.Brokers.Count > 1
            ? promises
            : new(
                promises.SharedSubscriptions == SessionReach.Node ? SessionReach.Cluster : promises.SharedSubscriptions,
                TakeOver: SessionReach.Cluster,
                Wills: SessionReach.Cluster
            );
    }

    /// <summary>The promises of a system.</summary>
    public static SystemPromises Of(ClusterSystem system) =>
        system switch
        {
            ClusterSystem.Pipeline => new(SessionReach.Cluster, SessionReach.Cluster, Wills: SessionReach.Cluster),
            // Bridges forward a will if they forward its topic.
            ClusterSystem.MosquittoBridge => s_perNode with { Wills = SessionReach.Node },
            ClusterSystem.Nats or ClusterSystem.RabbitMq or ClusterSystem.AedesRedis => s_oneStore,
            ClusterSystem.Exec or ClusterSystem.Running => s_unknown,
            ClusterSystem.Flood
            or ClusterSystem.SpanningTree
            or ClusterSystem.SingleOverlay
            or ClusterSystem.TopicOverlay
            or ClusterSystem.Transport => s_perNode,
            _ => throw new UnreachableException(),
        };

    /// <summary>The promise about shared subscriptions, as a clause.</summary>
    public string OfSharedSubscriptions =>
        SharedSubscriptions switch
        {
            SessionReach.Cluster => "a shared subscription has one group in the whole cluster",
            SessionReach.Node => "each node has its own group of a shared subscription",
            SessionReach.Nowhere => "shared subscriptions are not supported",
            SessionReach.Unknown => "nothing is promised of shared subscriptions",
            _ => throw new UnreachableException(),
        };

    /// <summary>The promise about client identifiers, as a clause.</summary>
    public string OfTakeOver =>
        TakeOver switch
        {
            SessionReach.Cluster => "a client that connects at another node ends its older connection",
            SessionReach.Node => "a client identifier may be connected at each node",
            SessionReach.Nowhere or SessionReach.Unknown =>
                "nothing is promised of a client identifier at several nodes",
            _ => throw new UnreachableException(),
        };

    /// <summary>The promise about wills, as a clause.</summary>
    public string OfWills =>
        Wills switch
        {
            SessionReach.Cluster => "a will reaches the subscribers of every node",
            SessionReach.Node => "a will reaches the subscribers of its node, and others as bridges forward its topic",
            SessionReach.Nowhere or SessionReach.Unknown => "nothing is promised of wills at several nodes",
            _ => throw new UnreachableException(),
        };

    /// <summary>The promises, each in a sentence.</summary>
    public IReadOnlyList<string> Sentences =>
        [Sentence(OfSharedSubscriptions), Sentence(OfTakeOver), Sentence(OfWills)];

    private static string Sentence(string clause) => $"{char.ToUpperInvariant(clause[0])}{clause[1..]}.";
}
