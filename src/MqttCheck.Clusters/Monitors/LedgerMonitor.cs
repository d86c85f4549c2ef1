using MqttCheck.Clusters.Events;

namespace MqttCheck.Clusters.Monitors;

/// <summary>Judges what came to whom, when a run has ended.</summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
internal abstract class LedgerMonitor(long settleNanoseconds) : ClusterMonitor
{
    /// <summary>The publications, and what came of them.</summary>
    private protected SettledDeliveries Ledger { get; } = new(settleNanoseconds);

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent) => Ledger.Add(clusterEvent);

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var pair in Ledger.Pairs())
            if (Problem(pair) is { } problem)
                Report(nanoseconds, problem);
    }

    /// <summary>The rule that a pair breaks, in words; null for none.</summary>
    private protected abstract string? Problem(DeliveryPair pair);
}
