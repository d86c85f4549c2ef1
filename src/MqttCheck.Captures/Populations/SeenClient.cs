using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>A client as it was seen.</summary>
/// <param name="Name">Its name.</param>
/// <param name="IsJoined">Whether it was online when the capture began.</param>
/// <param name="Trace">Its behaviour.</param>
/// <param name="Kind">The features that clients of a group agree in.</param>
internal sealed record SeenClient(string Name, bool IsJoined, ClientTrace Trace, ClientTraits Kind)
{
    // A client that receives so many of the topics of a pattern watches all of them.
    private const double NearlyAll = .9;

    /// <summary>Describes a client.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="client">The client.</param>
    /// <param name="patterns">The patterns of topics.</param>
    public static SeenClient Of(string name, Participant client, TopicPatterns patterns)
    {
        var trace = client.Trace;
        // A message after connecting that is as others, or the only one, is none of its own kind.
        var isBirth = trace.Birth is { } birth && trace.Published.Count > 0 && !IsAmong(birth, trace, patterns);
        if (!isBirth)
            trace.ForgetBirth();
        return new(
            name,
            client.IsJoined,
            trace,
            new(
                Sorted(trace.Published.Select(patterns.Of)),
                Sorted(Receives(trace, patterns)),
                new(Enumerable.Range(0, trace.PublishQos.Length).Where(qos => trace.PublishQos[qos] > 0)),
                trace.Retained * 2 > trace.Sizes.Count
            )
        );
    }

    /// <summary>The filter behind the name of a share.</summary>
    public static string FilterOf(string filter) =>
        SeenNames.IsShared(filter) ? filter[(filter.IndexOf('/', "$share/".Length) + 1)..] : filter;

    /// <summary>The topics that a client received by their pattern, and whether it watches all of a pattern.</summary>
    public static IEnumerable<(string Pattern, bool IsAll, IReadOnlyList<SeenTopic> Topics)> Watched(
        ClientTrace trace,
        TopicPatterns patterns
    ) =>
        trace
            .Received.GroupBy(patterns.Of)
            .Select(topics =>
                (topics.Key, IsAll(topics.Count(), patterns.Topics(topics.Key)), (IReadOnlyList<SeenTopic>)[.. topics])
            );

    private static bool IsAmong(BirthMessage birth, ClientTrace trace, TopicPatterns patterns) =>
        trace.Published.Any(topic => patterns.Of(topic) == patterns.Of(birth.Topic));

    private static bool IsAll(int received, int topics) => received > 1 && received >= NearlyAll * topics;

    private static IEnumerable<string> Receives(ClientTrace trace, TopicPatterns patterns)
    {
        foreach (var (pattern, isAll, _) in Watched(trace, patterns))
            yield return pattern + (isAll ? " (all)" : "");
        // A subscription without a message is known by its filter.
        foreach (var filter in trace.Filters.Keys.Select(FilterOf))
        {
            var hasWildcard = filter.Contains('+', StringComparison.Ordinal) || filter.EndsWith('#');
            if (!hasWildcard || trace.Received.Count == 0)
                yield return patterns.OfFilter(filter);
        }
    }

    private static SortedSet<string> Sorted(IEnumerable<string> texts) => new(texts, StringComparer.Ordinal);
}
