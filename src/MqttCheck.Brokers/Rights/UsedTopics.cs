using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Brokers.Rights;

/// <summary>The things that clients are going to do on a broker, as far as it may deny them.</summary>
internal sealed record UsedTopics
{
    /// <summary>The nodes that clients connect to, at least one.</summary>
    public required IReadOnlyList<WireEndpoint> Endpoints { get; init; }

    /// <summary>How they log in, or null for anonymous.</summary>
    public Credentials? Credentials { get; init; }

    /// <summary>The protocol that they speak.</summary>
    public ProtocolVersion Version { get; init; } = ProtocolVersion.V311;

    /// <summary>A client identifier that no other client has.</summary>
    public required string ClientId { get; init; }

    /// <summary>Topics that stand for all, each with the filter by which a client gets its messages.</summary>
    public required IReadOnlyList<(string Topic, string Filter)> Topics { get; init; }

    /// <summary>The qualities of service of publications, in ascending order, at least one.</summary>
    public required IReadOnlyList<QualityOfService> Published { get; init; }

    /// <summary>The qualities of service of subscriptions, in ascending order, at least one.</summary>
    public required IReadOnlyList<QualityOfService> Subscribed { get; init; }

    /// <summary>Whether the broker keeps messages.</summary>
    public bool Retains { get; init; }

    /// <summary>The filter that has all topics, for an access list.</summary>
    public required string Everything { get; init; }

    /// <summary>Whether the user wrote the topics, so that a prefix alone does not move them.</summary>
    public bool AreNamed { get; init; }

    /// <summary>Whether they were used already: rights may be withdrawn meanwhile.</summary>
    public bool IsAfterLoad { get; init; }

    /// <summary>The topics of a fleet.</summary>
    /// <param name="setup">The setup of a run, valid.</param>
    public static UsedTopics Of(FleetSetup setup)
    {
        UsageProfile[] profiles = [.. setup.Population.Groups.Select(group => group.Profile)];
        var areNamed = profiles.All(profile => profile.TopicName != UsageProfile.TopicField);
        var space = TopicSpace.Of(setup.Population, setup.Clients);
        return new()
        {
            Endpoints = setup.Nodes.Count > 0 ? setup.Nodes : [setup.Endpoint],
            Credentials = setup.Credentials,
            Version = setup.ProtocolVersion,
            ClientId = ClientIdOf(setup.Prefix),
            Topics = [.. Examples(setup, space)],
            Published = Ascending(profiles.SelectMany(PublishedBy)),
            Subscribed = Ascending(profiles.Select(profile => profile.SubscriptionQos ?? profile.Qos)),
            Retains = profiles.Any(profile => PacketKeys.Kept(profile) is not null),
            Everything = areNamed ? Named(setup) : Generated(setup.TopicPrefix, setup.Prefix),
            AreNamed = areNamed,
        };
    }

    /// <summary>The topics of a load.</summary>
    /// <param name="setup">The setup, valid.</param>
    public static UsedTopics Of(LoadSetup setup)
    {
        var (topics, filters) = (setup.Names.Topics, setup.Names.Filters);
        string[] ends = [topics[0], topics[^1]];
        return new()
        {
            Endpoints = setup.Nodes is { } nodes ? nodes.Endpoints : [setup.Endpoint],
            Credentials = setup.Credentials,
            Version = setup.Version,
            ClientId = ClientIdOf(setup.Prefix),
            Topics = [.. ends.Distinct().Select(topic => (topic, FilterOf(topic)))],
            Published = Ascending([setup.Workload.Qos, setup.Workload.SecondQos ?? setup.Workload.Qos]),
            Subscribed = [setup.Workload.SubscribeQos],
            Everything = Generated(setup.TopicPrefix, setup.Prefix),
            AreNamed = !topics[0].StartsWith(setup.TopicPrefix + setup.Prefix, StringComparison.Ordinal),
        };

        string FilterOf(string topic) => filters.FirstOrDefault(filter => TopicFilter.Matches(filter, topic)) ?? topic;
    }

    // The first and the last topic of each group and that of its first message, each with the filter that has it.
    private static IEnumerable<(string Topic, string Filter)> Examples(FleetSetup setup, TopicSpace space)
    {
        var examples = new SortedSet<int> { 0, space.Topics - 1 };
        for (var group = 0; group < setup.Population.Groups.Count; group++)
        {
            var topics = space.OfGroup(group);
            if (topics.Publish < space.Topics)
                examples.Add(topics.Publish);
            if (topics.First >= 0)
                examples.Add(topics.First);
        }
        foreach (var topic in examples.Where(topic => topic >= 0))
        {
            var filter = (space.Filters ?? []).FirstOrDefault(filter => filter.Value.Contains(topic));
            yield return (setup.Name(space, topic), setup.Name(space, filter.Value is null ? topic : filter.Key));
        }
    }

    // The levels that the names of all groups have in common.
    private static string Named(FleetSetup setup)
    {
        var names = setup
            .Population.Groups.Select(group => group.Profile.TopicName)
            .Select(name => setup.TopicPrefix + name[..name.IndexOf('{', StringComparison.Ordinal)])
            .ToList();
        var length = names.Min(name => name.Length);
        var same = names[0][
            ..Enumerable.Range(0, length).TakeWhile(at => names.TrueForAll(name => name[at] == names[0][at])).Count()
        ];
        return same[..(same.LastIndexOf('/') + 1)] + "#";
    }

    private static IEnumerable<QualityOfService> PublishedBy(UsageProfile profile) =>
        profile.PublishQos is { } weights
            ? Enum.GetValues<QualityOfService>().Where(qos => weights.Of(qos) > 0)
            : [profile.Qos];

    private static QualityOfService[] Ascending(IEnumerable<QualityOfService> all) => [.. all.Distinct().Order()];

    private static string ClientIdOf(string prefix) => prefix.Replace("/", "", StringComparison.Ordinal) + "rights";

    // The prefix of a run is random behind its first level.
    private static string Generated(string topicPrefix, string prefix) => $"{topicPrefix}{prefix.Split('/')[0]}/#";
}
