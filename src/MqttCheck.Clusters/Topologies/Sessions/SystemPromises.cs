using System.Diagnostics;

namespace MqttCheck.Clusters.Topologies.Sessions;

/// <summary>
/// The promises of a system about clients at several nodes: whether they make one group of a shared subscription, and
/// whether a client identifier is connected once. The evidence names the source of each.
/// </summary>
/// <param name="SharedSubscriptions">How far a group of a shared subscription reaches.</param>
/// <param name="TakeOver">How far a new connection ends the older one of its client identifier.</param>
internal sealed record SystemPromises(SessionReach SharedSubscriptions, SessionReach TakeOver)
{
    private static readonly SystemPromises s_perNode = new(SessionReach.Node, SessionReach.Node);
    private static readonly SystemPromises s_oneStore = new(SessionReach.Nowhere, SessionReach.Cluster);
    private static readonly SystemPromises s_unknown = new(SessionReach.Unknown, SessionReach.Unknown);

    /// <summary>The promises of a system.</summary>
    public static SystemPromises Of(ClusterSystem system) =>
        system switch
        {
            ClusterSystem.Pipeline => new(SessionReach.Cluster, SessionReach.Cluster),
            ClusterSystem.Nats or ClusterSystem.RabbitMq or ClusterSystem.AedesRedis => s_oneStore,
            ClusterSystem.Exec or ClusterSystem.Running => s_unknown,
            ClusterSystem.Flood
            or ClusterSystem.SpanningTree
            or ClusterSystem.SingleOverlay
            or ClusterSystem.TopicOverlay
            or ClusterSystem.Transport
            or ClusterSystem.MosquittoBridge => s_perNode,
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
            SessionReach.Unknown or SessionReach.Nowhere =>
                "nothing is promised of a client identifier at several nodes",
            _ => throw new UnreachableException(),
        };

    /// <summary>Both promises, each in a sentence.</summary>
    public IReadOnlyList<string> Sentences => [Sentence(OfSharedSubscriptions), Sentence(OfTakeOver)];

    private static string Sentence(string clause) => $"{char.ToUpperInvariant(clause[0])}{clause[1..]}.";
}
