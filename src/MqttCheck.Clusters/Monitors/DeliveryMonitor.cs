using MqttCheck.Clusters.Monitors.Messages;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I2: of settled pairs QoS 1 is delivered at least once, QoS 2 exactly once, QoS 0 at most once (MQTT 3.1.1 and 5,
/// section 4.3). A publication counts when it was acknowledged. How long subscriptions took to be in force is told too.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
/// <param name="book">The messages of the run, for words.</param>
internal sealed class DeliveryMonitor(long settleNanoseconds, MessageBook? book = null)
    : LedgerMonitor(settleNanoseconds, book)
{
    private readonly SubscriptionDelays _delays = new();

    /// <inheritdoc/>
    public override string Name => "delivery";

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        base.End(nanoseconds);
        if (_delays.InWords() is { } words)
            Remark(nanoseconds, words, "subscription in force");
    }

    private protected override void Note(DeliveryPair pair) => _delays.Add(pair);

    private protected override string? Problem(DeliveryPair pair) =>
        pair.State != PairState.Settled ? null
        : pair.IsLost ? $"{NameOf(pair)} was acknowledged and never came to {NameOf(pair.Subscriber)}"
        : pair.Qos != 1 && pair.Deliveries > 1
            ? $"{NameOf(pair)} of QoS {pair.Qos} came to {NameOf(pair.Subscriber)} {pair.Deliveries} times"
        : null;
}
