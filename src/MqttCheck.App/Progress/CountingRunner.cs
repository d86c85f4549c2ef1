using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.App.Progress;

/// <summary>Computes replications, and says how many are done.</summary>
/// <param name="runner">Computes them.</param>
/// <param name="count">Is told how many of a job are done, and how many it has where that is known.</param>
internal sealed class CountingRunner(IShardRunner runner, Action<int, int?> count) : IShardRunner
{
    private const int ShownEvery = 16;

    /// <summary>Computes on threads of this process, and counts for a use case that knows no share.</summary>
    /// <param name="progress">Shows the count.</param>
    /// <param name="threads">The number of threads.</param>
    public CountingRunner(IWorkProgress progress, int threads)
        : this(
            new LocalShardRunner(threads),
            (done, all) =>
                progress.Count(Invariant($"{done}{(all is { } known ? Invariant($" of {known}") : "")} replications"))
        ) { }

    /// <inheritdoc/>
    public IEnumerable<TOutcome> Run<TOutcome>(
        ReplicationJob<TOutcome> job,
        int? replications,
        CancellationToken cancellation
    )
    {
        var done = 0;
        foreach (var outcome in runner.Run(job, replications, cancellation))
        {
            yield return outcome;
            if (++done % ShownEvery == 0 || done == replications)
                count(done, replications);
        }
    }
}
