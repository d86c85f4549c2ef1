using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Sessions;

/// <summary>
/// A client that connects at another node takes over: its older connection ends, and gets nothing that is published
/// afterwards; the newer one gets all of it (MQTT 3.1.1, MQTT-3.1.4-2; MQTT 5, MQTT-3.1.4-3). The bound of both is the
/// settling time of the run.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SessionMonitor"/>; also how soon the older connection ends.</param>
/// <param name="promises">The promises of the system.</param>
/// <param name="takeOvers">How many there should be.</param>
/// <param name="nodeNames">The names of the nodes.</param>
internal sealed class TakeOverMonitor(
    long settleNanoseconds,
    SystemPromises promises,
    int takeOvers,
    IReadOnlyList<string> nodeNames
) : SessionMonitor(settleNanoseconds, promises.TakeOver)
{
    private readonly Dictionary<int, (int Node, long Ended)> _latest = [];
    private readonly List<Change> _changes = [];
    private readonly Dictionary<(int Client, int Node), List<Subscription>> _subscriptions = [];
    private readonly HashSet<(long Message, int Client, int Node)> _deliveries = [];
    private readonly List<(int Client, int Node, long Nanoseconds)> _ends = [];

    /// <inheritdoc/>
    public override string Name => "take-over";

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        var judged = _changes.FindAll(change =>
            !IsDisturbed(change.Nanoseconds - SettleNanoseconds, change.Nanoseconds + SettleNanoseconds)
            && change.Nanoseconds + SettleNanoseconds <= nanoseconds
        );
        var (stayed, both) = (0L, 0L);
        foreach (var change in judged)
        {
            var (client, bound) = (change.Client, change.Nanoseconds + SettleNanoseconds);
            var stays = change.Ended > bound;
            stayed += stays ? 1 : 0;
            both += Publications.LongCount(publication =>
                publication.Nanoseconds > change.Nanoseconds
                && Came(publication, client, change.From)
                && Came(publication, client, change.To)
            );
            if (!IsPromised)
                continue;
            if (stays)
                Report(nanoseconds, $"{Words(change)}, and its older connection {EndOf(change)}");
            foreach (var late in Publications.Where(one => one.Nanoseconds > bound && Came(one, client, change.From)))
                Report(nanoseconds, $"{Words(change)}, and {late.Name} came to its older connection later");
            foreach (var lost in Publications.Where(one => IsOwed(one, change, nanoseconds)))
                if (!Came(lost, client, change.To))
                    Report(nanoseconds, $"{Words(change)}, and {lost.Name} never came there");
        }
        var made = _changes.DistinctBy(change => change.Client).Count();
        var refused = Invariant($"{takeOvers - made} of {takeOvers} clients were not accepted at another node");
        if (made < takeOvers && !HasFaults && IsPromised)
            Report(nanoseconds, refused);
        Remark(
            nanoseconds,
            Invariant($"{promises.OfTakeOver}: {stayed} of {judged.Count} older connections stayed, ")
                + Invariant($"{both} messages came to both")
                + (made < takeOvers ? $", and {refused}" : "")
        );
    }

    private protected override void Take(in ClusterEvent clusterEvent)
    {
        var (client, node, now) = (clusterEvent.Client, clusterEvent.Node, clusterEvent.Nanoseconds);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Connected:
                // A node may end the older connection before it acknowledges the newer one.
                if (_latest.TryGetValue(client, out var older) && older.Node != node)
                    _changes.Add(new Change(client, older.Node, node, now) { Ended = older.Ended });
                _latest[client] = (node, long.MaxValue);
                break;
            case ClusterEventKind.Disconnected:
                if (_latest.TryGetValue(client, out var latest) && latest.Node == node)
                    _latest[client] = (node, now);
                _ends.Add((client, node, now));
                foreach (var change in _changes.Where(one => one.Client == client && one.From == node))
                    change.Ended = Math.Min(change.Ended, now);
                break;
            case ClusterEventKind.Subscribed:
                _subscriptions.GetOrNew((client, node)).Add(new Subscription(clusterEvent.Topic, now));
                break;
            case ClusterEventKind.Delivered:
                _deliveries.Add((clusterEvent.Message, client, node));
                break;
        }
    }

    private bool Came(Publication publication, int client, int node) =>
        _deliveries.Contains((publication.Message, client, node));

    // The newer connection had subscribed before, stood until after, no fault was near, and there was time.
    private bool IsOwed(Publication publication, Change change, long end)
    {
        var (from, to) = (publication.Nanoseconds - SettleNanoseconds, publication.Nanoseconds + SettleNanoseconds);
        return publication.IsAcknowledged
            && _subscriptions
                .GetValueOrDefault((change.Client, change.To), [])
                .Exists(one => one.Granted <= from && TopicFilter.Matches(one.Filter, publication.Topic))
            && !_ends.Exists(one =>
                one.Client == change.Client && one.Node == change.To && one.Nanoseconds >= from && one.Nanoseconds <= to
            )
            && change.Nanoseconds <= from
            && !IsDisturbed(from, to)
            && to <= end;
    }

    private string Words(Change change) =>
        $"client {change.Client} connected at {nodeNames[change.To]} while connected at {nodeNames[change.From]}";

    private static string EndOf(Change change) =>
        change.Ended == long.MaxValue
            ? "did not end"
            : Invariant($"ended {(change.Ended - change.Nanoseconds) / 1e9:0.##} s later");

    private sealed record Change(int Client, int From, int To, long Nanoseconds)
    {
        public long Ended { get; set; } = long.MaxValue;
    }

    private sealed record Subscription(string Filter, long Granted);
}
