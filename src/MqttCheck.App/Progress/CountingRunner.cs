using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.App.Progress;

/// <summary>Computes replications on threads of this process, and says how many are done.</summary>
internal sealed class CountingRunner(IWorkProgress progress, int threads) : IShardRunner
{
    private const int ShownEvery = 16;

    private readonly LocalShardRunner _runner = new(threads);

    /// <inheritdoc/>
    public IEnumerable<TOutcome> Run<TOutcome>(
        ReplicationJob<TOutcome> job,
        int? replications,
        CancellationToken cancellation
    )
    {
        var all = replications is { } known ? Invariant($" of {known}") : "";
        var done = 0;
        foreach (var outcome in _runner.Run(job, replications, cancellation))
        {
            yield return outcome;
            if (++done % ShownEvery == 0)
                progress.Count(Invariant($"{done}{all} replications"));
        }
    }
}
