using MqttCheck.Captures.Messages;

namespace MqttCheck.Captures.Exchanges;

/// <summary>A client of the broker, over all its connections.</summary>
/// <param name="number">Its number in the log.</param>
internal sealed class Participant(int number)
{
    /// <summary>Its number in the log.</summary>
    public int Number => number;

    /// <summary>Its behaviour.</summary>
    public ClientTrace Trace { get; } = new();

    /// <summary>Its connection, if it is online or about to be.</summary>
    public MqttConversation? Connection { get; set; }

    /// <summary>Whether messages are delivered to it.</summary>
    public bool IsOnline { get; set; }

    /// <summary>Whether it was online when the capture began.</summary>
    public bool IsJoined { get; init; }

    /// <summary>Whether it may have subscriptions that were not seen.</summary>
    public bool HasUnseenSubscriptions { get; set; }

    /// <summary>Whether it is counted as one online that may have such.</summary>
    public bool IsUnforeseeable { get; set; }

    /// <summary>Whether it may have given up subscriptions without that being seen.</summary>
    public bool IsDoubtful { get; set; }

    /// <summary>Whether messages to it cannot be read at the moment.</summary>
    public bool IsUnreadable { get; set; }

    /// <summary>Whether each of its connections began a new session.</summary>
    public bool IsAlwaysClean { get; set; } = true;

    /// <summary>The connects by which its subscriptions ended, by their places in the order of sending.</summary>
    public List<int> CleanConnects { get; } = [];

    /// <summary>How many connections it has begun.</summary>
    public int Connections { get; set; }

    /// <summary>Its subscriptions that were seen: filters, and whether its own messages are left out.</summary>
    public Dictionary<string, bool> Filters { get; } = new(StringComparer.Ordinal);

    /// <summary>The topics of subscriptions that follow from deliveries.</summary>
    public HashSet<SeenTopic> Inferred { get; } = [];

    /// <summary>All topics of subscriptions that followed from deliveries: they stood when the capture began.</summary>
    public HashSet<int> Standing { get; } = [];

    /// <summary>Publications whose delivery to it is awaited.</summary>
    public HashSet<PendingPublication> Awaited { get; } = [];
}
