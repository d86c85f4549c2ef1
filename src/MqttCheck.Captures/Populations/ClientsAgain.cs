using MqttCheck.Captures.Exchanges;

namespace MqttCheck.Captures.Populations;

/// <summary>
/// Finds clients that were connected when the capture began, and came again. Their name was seen then, but the first
/// connection bears that of its socket. It is theirs if nobody but these two published to a topic.
/// </summary>
internal static class ClientsAgain
{
    // A broker may close the connection after it has accepted the next.
    private const long MostOverlapNanoseconds = 5_000_000_000;

    /// <summary>Joins the two, and yields the clients without those that came again under their name.</summary>
    /// <param name="clients">The clients by name.</param>
    public static IEnumerable<KeyValuePair<string, Participant>> Joined(
        IReadOnlyDictionary<string, Participant> clients
    )
    {
        var left = clients.Values.Where(client => client.IsJoined && client.Trace.LeftAt is not null).ToList();
        if (left.Count == 0)
            return clients;
        var publishers = clients
            .Values.SelectMany(client => client.Trace.Published.Select(topic => (Topic: topic, Client: client)))
            .ToLookup(pair => pair.Topic, pair => pair.Client);
        var again = new HashSet<Participant>();
        foreach (var client in left.Where(client => client.Trace.Told is null))
        {
            var next = client
                .Trace.Published.Select(topic => publishers[topic].ToList())
                .Where(both => both.Count == 2)
                .Select(both => both[0] == client ? both[1] : both[0])
                .FirstOrDefault(other => !other.IsJoined && Follows(other.Trace, client.Trace));
            if (next is not null && again.Add(client))
                next.Trace.Continue(client.Trace);
        }
        return clients.Where(pair => !again.Contains(pair.Value));
    }

    private static bool Follows(ClientTrace next, ClientTrace before) =>
        next.FirstConnected >= before.LeftAt - MostOverlapNanoseconds;
}
