using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>Topics of one pattern that the clients of a group publish to, or are subscribed to.</summary>
/// <param name="Pattern">The pattern; in that of a filter with wildcards, these stand.</param>
/// <param name="Share">How the clients share them.</param>
/// <param name="PerClient">How many of them a client has.</param>
/// <param name="Topics">How many there are.</param>
internal sealed record FoundTopics(string Pattern, TopicShare Share, int PerClient, int Topics)
{
    /// <summary>Whether the pattern follows from deliveries, because no SUBSCRIBE was seen.</summary>
    public bool IsInferred { get; init; }

    /// <summary>How many of the clients have such topics.</summary>
    public int Clients { get; init; }

    /// <summary>Describes topics.</summary>
    /// <param name="pattern">Their pattern.</param>
    /// <param name="clients">The topics of each client that has any.</param>
    /// <typeparam name="T">The type of a topic.</typeparam>
    public static FoundTopics Of<T>(string pattern, IReadOnlyCollection<IReadOnlyCollection<T>> clients)
    {
        var (all, sum) = (clients.SelectMany(topics => topics).Distinct().Count(), clients.Sum(topics => topics.Count));
        var isVariable = pattern.Contains(TopicPatterns.Variable, StringComparison.Ordinal);
        var share =
            !isVariable ? TopicShare.One
            : clients.Count > 1 && all == sum ? TopicShare.Own
            : TopicShare.Some;
        return new(pattern, share, (int)Math.Round((double)sum / clients.Count), all) { Clients = clients.Count };
    }

    /// <summary>The topics that clients publish to.</summary>
    public static IReadOnlyList<FoundTopics> Published(IEnumerable<SeenClient> clients, TopicPatterns patterns) =>
        [
            .. clients
                .SelectMany(client => client.Trace.Published.GroupBy(patterns.Of))
                .GroupBy(topics => topics.Key, topics => topics.ToList())
                .OrderBy(one => one.Key, StringComparer.Ordinal)
                .Select(one => Of(one.Key, one.ToList())),
        ];

    /// <summary>The topics and filters of subscriptions: those granted, or else what was delivered.</summary>
    public static IReadOnlyList<FoundTopics> Subscribed(IEnumerable<SeenClient> clients, TopicPatterns patterns)
    {
        var all = clients.ToList();
        var granted = all.SelectMany(client =>
                client.Trace.Filters.Keys.GroupBy(filter => patterns.OfFilter(SeenClient.FilterOf(filter)))
            )
            .GroupBy(filters => filters.Key, filters => filters.ToList())
            .Select(one => Of(one.Key, one.ToList()))
            .ToList();
        if (granted.Count == 0)
            granted = Inferred(all, patterns);
        return [.. granted.OrderBy(one => one.Pattern, StringComparer.Ordinal)];
    }

    private static List<FoundTopics> Inferred(List<SeenClient> clients, TopicPatterns patterns) =>
        [
            .. clients
                .SelectMany(client => SeenClient.Watched(client.Trace, patterns))
                .GroupBy(watched => watched.Pattern)
                .Select(watched =>
                    Describe(watched.Key, [.. watched.Select(one => (one.IsAll, one.Topics))]) with
                    {
                        IsInferred = true,
                    }
                ),
        ];

    private static FoundTopics Describe(string pattern, List<(bool IsAll, IReadOnlyList<SeenTopic> Topics)> clients)
    {
        var found = Of(pattern, clients.ConvertAll(one => one.Topics));
        // A level that is variable in part stands for a whole level of a filter.
        return clients.Count(one => one.IsAll) * 2 <= clients.Count || found.Share == TopicShare.One
            ? found
            : found with
            {
                Pattern = string.Join(
                    '/',
                    pattern
                        .Split('/')
                        .Select(level => level.EndsWith(TopicPatterns.Variable, StringComparison.Ordinal) ? "+" : level)
                ),
                Share = TopicShare.One,
            };
    }
}
