namespace MqttCheck.Captures.Populations;

/// <summary>
/// Finds groups of clients with like behaviour. Clients of a group agree in what they publish, receive and tell the
/// broker. Among these, numbers that form separate heaps make groups of their own.
/// </summary>
internal static class Grouping
{
    // A client with fewer messages may not have shown all that it does.
    private const int FewMessages = 10;

    /// <summary>The groups, the largest first.</summary>
    /// <param name="clients">The clients.</param>
    public static List<List<SeenClient>> Of(IEnumerable<SeenClient> clients)
    {
        var kinds = clients
            .GroupBy(client => client.Kind.Key, StringComparer.Ordinal)
            .Select(alike => alike.ToList())
            .OrderByDescending(alike => alike.Count)
            .ThenBy(alike => alike[0].Kind.Key, StringComparer.Ordinal)
            .ToList();
        Join(kinds);
        return
        [
            .. kinds
                .SelectMany(ByTold)
                .SelectMany(Heaps.Of)
                .OrderByDescending(group => group.Count)
                .ThenBy(group => group[0].Kind.Key, StringComparer.Ordinal)
                .ThenBy(group => group[0].Trace.Intervals.Mean),
        ];
    }

    // Clients that were seen only in part go to the largest group that they may belong to.
    private static void Join(List<List<SeenClient>> kinds)
    {
        for (var i = kinds.Count - 1; i >= 0; i--)
        {
            foreach (var client in kinds[i].ToList())
            {
                var isSeldom = client.Trace.Messages < FewMessages && client.Trace.Sizes.Count > 0;
                if (!isSeldom && !client.IsJoined)
                    continue;
                var home = kinds.Find(other =>
                    other != kinds[i] && other.Count > kinds[i].Count && client.Kind.MayBe(other[0].Kind, isSeldom)
                );
                if (home is null)
                    continue;
                home.Add(client);
                kinds[i].Remove(client);
            }
            if (kinds[i].Count == 0)
                kinds.RemoveAt(i);
        }
    }

    // A CONNECT tells clients apart. One that was connected before the capture goes to the largest part.
    private static IEnumerable<List<SeenClient>> ByTold(List<SeenClient> clients)
    {
        var parts = clients
            .Where(client => client.Trace.Told is not null)
            .GroupBy(client =>
                (
                    client.Trace.Told!.KeepAliveSeconds,
                    client.Trace.Told.IsClean,
                    client.Trace.Told.Will?.Qos,
                    client.Trace.Told.Will?.IsRetained,
                    string.Join(' ', client.Trace.Filters.Values.Distinct().Order())
                )
            )
            .Select(part => part.ToList())
            .OrderByDescending(part => part.Count)
            .ToList();
        var joined = clients.FindAll(client => client.Trace.Told is null);
        if (parts.Count == 0)
            return [joined];
        parts[0].AddRange(joined);
        return parts;
    }
}
