using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// The knowledge about one client identifier: its connections, and the session that the broker may hold for it.
/// </summary>
internal sealed class ClientSession(int client)
{
    public int Client => client;

    /// <summary>The letter that scenarios call the client by.</summary>
    public string Name { get; } = NameOf(client);

    /// <summary>The protocol version of its last CONNECT.</summary>
    public ProtocolVersion Version { get; set; } = ProtocolVersion.V311;

    public ObservedConnection? Connection { get; set; }

    /// <summary>A connection that a later one took over and that has not ended.</summary>
    public ObservedConnection? Displaced { get; set; }

    public Presence Presence { get; set; }

    /// <summary>Whether the session is absent because its expiry interval has passed.</summary>
    public bool HasExpired { get; set; }

    public Dictionary<string, SubscriptionState> Subscriptions { get; } = new(StringComparer.Ordinal);

    public List<EndedSubscription> Ended { get; } = [];

    public Dictionary<Publication, ExpectedDelivery> Expected { get; } = [];

    /// <summary>Publications that sessions expected which are over.</summary>
    public HashSet<Publication> Stale { get; } = [];

    public Dictionary<ushort, IncomingMessage> Incoming { get; } = [];

    /// <summary>Messages under way to the broker, by packet identifier.</summary>
    public Dictionary<ushort, Publication> Outgoing { get; } = [];

    /// <summary>
    /// The message that was sent again last, of each quality of service, and the connection on which it was.
    /// </summary>
    public Dictionary<QualityOfService, (int Connection, IncomingMessage Message)> LastResent { get; } = [];

    public List<AwaitedAnswer> Awaited { get; } = [];

    /// <summary>
    /// SUBSCRIBE packets whose connection ended before their answer. They may take effect until the next connection is
    /// accepted.
    /// </summary>
    public List<AwaitedAnswer> Unanswered { get; } = [];

    public List<RetainedRead> Reads { get; } = [];

    /// <summary>The last message of each order: publisher, topic, quality of service published and delivered.</summary>
    public Dictionary<(int, string, QualityOfService, QualityOfService), Publication> LastInOrder { get; } = [];

    public bool IsOnline => Connection is { IsAccepted: true, IsClosed: false };

    /// <summary>
    /// Whether acknowledgements are withheld on the present connection: the broker may then hold back further messages.
    /// </summary>
    public bool IsHolding
    {
        get
        {
            return Incoming.Values.Any(message =>
                message.Connection == Connection!.Number
                && (!message.IsAcknowledged || message is { IsReleased: true, IsFinished: false })
            );
        }
    }

    public static string NameOf(int client) => ((char)('A' + client)).ToString();

    /// <summary>
    /// A filter that matches a topic only if wildcards take topics that begin with $; null if there is none.
    /// </summary>
    public string? WildcardOverDollar(string topic)
    {
        if (!topic.StartsWith('$'))
            return null;
        var plain = Subscriptions.Values.Select(subscription => subscription.Plain);
        return plain.FirstOrDefault(filter => filter[0] is '#' or '+' && TopicFilter.Matches(filter, "x" + topic[1..]));
    }

    /// <summary>Removes the request that an answer belongs to.</summary>
    /// <returns>The request; null if none waits for this answer.</returns>
    public AwaitedAnswer? Take(ObservedConnection connection, PacketType type, ushort packetId)
    {
        var index = Awaited.FindIndex(a =>
            a.Type == type && a.PacketId == packetId && a.Connection == connection.Number
        );
        if (index < 0)
            return null;
        var found = Awaited[index];
        Awaited.RemoveAt(index);
        return found;
    }

    /// <summary>A connection ends: nothing is owed on it any more.</summary>
    public void StopAwaiting(int connection)
    {
        Unanswered.AddRange(
            Awaited.Where(awaited => awaited.Connection == connection && awaited.Subscribe is not null)
        );
        Awaited.RemoveAll(awaited => awaited.Connection == connection);
    }

    /// <summary>The connection ends, and with it what may have been on its way at QoS 0.</summary>
    public void LoseVolatile()
    {
        foreach (var expected in Expected.Values.Where(expected => expected.MayBeVolatile))
            expected.IsDue = false;
    }

    /// <summary>Nobody knows any more whether the session exists, or what belongs to it.</summary>
    public void Doubt()
    {
        foreach (var subscription in Subscriptions.Values)
            subscription.MaybeAbsent = true;
        foreach (var expected in Expected.Values)
            expected.Blur();
        foreach (var message in Incoming.Values)
            message.ResendDue = false;
    }

    /// <summary>Marks unanswered publications of the client as possibly lost.</summary>
    public void DoubtOutgoing()
    {
        foreach (var publication in Outgoing.Values)
            publication.IsUncertain = true;
    }

    /// <summary>Forgets the session, except requests after an entry: these belong to the next session.</summary>
    public void EndSession(int entry, Statement statement, int keepAfter)
    {
        foreach (
            var subscription in Subscriptions.Values.Where(s => s.Pending == 0 || s.LastRequest < keepAfter).ToList()
        )
        {
            Ended.Add(new EndedSubscription(subscription.Filter, entry, statement));
            Subscriptions.Remove(subscription.Filter);
        }
        foreach (var (publication, expected) in Expected.Where(pair => pair.Key.SentAt < keepAfter).ToList())
        {
            // A newer subscription may still bring the message.
            expected.Filters.IntersectWith(Subscriptions.Keys);
            expected.Blur();
            if (expected.Filters.Count > 0 || (expected.MayBeShared && HasSharedSubscription))
                continue;
            Stale.Add(publication);
            Expected.Remove(publication);
        }
        foreach (var (packetId, publication) in Outgoing.ToList())
        {
            if (publication.SentAt >= keepAfter)
                continue;
            Outgoing.Remove(packetId);
            // A publication that the broker had not accepted may be lost with the session, even when a new connection
            // replaces the old one.
            publication.IsUncertain = true;
        }
        Incoming.Clear();
        Reads.RemoveAll(read => read.Start < keepAfter);
        LastInOrder.Clear();
        Presence = Presence.No;
        HasExpired = false;
    }

    private bool HasSharedSubscription =>
        Subscriptions.Keys.Any(filter => filter.StartsWith("$share/", StringComparison.Ordinal));
}
