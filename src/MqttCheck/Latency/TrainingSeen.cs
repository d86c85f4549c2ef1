using MqttCheck.Clients;
using MqttCheck.Profiles;
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

    /// <summary>Joins the fleets.</summary>
    /// <param name="fleets">Populations with their numbers of clients, at least one.</param>
    public static TrainingSeen Of(params IReadOnlyList<AskedFleet> fleets)
    {
        UsageProfile[] profiles =
        [
            .. fleets
                .Select(fleet => fleet.Population)
                .Distinct()
                .SelectMany(population => population.Groups)
                .Select(group => group.Profile),
        ];
        UsageProfile[] publishers = [.. profiles.Where(profile => Sends(profile, MessageKind.Publish))];
        UsageProfile[] subscribers = [.. profiles.Where(profile => Sends(profile, MessageKind.Subscribe))];
        var waits = new List<double>();
        foreach (var profile in profiles)
            AddWaits(profile, waits);
        var means = new List<double>();
        foreach (var fleet in fleets)
        foreach (var clients in fleet.Clients)
            means.Add(SubscribersOf(fleet.Population, clients));
        return new()
        {
            PayloadBytes =
                publishers.Length == 0
                    ? null
                    : new(
                        publishers.Min(profile => profile.MinimumPayloadBytes),
                        publishers.Max(profile => profile.MaximumPayloadBytes)
                    ),
            PublishQos = Levels(level => Array.Exists(publishers, profile => Publishes(profile, level))),
            SubscribeQos = Levels(level =>
                Array.Exists(subscribers, profile => (int)(profile.SubscriptionQos ?? profile.Qos) == level)
            ),
            Sessions =
            [
                .. profiles
                    .Select(profile => profile.CleanSessions ? "clean" : "persistent")
                    .Distinct()
                    .Order(StringComparer.Ordinal),
            ],
            WaitMilliseconds = new(waits.Min(), waits.Max()),
            Subscribers = new(means.Min(), means.Max()),
        };
    }

    private static bool Sends(UsageProfile profile, MessageKind kind) => Population.Of(profile).Sends(kind);

    private static List<int> Levels(Predicate<int> isUsed)
    {
        var levels = new List<int> { 0, 1, 2 };
        levels.RemoveAll(level => !isUsed(level));
        return levels;
    }

    private static bool Publishes(UsageProfile profile, int level) =>
        profile.PublishQos is { } weights
            ? new[] { weights.AtMostOnce, weights.AtLeastOnce, weights.ExactlyOnce }[level] > 0
            : (int)profile.Qos == level;

    private static void AddWaits(UsageProfile profile, List<double> waits)
    {
        var own = profile.Waits;
        Add(MessageKind.Connect, own?.Connect);
        Add(MessageKind.Disconnect, own?.Disconnect);
        Add(MessageKind.Publish, own?.Publish);
        Add(MessageKind.Subscribe, own?.Subscribe);
        Add(MessageKind.Unsubscribe, own?.Unsubscribe);

        void Add(MessageKind kind, Law? wait)
        {
            if (Sends(profile, kind))
                waits.Add((wait ?? profile.WaitMilliseconds).Mean / profile.LargestLoad);
        }
    }

    // Groups with one name of topics share these.
    private static double SubscribersOf(Population population, int clients)
    {
        var counts = new int[population.Groups.Count];
        foreach (var group in population.Assign(clients))
            counts[group]++;
        var most = 0.0;
        foreach (var group in population.Groups)
        {
            var subscribers = 0.0;
            for (var i = 0; i < counts.Length; i++)
                if (population.Groups[i].Profile is var profile && profile.TopicName == group.Profile.TopicName)
                    subscribers += counts[i] * MeanSubscriptions(profile) / profile.Topics;
            most = Math.Max(most, subscribers);
        }
        return most;
    }

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
