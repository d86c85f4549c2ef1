using MqttCheck.Clusters.Monitors.Messages;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I8: what was acknowledged with QoS 1 or 2 reaches a persistent session, also across the crash of any single node.
/// Use it for runs whose sessions outlive their connections; time-to-live and limits of queues are not known to it.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
/// <param name="book">The messages of the run, for words.</param>
internal sealed class DurabilityMonitor(long settleNanoseconds, MessageBook? book = null)
    : LedgerMonitor(settleNanoseconds, book)
{
    /// <inheritdoc/>
    public override string Name => "durability";

    private protected override string? Problem(DeliveryPair pair) =>
        pair.IsLost && Ledger.NodesHitSince(pair.PublishedNanoseconds) <= 1
            ? $"{NameOf(pair)} was acknowledged and never came to the session of {NameOf(pair.Subscriber)}"
            : null;
}
