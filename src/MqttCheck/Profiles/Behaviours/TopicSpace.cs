using System.Text;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Profiles.Behaviours;

/// <summary>
/// The numbers of all topics of a fleet, with their names: groups that name their topics alike share them, others do
/// not, and a name with <see cref="ClientWill.ClientField"/> stands for topics of each client's own. Filters have
/// numbers above those of the topics.
/// </summary>
internal sealed class TopicSpace
{
    private readonly List<TopicRange> _ranges = [];
    private readonly List<string> _filters = [];
    private readonly GroupTopics[] _groups;

    // The number of each client within its group; empty where no client has anything of its own.
    private readonly int[] _ranks = [];
    private readonly List<int>[] _members = [];

    private TopicSpace(Population population, int clients)
    {
        _groups = new GroupTopics[population.Groups.Count];
        if (population.Groups.Any(group => HasOwn(group.Profile)))
        {
            _ranks = new int[clients];
            _members = [.. population.Groups.Select(_ => new List<int>())];
            var client = 0;
            foreach (var group in population.Assign(clients))
            {
                _ranks[client] = _members[group].Count;
                _members[group].Add(client++);
            }
        }
        for (var group = 0; group < _groups.Length; group++)
            NameTopics(population, group);
        for (var group = 0; group < _groups.Length; group++)
            NameFirst(population.Groups[group].Profile, group);
        for (var group = 0; group < _groups.Length; group++)
            NameFilters(population.Groups[group].Profile.Filters, group);
        Filters = _filters.Count == 0 ? null : Match();
    }

    /// <summary>How many topics there are.</summary>
    public int Topics => _ranges.Count == 0 ? 0 : _ranges[^1].End;

    /// <summary>How many numbers there are, of topics and filters.</summary>
    public int Numbers => Topics + _filters.Count;

    /// <summary>The topics that the number of a filter stands for, ascending; null where there is no filter.</summary>
    public Dictionary<int, IReadOnlyList<int>>? Filters { get; }

    /// <summary>The numbers of a fleet.</summary>
    /// <param name="population">Who the clients are.</param>
    /// <param name="clients">How many there are, at least 1.</param>
    public static TopicSpace Of(Population population, int clients) => new(population, clients);

    /// <summary>The reason why the groups of a population cannot be together, or null.</summary>
    /// <param name="population">The population.</param>
    public static string? FindError(Population population)
    {
        var watching = population.Groups.FirstOrDefault(group => group.Profile.Filters.Count > 0);
        var unnamed = population.Groups.FirstOrDefault(group =>
            group.Profile.SendsPublications && group.Profile.TopicName == UsageProfile.TopicField
        );
        return watching is null || unnamed is null
            ? null
            : $"\"{BehaviourKeys.Filters}\" of {watching.Name} given beside {unnamed.Name}, which publishes to topics "
                + "without a name of their own; allowed: a \"topicName\" in every group that publishes";
    }

    /// <summary>The topics of a group.</summary>
    /// <param name="group">Number of the group.</param>
    public GroupTopics OfGroup(int group) => _groups[group];

    /// <summary>The number of a client within its group, where it has names of its own; otherwise 0.</summary>
    /// <param name="client">Number of the client.</param>
    public int RankOf(int client) => _ranks.Length == 0 ? 0 : _ranks[client];

    /// <summary>Whether a topic has no name in the profile, but one below the prefix of the run.</summary>
    /// <param name="number">Its number.</param>
    public bool IsUnnamed(int number) => number < Topics && RangeOf(number).Name == UsageProfile.TopicField;

    /// <summary>How many numbers of topics or filters to subscribe to the clients of a group have together.</summary>
    /// <param name="group">Number of the group.</param>
    public int SubscribedBy(int group) =>
        _groups[group] is { SubscribeStride: > 0 } own
            ? own.SubscribeStride * _members[group].Count
            : _groups[group].Subscribed;

    /// <summary>The name of a topic or filter, as the profile writes it; that of the run's own is a number.</summary>
    /// <param name="number">Its number.</param>
    public string NameOf(int number) => number < Topics ? RangeOf(number).NameOf(number) : _filters[number - Topics];

    /// <summary>Whether the number of a topic or filter stands for a topic.</summary>
    /// <param name="number">The number.</param>
    /// <param name="topic">Number of the topic.</param>
    public bool Covers(int number, int topic) =>
        number == topic
        || (Filters?.GetValueOrDefault(number) is int[] topics && Array.BinarySearch(topics, topic) >= 0);

    private static bool HasOwn(UsageProfile profile) =>
        profile.HasOwnTopics
        || (profile.AfterConnect is { TopicName: var first } && IsOwn(first))
        || profile.Filters.Any(IsOwn);

    private static bool IsOwn(string name) => name.Contains(ClientWill.ClientField, StringComparison.Ordinal);

    private TopicRange RangeOf(int number) => _ranges.Find(range => number < range.End)!;

    private void NameTopics(Population population, int group)
    {
        var profile = population.Groups[group].Profile;
        var topics = GroupTopics.Shared(profile);
        // A client that only subscribes, and by filters, has no topics.
        if (profile.Filters.Count == 0 || profile.SendsPublications)
            topics = topics with
            {
                Publish = profile.HasOwnTopics
                    ? Add(profile.TopicName, profile.Topics, _members[group])
                    : Shared(profile.TopicName, MostTopics(population, profile.TopicName)),
                PublishStride = profile.HasOwnTopics ? profile.Topics : 0,
            };
        _groups[group] = topics with { Subscribe = topics.Publish, SubscribeStride = topics.PublishStride };
    }

    private void NameFirst(UsageProfile profile, int group)
    {
        if (profile.AfterConnect is not { TopicName: var name })
            return;
        var isOwn = IsOwn(name);
        _groups[group] = _groups[group] with
        {
            First =
                name == profile.TopicName && profile.SendsPublications ? _groups[group].Publish
                : isOwn ? Add(name, 1, _members[group])
                : Shared(name, 1),
            FirstStride = isOwn ? 1 : 0,
        };
    }

    private void NameFilters(ValueList<string> filters, int group)
    {
        if (filters.Count == 0)
            return;
        var areOwn = filters.Any(IsOwn);
        _groups[group] = _groups[group] with
        {
            Subscribe = Numbers,
            SubscribeStride = areOwn ? filters.Count : 0,
            Subscribed = filters.Count,
        };
        foreach (var client in areOwn ? _members[group] : [0])
            _filters.AddRange(filters.Select(filter => TopicRange.Filled(filter, ClientWill.ClientField, client)));
    }

    private static int MostTopics(Population population, string name)
    {
        var most = 1;
        foreach (var group in population.Groups)
            if (group.Profile.TopicName == name)
                most = Math.Max(most, group.Profile.Topics);
        return most;
    }

    // The first of the topics of a name that all clients share.
    private int Shared(string name, int count) =>
        _ranges.Find(range => range.Clients is null && range.Name == name)?.First ?? Add(name, count, null);

    private int Add(string name, int count, List<int>? clients)
    {
        var first = Topics;
        _ranges.Add(new(first, name, count, clients));
        return first;
    }

    private Dictionary<int, IReadOnlyList<int>> Match()
    {
        var tree = new SubscriptionTree<int>();
        for (var filter = 0; filter < _filters.Count; filter++)
            tree.Set(Encoding.UTF8.GetBytes(_filters[filter]), filter);
        List<int>[] covered = [.. _filters.Select(_ => new List<int>())];
        var matches = new List<int>();
        foreach (var range in _ranges)
        {
            for (var topic = range.First; topic < range.End; topic++)
            {
                matches.Clear();
                tree.Match(Encoding.UTF8.GetBytes(range.NameOf(topic)), matches);
                foreach (var filter in matches)
                    covered[filter].Add(topic);
            }
        }
        return Enumerable
            .Range(0, covered.Length)
            .ToDictionary(filter => Topics + filter, filter => (IReadOnlyList<int>)covered[filter].ToArray());
    }
}
