using MqttCheck.Shards;
using static System.FormattableString;

namespace MqttCheck.Cli.Terminal;

/// <summary>Computes replications on threads of this process, and shows how many are done.</summary>
internal sealed class CountingRunner(Screen screen, int threads) : IShardRunner
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
                screen.Count(Invariant($"{done}{all} replications"));
        }
    }
}
