using System.Diagnostics;
using System.Runtime.ExceptionServices;
using MqttCheck.Shards;
using MqttCheck.Workers.Computing;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Coordinating;

/// <summary>Gives the shards of one job to workers, and takes their outcomes.</summary>
internal sealed class ShardDispatch : IDisposable
{
    // The window of each slot limits how many shards may be ahead of the first missing one. A lost shard comes back
    // after some seconds, during which the other slots go on.
    private const int WindowOfSlot = 64;
    private const long MostHeldBytes = 64L << 20;

    // A shard is late after this multiple of the longest computing time, and never before the least time below.
    private const double Lateness = 4;
    private static readonly TimeSpan s_soonest = TimeSpan.FromSeconds(8);

    // A shard that was lost with this many workers is taken for the cause of their loss.
    private const int MostLosses = 10;
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(250),
        s_pause = TimeSpan.FromSeconds(1);

    private readonly WorkerPool _pool;
    private readonly JobDescription _job;
    private readonly Action<WorkerProgress> _report;
    private readonly TimeSpan _longestSilence;
    private readonly int? _replications;
    private readonly ShardLedger<byte[]> _ledger;
    private readonly CancellationTokenSource _ending = new();
    private readonly object _gate = new();
    private readonly List<Attempt> _underWay = [];
    private readonly Dictionary<WorkerLink, long> _pausedSince = [];
    private readonly Dictionary<Shard, int> _losses = [];
    private TimeSpan _longest;
    private string _lastLoss = "it left";
    private long _answeredAt = Stopwatch.GetTimestamp();

    public ShardDispatch(
        WorkerPool pool,
        JobDescription job,
        int? replications,
        TimeSpan longestSilence,
        int mostOfShard,
        Action<WorkerProgress> report
    )
    {
        (_pool, _job, _replications, _longestSilence, _report) = (pool, job, replications, longestSilence, report);
        _ledger = new(replications)
        {
            WindowOfSlot = WindowOfSlot,
            MostHeld = MostHeldBytes,
            MostOfShard = mostOfShard,
        };
        _pool.Changed += Give;
        Give();
    }

    private sealed class Attempt(WorkerLink link, Shard shard)
    {
        public WorkerLink Link { get; } = link;
        public Shard Shard { get; } = shard;
        public long Started { get; } = Stopwatch.GetTimestamp();

        // Whether the shard was given to another worker as well.
        public bool IsGivenAgain { get; set; }
    }

    /// <summary>How many replications are computed; each counts once.</summary>
    public int Done => _ledger.Done;

    /// <summary>How many shards had to be given out again.</summary>
    public int Repeated { get; private set; }

    /// <summary>The outcomes of the next shard in order; null after the last one.</summary>
    /// <exception cref="InputException">A replication of the shard is wrong.</exception>
    /// <exception cref="WorkerException">No worker has answered for too long.</exception>
    public (Shard Shard, byte[] Outcomes)? Next(CancellationToken cancellation)
    {
        Give();
        lock (_gate)
        {
            while (!_ledger.IsFinished)
            {
                cancellation.ThrowIfCancellationRequested();
                if (_ledger.TryConsume(out var shard, out var outcomes, out var failure))
                {
                    if (failure is not null)
                        ExceptionDispatchInfo.Throw(failure);
                    return (shard, outcomes!);
                }
                Monitor.Wait(_gate, s_tick);
                GiveLocked();
                RequireAnswers();
            }
            return null;
        }
    }

    /// <summary>Ends the attempts under way, at the workers too.</summary>
    public void Dispose()
    {
        _pool.Changed -= Give;
        _ending.Cancel();
        lock (_gate)
        {
            // The tasks of the attempts end by themselves; the source may be disposed of only afterwards.
            while (_underWay.Count > 0 && Monitor.Wait(_gate, TimeSpan.FromSeconds(2)))
                ;
            if (_underWay.Count == 0)
                _ending.Dispose();
        }
    }

    private void RequireAnswers()
    {
        var lastSign = _pool.Links.Select(link => link.SeenAt).Append(_answeredAt).Max();
        if (Stopwatch.GetElapsedTime(lastSign) < _longestSilence)
            return;
        throw new WorkerException(
            FormattableString.Invariant($"no worker has answered for {_longestSilence.TotalSeconds:0.#} s, after ")
                + FormattableString.Invariant($"{_ledger.Done} replications; start a worker, and the command again.")
        );
    }

    private void Give()
    {
        lock (_gate)
            GiveLocked();
    }

    private void GiveLocked()
    {
        if (_ending.IsCancellationRequested)
            return;
        var links = _pool.Links;
        foreach (var lost in _underWay.Where(attempt => !links.Contains(attempt.Link)).ToArray())
            Lose(lost);
        _ledger.Slots = Math.Max(1, links.Sum(link => link.Pulse!.Slots));
        // The worker with the most free slots comes first, so that a few shards are spread over many machines.
        while (links.Where(IsUsable).MaxBy(Free) is { } link && Free(link) > 0 && TryTake(out var shard))
            _ = ComputeAsync(new(link, shard));
        _report(new(_ledger.Done, _replications, links.Count, _ledger.Slots, Repeated));
    }

    private bool IsUsable(WorkerLink link) =>
        !_pausedSince.TryGetValue(link, out var since) || Stopwatch.GetElapsedTime(since) >= s_pause;

    private int Free(WorkerLink link) => link.Pulse!.Slots - _underWay.Count(attempt => attempt.Link == link);

    private bool TryTake(out Shard shard)
    {
        var late = _underWay.Find(attempt =>
            !attempt.IsGivenAgain
            && _ledger.IsOpen(attempt.Shard)
            && Stopwatch.GetElapsedTime(attempt.Started)
                > (s_soonest > Lateness * _longest ? s_soonest : Lateness * _longest)
        );
        if (late is null)
            return _ledger.TryTake(out shard);
        late.IsGivenAgain = true;
        Repeated++;
        shard = late.Shard;
        return true;
    }

    private async Task ComputeAsync(Attempt attempt)
    {
        _underWay.Add(attempt);
        try
        {
            var answer = await attempt.Link.ComputeAsync(_job, attempt.Shard, _ending.Token).ConfigureAwait(false);
            Note(attempt, () => Take(attempt, answer));
        }
        catch (OperationCanceledException) when (_ending.IsCancellationRequested)
        {
            Note(attempt, () => { });
        }
        catch (WorkerException refusal)
        {
            Note(attempt, () => _ledger.Fail(attempt.Shard, refusal));
        }
        catch (Exception failure)
        {
            _lastLoss = failure.Message.Split('\n')[0];
            // The connection or the worker is lost. A worker that is still listed gets a pause.
            Note(
                attempt,
                () =>
                {
                    _pausedSince[attempt.Link] = Stopwatch.GetTimestamp();
                    Lose(attempt);
                }
            );
        }
    }

    private void Take(Attempt attempt, ShardAnswer answer)
    {
        _answeredAt = Stopwatch.GetTimestamp();
        var elapsed = Stopwatch.GetElapsedTime(attempt.Started);
        _longest = elapsed > _longest ? elapsed : _longest;
        if (answer.Outcomes is { } outcomes)
            _ledger.Complete(attempt.Shard, outcomes, answer.Milliseconds, outcomes.Length);
        else
            _ledger.Fail(attempt.Shard, new InputException(answer.InputError!));
    }

    private void Lose(Attempt attempt)
    {
        if (!_underWay.Remove(attempt) || !_ledger.IsOpen(attempt.Shard) || attempt.IsGivenAgain)
            return;
        Repeated++;
        var losses = _losses[attempt.Shard] = _losses.GetValueOrDefault(attempt.Shard) + 1;
        if (losses < MostLosses)
            _ledger.Repeat(attempt.Shard);
        else
            _ledger.Fail(
                attempt.Shard,
                new WorkerException(
                    $"replications {attempt.Shard.First} to {attempt.Shard.End - 1}: {losses} workers were lost with "
                        + $"them; the last one: {_lastLoss}"
                )
            );
    }

    private void Note(Attempt attempt, Action note)
    {
        lock (_gate)
        {
            note();
            _underWay.Remove(attempt);
            GiveLocked();
            Monitor.PulseAll(_gate);
        }
    }
}
