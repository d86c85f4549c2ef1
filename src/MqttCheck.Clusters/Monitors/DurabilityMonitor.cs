using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// I8: what was acknowledged with QoS 1 or 2 reaches a persistent session, also across the crash of any single node.
/// Use it for runs whose sessions outlive their connections; time-to-live and limits of queues are not known to it.
/// </summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
internal sealed class DurabilityMonitor(long settleNanoseconds) : ClusterMonitor
{
    private readonly SettledDeliveries _ledger = new(settleNanoseconds);

    /// <inheritdoc/>
    public override string Name => "durability";

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent) => _ledger.Add(clusterEvent);

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var pair in _ledger.Pairs())
        {
            if (pair.IsLost && _ledger.NodesHitSince(pair.PublishedNanoseconds) <= 1)
                Report(
                    nanoseconds,
                    $"message {pair.Message} was acknowledged and never reached the session of client {pair.Subscriber}"
                );
        }
    }
}
