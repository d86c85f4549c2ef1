using System.Buffers.Text;
using System.Globalization;
using System.Text;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>The names of the topics of a run, as clients and broker use them.</summary>
internal sealed class FleetNames
{
    private readonly FleetSetup _setup;
    private readonly byte[][] _topics;

    // Topics that all have one name are told by their number within it; -1 where there are others.
    private readonly int _numberAt = -1;
    private readonly Dictionary<byte[], int>.AlternateLookup<ReadOnlySpan<byte>> _numbers;
    private readonly Dictionary<int, (int Client, byte[] Payload)> _firsts = [];
    private readonly HashSet<byte[]>.AlternateLookup<ReadOnlySpan<byte>> _wills;
    private readonly byte[]?[] _keptWills;

    /// <summary>The names of a valid setup.</summary>
    public FleetNames(FleetSetup setup)
    {
        (_setup, Space) = (setup, TopicSpace.Of(setup.Population, setup.Clients));
        _topics = [.. Enumerable.Range(0, Space.Topics).Select(number => Encoding.UTF8.GetBytes(Full(number)))];
        if (
            setup.Population.Groups is [{ Profile: { HasOwnTopics: false, AfterConnect: null } only }, ..] groups
            && groups.All(group => group.Profile is { AfterConnect: null } other && other.TopicName == only.TopicName)
        )
            _numberAt = Encoding.UTF8.GetByteCount(setup.BeforeTopicNumber);
        var numbers = new Dictionary<byte[], int>(new TopicComparer());
        if (_numberAt < 0)
            for (var topic = 0; topic < _topics.Length; topic++)
                numbers.TryAdd(_topics[topic], topic);
        _numbers = numbers.GetAlternateLookup<ReadOnlySpan<byte>>();

        _keptWills = new byte[]?[setup.Clients];
        var wills = new HashSet<byte[]>(new TopicComparer());
        var client = 0;
        foreach (var group in setup.Population.Assign(setup.Clients))
            Add(setup.Population.Groups[group].Profile, Space.OfGroup(group), client++, wills);
        _wills = wills.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>The numbers of the topics and filters.</summary>
    public TopicSpace Space { get; }

    /// <summary>The length of the longest topic, in bytes.</summary>
    public int LongestBytes => _topics.Select(topic => topic.Length).DefaultIfEmpty(0).Max();

    /// <summary>The name of a topic in UTF-8.</summary>
    /// <param name="topic">Its number.</param>
    public ReadOnlySpan<byte> Topic(int topic) => _topics[topic];

    /// <summary>The length of the name of a topic or filter, in bytes.</summary>
    /// <param name="number">Its number.</param>
    public int BytesOf(int number) =>
        number < _topics.Length ? _topics[number].Length : Encoding.UTF8.GetByteCount(Full(number));

    /// <summary>The name of a topic or filter.</summary>
    /// <param name="number">Its number.</param>
    public string Full(int number) => _setup.Name(Space, number);

    /// <summary>The topic of the will that the broker may keep for a client; null for none.</summary>
    /// <param name="client">Number of the client.</param>
    public byte[]? KeptWillOf(int client) => _keptWills[client];

    /// <summary>Finds a topic of the run.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="topic">Its number.</param>
    public bool TryFind(ReadOnlySpan<byte> name, out int topic)
    {
        if (_numberAt < 0)
            return _numbers.TryGetValue(name, out topic);
        topic = -1;
        if (
            name.Length <= _numberAt
            || !Utf8Parser.TryParse(name[_numberAt..], out topic, out _)
            || topic < 0
            || topic >= _topics.Length
        )
            return false;
        return name.SequenceEqual(_topics[topic]);
    }

    /// <summary>Recognises the first message of a client by its topic and its text.</summary>
    /// <param name="name">The topic that it came on.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="topic">Number of the topic.</param>
    /// <param name="publisher">The client.</param>
    public bool TryReadFirst(ReadOnlySpan<byte> name, ReadOnlySpan<byte> payload, out int topic, out int publisher)
    {
        (topic, publisher) = (-1, -1);
        if (_firsts.Count == 0 || !TryFind(name, out topic) || !_firsts.TryGetValue(topic, out var first))
            return false;
        publisher = first.Client;
        return payload.SequenceEqual(first.Payload);
    }

    /// <summary>Whether a topic is that of a will of the run.</summary>
    /// <param name="name">Its name.</param>
    public bool IsWill(ReadOnlySpan<byte> name) => _wills.Contains(name);

    private void Add(UsageProfile profile, GroupTopics topics, int client, HashSet<byte[]> wills)
    {
        if (profile.AfterConnect is { Payload: { } text })
            _firsts[topics.First + Space.RankOf(client) * topics.FirstStride] = (client, Encoding.UTF8.GetBytes(text));
        if (profile.Will is not { } will)
            return;
        var name = Encoding.UTF8.GetBytes(WillTopic(_setup, will, client));
        wills.Add(name);
        if (will.Retain)
            _keptWills[client] = name;
    }

    /// <summary>The topic of the will of a client.</summary>
    /// <param name="setup">The run.</param>
    /// <param name="will">The will.</param>
    /// <param name="client">Number of the client.</param>
    public static string WillTopic(FleetSetup setup, ClientWill will, int client) =>
        setup.TopicPrefix
        + will.TopicName.Replace(
            ClientWill.ClientField,
            client.ToString(CultureInfo.InvariantCulture),
            StringComparison.Ordinal
        );
}
