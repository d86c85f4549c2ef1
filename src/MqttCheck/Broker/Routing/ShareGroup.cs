namespace MqttCheck.Broker.Routing;

/// <summary>The members of one shared subscription: each message goes to one of them.</summary>
/// <param name="key">The whole <c>$share/name/filter</c>.</param>
internal sealed class ShareGroup(string key)
{
    private int _next;

    public string Key { get; } = key;

    public List<Subscription> Members { get; } = [];

    /// <summary>
    /// The member that gets the next message: in turn among those with a connection and room in their window, else
    /// those with a connection, else all.
    /// </summary>
    public Subscription Choose()
    {
        var best = _next % Members.Count;
        var bestRank = -1;
        for (var i = 0; i < Members.Count && bestRank < 2; i++)
        {
            var candidate = (_next + i) % Members.Count;
            var session = Members[candidate].Session;
            var rank =
                session.Connection is null ? 0
                : session.QueuedCount > 0 ? 1
                : 2;
            if (rank <= bestRank)
                continue;
            (best, bestRank) = (candidate, rank);
        }
        _next = (best + 1) % Members.Count;
        return Members[best];
    }
}
