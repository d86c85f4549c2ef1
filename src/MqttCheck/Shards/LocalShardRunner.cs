using System.Diagnostics;
using System.Runtime.ExceptionServices;

namespace MqttCheck.Shards;

/// <summary>Computes replications on threads of this process.</summary>
/// <param name="threads">How many threads, 1 or more; the outcomes are the same for any number.</param>
internal sealed class LocalShardRunner(int threads) : IShardRunner
{
    private readonly int _threads =
        threads > 0 ? threads : throw new ArgumentOutOfRangeException(nameof(threads), threads, "must be 1 or more");

    /// <inheritdoc/>
    public IEnumerable<TOutcome> Run<TOutcome>(
        ReplicationJob<TOutcome> job,
        int? replications,
        CancellationToken cancellation
    )
    {
        var useful = Math.Min(_threads, replications ?? int.MaxValue);
        return useful <= 1
            ? OnThisThread(job, replications ?? int.MaxValue, cancellation)
            : OnThreads(job, replications, useful, cancellation);
    }

    private static IEnumerable<TOutcome> OnThisThread<TOutcome>(
        ReplicationJob<TOutcome> job,
        int replications,
        CancellationToken cancellation
    )
    {
        var simulate = job.Start();
        for (var number = 0; number < replications; number++)
            yield return simulate(number, cancellation);
    }

    private static IEnumerable<TOutcome> OnThreads<TOutcome>(
        ReplicationJob<TOutcome> job,
        int? replications,
        int threads,
        CancellationToken cancellation
    )
    {
        using var crew = new Crew<TOutcome>(job, new(replications) { Slots = threads }, cancellation);
        while (crew.Next() is { } outcomes)
        {
            foreach (var outcome in outcomes)
                yield return outcome;
        }
    }

    /// <summary>The threads of one job. They end when it is disposed of.</summary>
    private sealed class Crew<TOutcome> : IDisposable
    {
        private readonly ReplicationJob<TOutcome> _job;
        private readonly ShardLedger<TOutcome[]> _ledger;
        private readonly CancellationTokenSource _ending;
        private readonly Thread[] _threads;
        private readonly object _gate = new();
        private bool _isOver;

        public Crew(ReplicationJob<TOutcome> job, ShardLedger<TOutcome[]> ledger, CancellationToken cancellation)
        {
            (_job, _ledger) = (job, ledger);
            _ending = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            _threads = [.. Enumerable.Range(0, ledger.Slots).Select(_ => new Thread(Work) { IsBackground = true })];
            foreach (var thread in _threads)
                thread.Start();
        }

        /// <summary>The outcomes of the next shard in order; null after the last one.</summary>
        public TOutcome[]? Next()
        {
            lock (_gate)
            {
                if (_ledger.IsFinished)
                    return null;
                TOutcome[]? outcomes;
                Exception? failure;
                while (!_ledger.TryConsume(out _, out outcomes, out failure))
                    Monitor.Wait(_gate);
                Monitor.PulseAll(_gate);
                if (failure is not null)
                    ExceptionDispatchInfo.Throw(failure);
                return outcomes;
            }
        }

        public void Dispose()
        {
            lock (_gate)
            {
                _isOver = true;
                Monitor.PulseAll(_gate);
            }
            _ending.Cancel();
            foreach (var thread in _threads)
                thread.Join();
            _ending.Dispose();
        }

        private void Work()
        {
            Func<int, CancellationToken, TOutcome>? simulate = null;
            while (Take() is { } shard)
            {
                try
                {
                    var started = Stopwatch.GetTimestamp();
                    simulate ??= _job.Start();
                    var outcomes = new TOutcome[shard.Count];
                    for (var i = 0; i < outcomes.Length; i++)
                        outcomes[i] = simulate(shard.First + i, _ending.Token);
                    Note(() => _ledger.Complete(shard, outcomes, Stopwatch.GetElapsedTime(started).TotalMilliseconds));
                }
                catch (Exception exception)
                {
                    // It is the caller's when its turn comes: an earlier replication may fail as well.
                    Note(() => _ledger.Fail(shard, exception));
                }
            }
        }

        private Shard? Take()
        {
            lock (_gate)
            {
                while (!_isOver)
                {
                    if (_ledger.TryTake(out var shard))
                        return shard;
                    if (_ledger.IsCut)
                        return null;
                    Monitor.Wait(_gate);
                }
                return null;
            }
        }

        private void Note(Action note)
        {
            lock (_gate)
            {
                note();
                Monitor.PulseAll(_gate);
            }
        }
    }
}
