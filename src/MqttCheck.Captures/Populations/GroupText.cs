using MqttCheck.Captures.Exchanges;
using static System.FormattableString;

namespace MqttCheck.Captures.Populations;

/// <summary>Describes a group on a line.</summary>
internal static class GroupText
{
    private const double Steady = .3;
    private const int MostPatterns = 3;

    /// <summary>The line.</summary>
    /// <param name="group">The group.</param>
    /// <param name="words">The words in the place of names.</param>
    public static string Of(FoundGroup group, Pseudonyms words)
    {
        var clients = group.Clients.Count == 1 ? "1 client" : Invariant($"{group.Clients.Count} clients");
        return $"{group.Name}: {string.Join(", ", Parts(group, words).Prepend(clients))}";
    }

    private static IEnumerable<string> Parts(FoundGroup group, Pseudonyms words)
    {
        if (group.Sizes.Count > 0)
        {
            yield return Interval(group);
            yield return Bytes(group.Sizes);
            yield return Qos(group.PublishQos);
            if (group.IsRetained)
                yield return "retained";
            yield return $"to {Topics(group.Published, words)}";
            if (group.FanOut is [var (receivers, _), ..])
                yield return Invariant($"{receivers} receivers each");
        }
        if (group.Subscribed.Count > 0)
            yield return Invariant($"subscribed at QoS {group.SubscriptionQos} to {Topics(group.Subscribed, words)}");
        if (group.Asker is { } asker)
            yield return Invariant($"each answers a message of {asker.Name} after {Time(group.Answers.Mean)}");
        if (group.Rhythm is { } rhythm)
            yield return $"all at once, within {Time(2 * rhythm.SpreadMilliseconds)}";
        if (group.BirthTopic is { } birth)
            yield return $"a message to {Topics([birth], words)} as it connects";
        foreach (var part in Connection(group, words))
            yield return part;
    }

    private static IEnumerable<string> Connection(FoundGroup group, Pseudonyms words)
    {
        if (group.Told is { } told)
        {
            yield return told.KeepAliveSeconds == 0
                ? "no keep alive"
                : Invariant($"keep alive {told.KeepAliveSeconds} s");
            yield return told.IsClean ? "clean sessions" : "lasting sessions";
        }
        if (group.WillTopic is { } will)
            yield return $"a {(group.Told!.Will!.IsRetained ? "retained will" : "will")} to {words.Of(will)}";
        if (group.Stays is { } stays)
            yield return $"connected for {Time(stays.Mean)} at a time";
    }

    private static string Interval(FoundGroup group) =>
        group.Intervals.Count == 0 ? Invariant($"{group.Sizes.Count} messages in all")
        : group.Intervals.Variation < Steady
            ? $"every {Time(group.Intervals.Mean)} +- {Time(group.Intervals.Deviation)}"
        : $"every {Time(group.Intervals.Mean)} on average";

    private static string Bytes(Sample sizes) =>
        sizes.Smallest == sizes.Largest
            ? Invariant($"{sizes.Smallest} bytes")
            : Invariant($"{sizes.Smallest} to {sizes.Largest} bytes");

    private static string Qos(IReadOnlyList<long> levels)
    {
        double all = levels.Sum();
        var used = Enumerable.Range(0, levels.Count).Where(level => levels[level] > 0).ToList();
        return used is [var only]
            ? Invariant($"QoS {only}")
            : "QoS " + string.Join(", ", used.Select(level => Invariant($"{level} ({levels[level] / all:P0})")));
    }

    private static string Topics(IReadOnlyList<FoundTopics> topics, Pseudonyms words)
    {
        var named = topics
            .Take(MostPatterns)
            .Select(one =>
                one.Share switch
                {
                    TopicShare.Own => $"a topic of their own, {words.Of(one.Pattern)}",
                    TopicShare.Some => Invariant($"{one.PerClient} of {one.Topics} topics {words.Of(one.Pattern)}"),
                    TopicShare.One => words.Of(one.Pattern),
                    _ => throw new System.Diagnostics.UnreachableException(),
                }
            );
        var rest = topics.Count > MostPatterns ? Invariant($" and {topics.Count - MostPatterns} more") : "";
        return string.Join(" and ", named) + rest;
    }

    /// <summary>A time in the unit that a person would use.</summary>
    /// <param name="milliseconds">The time.</param>
    public static string Time(double milliseconds) =>
        milliseconds < 1 ? Invariant($"{milliseconds * 1000:0} us")
        : milliseconds < 1000 ? Invariant($"{milliseconds:0.#} ms")
        : milliseconds < 120_000 ? Invariant($"{milliseconds / 1000:0.##} s")
        : Invariant($"{milliseconds / 60_000:0.#} min");
}
