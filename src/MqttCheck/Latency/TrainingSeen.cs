using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Latency;

/// <summary>The behaviour of the clients of some setups, as far as a latency depends on it.</summary>
internal sealed record TrainingSeen
{
    /// <summary>The sizes of publications, in bytes; null where nobody publishes.</summary>
    public Interval? PayloadBytes { get; init; }

    /// <summary>The qualities of service of publications, ascending.</summary>
    public required IReadOnlyList<int> PublishQos { get; init; }

    /// <summary>The qualities of service of subscriptions, ascending.</summary>
    public required IReadOnlyList<int> SubscribeQos { get; init; }

    /// <summary>The kinds of sessions: clean, persistent.</summary>
    public required IReadOnlyList<string> Sessions { get; init; }

    /// <summary>The mean waits before a message, at the largest load of stages, in milliseconds.</summary>
    public required Interval WaitMilliseconds { get; init; }

    /// <summary>
    /// The mean number of subscribers of a topic. It is that of clients that draw their messages without delay, so it
    /// compares setups.
    /// </summary>
    public required Interval Subscribers { get; init; }

    /// <summary>Joins the setups.</summary>
    /// <param name="setups">Populations with their numbers of clients, at least one.</param>
    public static TrainingSeen Of(IReadOnlyList<(Population Population, int Clients)> setups)
    {
        UsageProfile[] profiles =
        [
            .. setups
                .Select(setup => setup.Population)
                .Distinct()
                .SelectMany(population => population.Groups)
                .Select(group => group.Profile),
        ];
        UsageProfile[] publishers = [.. profiles.Where(profile => Sends(profile, MessageKind.Publish))];
        return new()
        {
            PayloadBytes =
                publishers.Length == 0
                    ? null
                    : new(
                        publishers.Min(profile => profile.MinimumPayloadBytes),
                        publishers.Max(profile => profile.MaximumPayloadBytes)
                    ),
            PublishQos = Sorted(publishers.SelectMany(PublishedQos)),
            SubscribeQos = Sorted(
                profiles
                    .Where(profile => Sends(profile, MessageKind.Subscribe))
                    .Select(profile => (int)(profile.SubscriptionQos ?? profile.Qos))
            ),
            Sessions = Sorted(profiles.Select(profile => profile.CleanSessions ? "clean" : "persistent")),
            WaitMilliseconds = Hull(profiles.SelectMany(Waits)),
            Subscribers = Hull(setups.Distinct().Select(setup => SubscribersOf(setup.Population, setup.Clients))),
        };
    }

    private static bool Sends(UsageProfile profile, MessageKind kind) => Population.Of(profile).Sends(kind);

    private static IReadOnlyList<T> Sorted<T>(IEnumerable<T> values) => [.. values.Distinct().Order()];

    private static Interval Hull(IEnumerable<double> values)
    {
        double[] all = [.. values];
        return new(all.Min(), all.Max());
    }

    private static IEnumerable<int> PublishedQos(UsageProfile profile)
    {
        if (profile.PublishQos is not { } weights)
            return [(int)profile.Qos];
        double[] byLevel = [weights.AtMostOnce, weights.AtLeastOnce, weights.ExactlyOnce];
        return byLevel.Index().Where(level => level.Item > 0).Select(level => level.Index);
    }

    private static IEnumerable<double> Waits(UsageProfile profile)
    {
        (MessageKind Kind, Law? Law)[] own =
        [
            (MessageKind.Connect, profile.Waits?.Connect),
            (MessageKind.Disconnect, profile.Waits?.Disconnect),
            (MessageKind.Publish, profile.Waits?.Publish),
            (MessageKind.Subscribe, profile.Waits?.Subscribe),
            (MessageKind.Unsubscribe, profile.Waits?.Unsubscribe),
        ];
        return own.Where(wait => Sends(profile, wait.Kind))
            .Select(wait => (wait.Law ?? profile.WaitMilliseconds).Mean / profile.LargestLoad);
    }

    private static double SubscribersOf(Population population, int clients) =>
        population
            .Assign(clients)
            .CountBy(group => group)
            .Select(group => (population.Groups[group.Key].Profile, Clients: group.Value))
            .GroupBy(group => group.Profile.TopicName)
            .Max(groups =>
                groups.Sum(group => group.Clients * MeanSubscriptions(group.Profile) / group.Profile.Topics)
            );

    // The mean over the messages of a sequence. Weights are taken at the mean state, which is exact enough to compare.
    private static double MeanSubscriptions(UsageProfile profile)
    {
        var weights = profile.Weights;
        double connected = 0,
            subscriptions = 0,
            sum = 0;
        for (var message = 0; message < profile.SequenceLength; message++)
        {
            var subscribe = subscriptions < profile.Topics ? weights.Subscribe : 0;
            var unsubscribe = weights.Unsubscribe * Math.Min(1, subscriptions);
            var all = weights.Publish + weights.Disconnect + subscribe + unsubscribe;
            var share = all > 0 ? connected / all : 0;
            subscriptions += share * (subscribe - unsubscribe);
            if (profile.CleanSessions)
                subscriptions *= 1 - share * weights.Disconnect;
            connected += 1 - connected - share * weights.Disconnect;
            sum += subscriptions;
        }
        return sum / profile.SequenceLength;
    }
}
