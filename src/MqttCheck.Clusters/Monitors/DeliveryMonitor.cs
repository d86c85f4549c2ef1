using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I2: of settled pairs QoS 1 is delivered at least once, QoS 2 exactly once, QoS 0 at most once (MQTT 3.1.1 and 5,
/// section 4.3). A publication counts when it was acknowledged.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
internal sealed class DeliveryMonitor(long settleNanoseconds) : ClusterMonitor
{
    private readonly SettledDeliveries _ledger = new(settleNanoseconds);

    /// <inheritdoc/>
    public override string Name => "delivery";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent) => _ledger.Add(clusterEvent);

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var pair in _ledger.Pairs())
        {
            if (pair.State != PairState.Settled)
                continue;
            if (pair.IsLost)
                Report(
                    nanoseconds,
                    $"message {pair.Message} of QoS {pair.Qos} was acknowledged "
                        + $"and never reached client {pair.Subscriber}"
                );
            else if (pair.Qos != 1 && pair.Deliveries > 1)
                Report(
                    nanoseconds,
                    $"message {pair.Message} of QoS {pair.Qos} reached client {pair.Subscriber} {pair.Deliveries} times"
                );
        }
    }
}
