namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I2: of settled pairs QoS 1 is delivered at least once, QoS 2 exactly once, QoS 0 at most once (MQTT 3.1.1 and 5,
/// section 4.3). A publication counts when it was acknowledged.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
internal sealed class DeliveryMonitor(long settleNanoseconds) : LedgerMonitor(settleNanoseconds)
{
    /// <inheritdoc/>
    public override string Name => "delivery";

    private protected override string? Problem(DeliveryPair pair) =>
        pair.State != PairState.Settled ? null
        : pair.IsLost
            ? $"message {pair.Message} of QoS {pair.Qos} was acknowledged and never reached client {pair.Subscriber}"
        : pair.Qos != 1 && pair.Deliveries > 1
            ? $"message {pair.Message} of QoS {pair.Qos} reached client {pair.Subscriber} {pair.Deliveries} times"
        : null;
}
