using System.Text;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Captures.Exchanges;

/// <summary>Numbers clients, topics and sets of filters for the log. They are forgotten at its end.</summary>
/// <param name="counts">Counts what finds no number of its own.</param>
internal sealed class SeenNames(CaptureCounts counts)
{
    // The columns of a log end there; the last number stands for all the rest.
    private const int LastTopic = 65_535;
    private const int LastClient = 1_000_000;

    private readonly Dictionary<byte[], SeenTopic> _topics = new(new TopicComparer());
    private readonly Dictionary<string, int> _filters = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Participant> _clients = new(StringComparer.Ordinal);
    private Dictionary<byte[], SeenTopic>.AlternateLookup<ReadOnlySpan<byte>>? _lookup;
    private int _topicNumbers;

    /// <summary>The clients by name; a client that was joined has the name of its socket.</summary>
    public IReadOnlyDictionary<string, Participant> Clients => _clients;

    /// <summary>All topics.</summary>
    public IReadOnlyCollection<SeenTopic> Topics => _topics.Values;

    /// <summary>Sets of filters, separated by line breaks, and their numbers.</summary>
    public IReadOnlyDictionary<string, int> Filters => _filters;

    /// <summary>The topic of a name.</summary>
    /// <param name="name">The name in UTF-8.</param>
    public SeenTopic Topic(ReadOnlySpan<byte> name)
    {
        var lookup = _lookup ??= _topics.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (lookup.TryGetValue(name, out var topic))
            return topic;
        topic = new(name.ToArray(), NextTopic());
        _topics.Add(topic.Name, topic);
        return topic;
    }

    /// <summary>The number of some filters: that of the topic if they are but one name.</summary>
    public int NumberOf(IReadOnlyList<string> filters)
    {
        if (filters is [var only] && !TopicFilter.HasWildcard(Encoding.UTF8.GetBytes(only)) && !IsShared(only))
            return Topic(Encoding.UTF8.GetBytes(only)).Number;
        var key = string.Join('\n', filters.Order(StringComparer.Ordinal));
        if (!_filters.TryGetValue(key, out var number))
            _filters.Add(key, number = NextTopic());
        return number;
    }

    /// <summary>The client of a name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="isJoined">Whether it was online when the capture began, if it is seen for the first time.</param>
    public Participant Client(string name, bool isJoined)
    {
        if (!_clients.TryGetValue(name, out var client))
        {
            client = new(Math.Min(_clients.Count, LastClient)) { IsJoined = isJoined };
            _clients.Add(name, client);
        }
        return client;
    }

    /// <summary>Whether a filter is that of a shared subscription.</summary>
    public static bool IsShared(string filter) => filter.StartsWith("$share/", StringComparison.Ordinal);

    private int NextTopic()
    {
        if (_topicNumbers <= LastTopic)
            return _topicNumbers++;
        counts.TopicsTooMany++;
        return LastTopic;
    }
}
