using MqttCheck.Captures.Populations;
using MqttCheck.Clients;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Captures.Usage;

/// <summary>The subscriptions of a group as a profile says them.</summary>
internal sealed class GroupSubscriptions
{
    private const int MostFilters = 20;

    /// <summary>Finds them.</summary>
    /// <param name="group">The group.</param>
    /// <param name="names">The names of topics.</param>
    public GroupSubscriptions(FoundGroup group, TopicNames names)
    {
        var connections = Math.Max(1, group.Sent[(int)MessageKind.Connect]);
        var subscribed = group.Subscribed.Where(topics => !topics.Pattern.StartsWith('$')).ToList();
        if (subscribed.Count < group.Subscribed.Count)
            Limits.Add("they are subscribed to topics of the broker itself ($SYS), which no profile has");
        IsChanging = group.Sent[(int)MessageKind.Unsubscribe] > connections / 2;
        if (subscribed is [{ Share: TopicShare.Some } shared])
        {
            var isSame = group.Published is [var only] && only.Pattern == shared.Pattern;
            if (isSame || group.Published.Count == 0)
            {
                Shared = shared;
                PerClient = IsChanging ? 0 : Math.Min(MostFilters, shared.PerClient);
                return;
            }
        }
        Filters = Distinct(subscribed, names);
        PerClient = IsChanging ? 0 : Filters.Count;
    }

    /// <summary>The filters; empty where topics are taken.</summary>
    public ValueList<string> Filters { get; private set; }

    /// <summary>The topics of which each client takes some, in place of filters; or null.</summary>
    public FoundTopics? Shared { get; }

    /// <summary>How many subscriptions a client makes when it has connected; 0 where it goes on with it.</summary>
    public int PerClient { get; }

    /// <summary>Whether clients subscribe and unsubscribe all the time.</summary>
    public bool IsChanging { get; }

    /// <summary>The properties that a profile cannot say.</summary>
    public List<string> Limits { get; } = [];

    // No topic may match two filters of a profile.
    private ValueList<string> Distinct(List<FoundTopics> subscribed, TopicNames names)
    {
        var filters = new List<string>();
        foreach (var topics in subscribed.OrderBy(topics => Breadth(topics.Pattern)))
        {
            var filter = names.Filter(topics);
            if (topics.Share == TopicShare.Some)
                Limits.Add(
                    Invariant($"each is subscribed to {topics.PerClient} of {topics.Topics} topics; in the profile to ")
                        + filter
                );
            if (filters.Exists(other => Overlap(other.Split('/'), filter.Split('/'))))
                Limits.Add($"their subscription to {filter} is left out, because another one matches the same topics");
            else if (filters.Count < MostFilters)
                filters.Add(filter);
            else
                Limits.Add($"their subscription to {filter} is left out");
        }
        return [.. filters];
    }

    // The broadest filters come first.
    private static int Breadth(string pattern) =>
        pattern.EndsWith('#') ? 0
        : pattern.Contains('+', StringComparison.Ordinal) ? 1
        : 2;

    private static bool Overlap(ReadOnlySpan<string> one, ReadOnlySpan<string> other)
    {
        if (one is ["#"] || other is ["#"])
            return true;
        if (one.IsEmpty || other.IsEmpty)
            return one.IsEmpty && other.IsEmpty;
        return (one[0] == "+" || other[0] == "+" || one[0] == other[0]) && Overlap(one[1..], other[1..]);
    }
}
