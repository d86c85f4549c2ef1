using MqttCheck.Clients;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
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

    /// <summary>Joins the fleets.</summary>
    /// <remarks>
    /// These are plain loops, because LINQ over numbers is compiled at every start of the tool.
    /// </remarks>
    /// <param name="fleets">Populations with their numbers of clients, at least one.</param>
    public static TrainingSeen Of(params IReadOnlyList<AskedFleet> fleets)
    {
        Interval? payload = null,
            waits = null,
            subscribers = null;
        bool[] published = new bool[3],
            subscribed = new bool[3];
        bool isClean = false,
            isPersistent = false;
        foreach (var fleet in fleets)
        {
            foreach (var group in fleet.Population.Groups)
            {
                var profile = group.Profile;
                if (profile.SendsPublications)
                {
                    payload = Widened(payload, profile.MinimumPayloadBytes, profile.MaximumPayloadBytes);
                    for (var level = 0; level < published.Length; level++)
                        published[level] |= Publishes(profile, (QualityOfService)level);
                }
                if (profile.AfterConnect is { } first)
                {
                    payload = Widened(payload, first.Bytes, first.Bytes);
                    published[(int)first.Qos] = true;
                }
                if (profile.Sends(MessageKind.Subscribe))
                    subscribed[(int)(profile.SubscriptionQos ?? profile.Qos)] = true;
                isClean |= profile.CleanSessions;
                isPersistent |= !profile.CleanSessions;
                waits = Widened(waits, profile);
            }
            foreach (var clients in fleet.Clients)
            {
                var mean = SubscribersOf(fleet.Population, clients);
                subscribers = Widened(subscribers, mean, mean);
            }
        }
        return new()
        {
            PayloadBytes = payload,
            PublishQos = Levels(published),
            SubscribeQos = Levels(subscribed),
            Sessions = isClean && isPersistent ? ["clean", "persistent"] : [isClean ? "clean" : "persistent"],
            WaitMilliseconds = waits!,
            Subscribers = subscribers!,
        };
    }

    private static Interval Widened(Interval? range, double least, double most) =>
        range is null ? new(least, most) : new(Math.Min(range.Lower, least), Math.Max(range.Upper, most));

    private static Interval Widened(Interval? waits, UsageProfile profile)
    {
        if (profile.IsScripted)
        {
            var wait = ClientLife.MeanWaitOf(profile) / profile.LargestLoad;
            return Widened(waits, wait, wait);
        }
        var own = profile.Waits;
        // All clients connect, and disconnect at the end of a sequence.
        Add(1, own?.Connect);
        Add(1, own?.Disconnect);
        Add(profile.Weights.Publish, own?.Publish);
        Add(profile.Weights.Subscribe, own?.Subscribe);
        Add(profile.Weights.Unsubscribe, own?.Unsubscribe);
        return waits!;

        void Add(double weight, Law? wait)
        {
            var mean = (wait ?? profile.WaitMilliseconds).Mean / profile.LargestLoad;
            if (weight > 0)
                waits = Widened(waits, mean, mean);
        }
    }

    private static List<int> Levels(bool[] used)
    {
        var levels = new List<int>(used.Length);
        for (var level = 0; level < used.Length; level++)
            if (used[level])
                levels.Add(level);
        return levels;
    }

    private static bool Publishes(UsageProfile profile, QualityOfService level) =>
        profile.PublishQos is { } weights ? weights.Of(level) > 0 : profile.Qos == level;

    // Groups with one name of topics share these.
    private static double SubscribersOf(Population population, int clients)
    {
        if (population.Groups.Any(group => group.Profile is { HasOwnTopics: true } or { Filters.Count: > 0 }))
            return MostSubscribers(population, clients);
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

    // A filter brings all its topics, and a topic of a client's own has the subscribers of its filters.
    private static double MostSubscribers(Population population, int clients)
    {
        var space = TopicSpace.Of(population, clients);
        var lives = population.Groups.Select(group => ClientLife.Of(group.Profile)).ToArray();
        var followed = new double[space.Numbers];
        var client = 0;
        foreach (var group in population.Assign(clients))
        {
            var topics = space.OfGroup(group);
            var first = topics.Subscribe + space.RankOf(client++) * topics.SubscribeStride;
            for (var local = 0; local < topics.Subscribed; local++)
                followed[first + local] += lives[group].Followed[local];
        }
        foreach (var (number, covered) in space.Filters ?? [])
        foreach (var topic in covered)
            followed[topic] += followed[number];
        return followed.Take(space.Topics).DefaultIfEmpty(0).Max();
    }

    // The mean over the messages of a sequence. Weights are taken at the mean state, which is exact enough to compare.
    private static double MeanSubscriptions(UsageProfile profile)
    {
        if (profile.IsScripted)
            return ClientLife.Of(profile).Followed.Sum();
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
