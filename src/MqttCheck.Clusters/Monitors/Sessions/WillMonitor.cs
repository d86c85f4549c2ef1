using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Sessions;

/// <summary>
/// A will comes to each subscriber when the connection of its client breaks, and never after a DISCONNECT (MQTT 3.1.1
/// and 5, section 3.1.2.5). At QoS 0 it comes once at most, at QoS 1 once at least, and at QoS 2 once (section 4.3).
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SessionMonitor"/>; also how soon a will comes.</param>
/// <param name="promises">The promises of the system.</param>
internal sealed class WillMonitor(long settleNanoseconds, SystemPromises promises)
    : SessionMonitor(settleNanoseconds, promises.Wills)
{
    private readonly List<Watcher> _watchers = [];
    private readonly Dictionary<(long Message, int Client), int> _deliveries = [];
    private readonly Dictionary<int, int> _left = [];
    private readonly List<Will> _owed = [];
    private readonly List<Will> _discarded = [];

    /// <inheritdoc/>
    public override string Name => "will";

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        var (owed, came) = (0L, 0L);
        foreach (var will in _owed)
        foreach (var watcher in _watchers.Where(watcher => TopicFilter.Matches(watcher.Filter, will.Topic)))
        {
            var (from, to) = (will.Nanoseconds - SettleNanoseconds, will.Nanoseconds + SettleNanoseconds);
            if (watcher.Joined > from || watcher.Left <= to || IsDisturbed(from, to) || to > nanoseconds)
                continue;
            var times = _deliveries.GetValueOrDefault((will.Message, watcher.Client));
            var isOwed = will.Qos > 0;
            owed += isOwed ? 1 : 0;
            came += isOwed && times > 0 ? 1 : 0;
            if (!IsPromised)
                continue;
            if (isOwed && times == 0)
                Report(nanoseconds, Invariant($"{will.Name} never came to client {watcher.Client}"));
            else if (will.Qos != 1 && times > 1)
                Report(nanoseconds, Invariant($"{will.Name} came {times} times to client {watcher.Client}"));
        }
        var wrongly = _discarded.FindAll(will => _deliveries.Keys.Any(came => came.Message == will.Message));
        foreach (var will in IsPromised ? wrongly : [])
            Report(nanoseconds, $"{will.Name} came, although it had disconnected in order");
        Remark(
            nanoseconds,
            Invariant($"{promises.OfWills}: {came} of {owed} wills of broken connections came, and {wrongly.Count} of ")
                + Invariant($"{_discarded.Count} of orderly ones")
        );
    }

    private protected override void Take(in ClusterEvent clusterEvent)
    {
        var (client, now) = (clusterEvent.Client, clusterEvent.Nanoseconds);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Subscribed:
                _watchers.Add(new Watcher(client, clusterEvent.Topic, now));
                break;
            case ClusterEventKind.Unsubscribed or ClusterEventKind.Disconnected:
                foreach (var watcher in _watchers.Where(watcher => watcher.Client == client))
                    watcher.Left = Math.Min(watcher.Left, now);
                break;
            case ClusterEventKind.WillOwed or ClusterEventKind.WillDiscarded:
                var number = _left[client] = _left.GetValueOrDefault(client) + 1;
                (clusterEvent.Kind == ClusterEventKind.WillOwed ? _owed : _discarded).Add(
                    new Will(
                        clusterEvent.Message,
                        Invariant($"will #{number} of client {client}, of QoS {clusterEvent.Qos},"),
                        clusterEvent.Qos,
                        clusterEvent.Topic,
                        now
                    )
                );
                break;
            case ClusterEventKind.Delivered:
                var key = (clusterEvent.Message, client);
                _deliveries[key] = _deliveries.GetValueOrDefault(key) + 1;
                break;
        }
    }

    private sealed record Will(long Message, string Name, int Qos, string Topic, long Nanoseconds);

    private sealed record Watcher(int Client, string Filter, long Joined)
    {
        public long Left { get; set; } = long.MaxValue;
    }
}
