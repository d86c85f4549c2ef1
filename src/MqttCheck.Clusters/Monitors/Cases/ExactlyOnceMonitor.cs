using static System.FormattableString;

namespace MqttCheck.Clusters.Monitors.Cases;

/// <summary>
/// I2 of QoS 2 where every delivery is seen: a subscription that stood gets no message twice, whichever process ends
/// (MQTT 3.1.1 and 5, section 4.3.3).
/// </summary>
internal sealed class ExactlyOnceMonitor() : LedgerMonitor(settleNanoseconds: 0, book: null)
{
    /// <inheritdoc/>
    public override string Name => "exactly once";

    private protected override string? Problem(DeliveryPair pair) =>
        pair is { Qos: 2, Deliveries: > 1 }
            ? Invariant($"message {pair.Message} came to client {pair.Subscriber} {pair.Deliveries} times")
            : null;
}
