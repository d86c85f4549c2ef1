using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>What the model knows of one client identifier: its connections, and the session that the broker may hold for it.</summary>
internal sealed class ClientSession(int client)
{
    public int Client => client;

    public ConnectionState? Connection { get; set; }

    /// <summary>A connection that a later one took over and that has not ended.</summary>
    public ConnectionState? Displaced { get; set; }

    public Presence Presence { get; set; }

    /// <summary>Whether the session is absent because its expiry interval has passed.</summary>
    public bool HasExpired { get; set; }

    public Dictionary<string, SubscriptionState> Subscriptions { get; } = new(StringComparer.Ordinal);

    public List<EndedSubscription> Ended { get; } = [];

    public Dictionary<Publication, Expectation> Expectations { get; } = [];

    /// <summary>Expectations of sessions that are over.</summary>
    public HashSet<Publication> Stale { get; } = [];

    public Dictionary<ushort, IncomingMessage> Incoming { get; } = [];

    /// <summary>Messages under way to the broker, by packet identifier.</summary>
    public Dictionary<ushort, Publication> Outgoing { get; } = [];

    public List<AwaitedAnswer> Awaited { get; } = [];

    /// <summary>SUBSCRIBE packets whose connection ended before their answer: they may take effect until the next connection is accepted.</summary>
    public List<AwaitedAnswer> Unanswered { get; } = [];

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
        foreach (var expectation in Expectations.Values)
            if (expectation.MayBeVolatile)
                expectation.IsDue = false;
    }

    public List<RetainedRead> Reads { get; } = [];

    /// <summary>The number of the last message of each order (publisher, topic, quality of service published and delivered).</summary>
    public Dictionary<(int, string, QualityOfService, QualityOfService), Publication> LastInOrder { get; } = [];

    public bool IsOnline => Connection is { IsAccepted: true, IsClosed: false };

    /// <summary>Whether acknowledgements are withheld: the broker may then hold back further messages.</summary>
    public bool IsHolding { get; set; }

    /// <summary>Forgets the session, but for what was asked after an entry: that belongs to the next one.</summary>
    public void EndSession(int entry, Statement statement, int keepAfter)
    {
        foreach (
            var subscription in Subscriptions.Values.Where(s => s.Pending == 0 || s.LastRequest < keepAfter).ToList()
        )
        {
            Ended.Add(new EndedSubscription(subscription.Filter, entry, statement));
            Subscriptions.Remove(subscription.Filter);
        }
        foreach (var (publication, expectation) in Expectations.Where(entry => entry.Key.SentAt < keepAfter).ToList())
        {
            // What was asked for since may still bring it.
            expectation.Filters.IntersectWith(Subscriptions.Keys);
            expectation.Blur();
            if (
                expectation.Filters.Count > 0
                || (
                    expectation.MayBeShared
                    && Subscriptions.Keys.Any(filter => filter.StartsWith("$share/", StringComparison.Ordinal))
                )
            )
                continue;
            Stale.Add(publication);
            Expectations.Remove(publication);
        }
        foreach (var (packetId, publication) in Outgoing.ToList())
            if (publication.SentAt < keepAfter)
                Outgoing.Remove(packetId);
        Incoming.Clear();
        Reads.RemoveAll(read => read.Start < keepAfter);
        LastInOrder.Clear();
        Presence = Presence.No;
        HasExpired = false;
    }
}
