using System.Text;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.Protocol.Topics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Sessions;

/// <summary>
/// A group of a shared subscription gets each acknowledged message, and one member of it alone (MQTT 5, section 4.8.2).
/// A message that a member took with it when it left may come to nobody, or again.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SessionMonitor"/>.</param>
/// <param name="promises">The promises of the system.</param>
/// <param name="groups">How many groups there should be.</param>
internal sealed class SharedSubscriptionMonitor(long settleNanoseconds, SystemPromises promises, int groups)
    : SessionMonitor(settleNanoseconds, promises.SharedSubscriptions)
{
    private readonly SortedDictionary<string, List<Member>> _groups = new(StringComparer.Ordinal);
    private readonly Dictionary<long, List<(int Client, long Nanoseconds)>> _deliveries = [];

    /// <inheritdoc/>
    public override string Name => "shared subscription";

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        var window = Math.Max(SettleNanoseconds, Slowest());
        var (judged, came, missing) = (0L, 0L, 0L);
        foreach (var publication in Publications)
        foreach (var (filter, members) in _groups)
        {
            if (!Matches(filter, publication.Topic) || !IsJudged(publication, members, window, nanoseconds))
                continue;
            var receivers = Receivers(publication.Message, members);
            judged++;
            came += receivers.Count;
            missing += receivers.Count == 0 ? 1 : 0;
            if (IsPromised && Problem(publication, receivers) is { } problem)
                Report(nanoseconds, $"{publication.Name} of {filter} {problem}");
        }
        var refused = Invariant($"{groups - _groups.Count} of {groups} groups were granted no subscription");
        if (_groups.Count < groups && IsPromised)
            Report(nanoseconds, refused);
        Remark(
            nanoseconds,
            Invariant($"{promises.OfSharedSubscriptions}: {judged} messages came {came} times")
                + (missing > 0 ? Invariant($", {missing} of them to nobody") : "")
                + (_groups.Count < groups ? $", and {refused}" : "")
        );
    }

    private protected override void Take(in ClusterEvent clusterEvent)
    {
        var (client, now) = (clusterEvent.Client, clusterEvent.Nanoseconds);
        switch (clusterEvent.Kind)
        {
            case ClusterEventKind.Subscribed when TopicFilter.IsShared(Encoding.UTF8.GetBytes(clusterEvent.Topic)):
                _groups.GetOrNew(clusterEvent.Topic).Add(new Member(client, now));
                break;
            case ClusterEventKind.Unsubscribed or ClusterEventKind.Disconnected:
                foreach (
                    var member in _groups.Values.SelectMany(group => group).Where(member => member.Client == client)
                )
                    member.Left = Math.Min(member.Left, now);
                break;
            case ClusterEventKind.Delivered:
                _deliveries.GetOrNew(clusterEvent.Message).Add((client, now));
                break;
        }
    }

    private static string? Problem(Publication publication, List<int> receivers) =>
        receivers.Count > 1 ? $"came to the members {string.Join(" and ", receivers)}"
        : receivers.Count == 0 && publication.IsAcknowledged ? "was acknowledged and came to no member"
        : null;

    private static bool Matches(string shared, string topic) =>
        TopicFilter.TrySplitShared(Encoding.UTF8.GetBytes(shared), out _, out var filter)
        && TopicFilter.Matches(filter, Encoding.UTF8.GetBytes(topic));

    // A member stood before, nobody left who may have held the message, no fault was near, and there was time.
    private bool IsJudged(Publication publication, List<Member> members, long window, long end)
    {
        var (from, to) = (publication.Nanoseconds - SettleNanoseconds, publication.Nanoseconds + window);
        return members.Exists(member => member.Joined <= from && member.Left > to)
            && !members.Exists(member => member.Left >= from && member.Left <= to)
            && !IsDisturbed(from, to)
            && to <= end;
    }

    private List<int> Receivers(long message, List<Member> members) =>
        [
            .. _deliveries
                .GetValueOrDefault(message, [])
                .Select(delivery => delivery.Client)
                .Where(client => members.Exists(member => member.Client == client))
                .Distinct()
                .Order(),
        ];

    // On a busy machine a member may hold a message for longer than the settling time.
    private long Slowest() =>
        _deliveries
            .SelectMany(came => came.Value.Select(one => one.Nanoseconds - (PublishedAt(came.Key) ?? one.Nanoseconds)))
            .DefaultIfEmpty(0)
            .Max();

    private sealed record Member(int Client, long Joined)
    {
        public long Left { get; set; } = long.MaxValue;
    }
}
