using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// How long after its SUBACK a subscription was in force: until the last message that it missed before the first one
/// that came. Away from faults; a subscription to which nothing comes says nothing here.
/// </summary>
internal sealed class SubscriptionDelays
{
    private readonly Dictionary<(int Client, long Granted), (long Missed, bool HasCome)> _subscriptions = [];

    /// <summary>Takes the next pair, in the order of publication.</summary>
    public void Add(DeliveryPair pair)
    {
        var key = (pair.Subscriber, pair.GrantedNanoseconds);
        var (missed, hasCome) = _subscriptions.GetValueOrDefault(key);
        if (hasCome || pair.State == PairState.NearFault)
            return;
        if (pair.Deliveries > 0)
            _subscriptions[key] = (missed, true);
        else if (pair is { IsAcknowledged: true, Qos: > 0 })
            _subscriptions[key] = (pair.PublishedNanoseconds - pair.GrantedNanoseconds, false);
    }

    /// <summary>The delays in words; null where no subscription missed anything.</summary>
    public string? InWords()
    {
        long[] all = [.. _subscriptions.Values.Where(one => one.HasCome).Select(one => one.Missed).Order()];
        long[] late = [.. all.Where(missed => missed > 0)];
        return late.Length == 0
            ? null
            : Invariant($"{late.Length} of {all.Length} subscriptions missed messages after their SUBACK, ")
                + Invariant($"the last one after {late[late.Length / 2] / 1e9:0.###} s at the median ")
                + Invariant($"and {late[^1] / 1e9:0.###} s at most");
    }
}
