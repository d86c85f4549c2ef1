using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Messages;

namespace MqttCheck.Clusters.Monitors;

/// <summary>Judges what came to whom, when a run has ended.</summary>
/// <param name="settleNanoseconds">See <see cref="SettledDeliveries"/>.</param>
/// <param name="book">The messages of the run, for words; null for numbers alone.</param>
internal abstract class LedgerMonitor(long settleNanoseconds, MessageBook? book) : ClusterMonitor
{
    /// <summary>The publications, and what came of them.</summary>
    private protected SettledDeliveries Ledger { get; } = new(settleNanoseconds);

    /// <inheritdoc/>
    public override void Add(in ClusterEvent clusterEvent) => Ledger.Add(clusterEvent);

    /// <inheritdoc/>
    public override void End(long nanoseconds)
    {
        foreach (var pair in Ledger.Pairs())
        {
            Note(pair);
            if (Problem(pair) is { } problem)
                Report(nanoseconds, problem, history: () => HistoryOf(pair));
        }
    }

    /// <summary>Takes a pair for what is told beside the rule.</summary>
    private protected virtual void Note(DeliveryPair pair) { }

    /// <summary>The rule that a pair breaks, in words; null for none.</summary>
    private protected abstract string? Problem(DeliveryPair pair);

    /// <summary>The message of a pair in words.</summary>
    private protected string NameOf(DeliveryPair pair) =>
        book?.Find(pair.Message) is { } entry ? book.NameOf(entry) : $"message {pair.Message}";

    /// <summary>A client in words.</summary>
    private protected string NameOf(int client) => book?.NameOf(client) ?? $"client {client}";

    private IReadOnlyList<HistoryStep> HistoryOf(DeliveryPair pair) =>
        book?.Find(pair.Message) is { } entry ? book.HistoryOf(entry, pair.Subscriber) : [];
}
