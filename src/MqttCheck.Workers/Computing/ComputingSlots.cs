using System.Diagnostics;
using System.Threading.Channels;
using MqttCheck.Shards;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// The threads on which a worker computes, one for each slot. They are separate, so that a busy worker still answers
/// requests for its state.
/// </summary>
internal sealed class ComputingSlots : IDisposable
{
    // A simulator holds memory for each client, so only those of the last jobs are kept.
    private const int MostSimulators = 4;

    private readonly Channel<Work> _waiting = Channel.CreateUnbounded<Work>();
    private readonly CancellationTokenSource _ending = new();
    private readonly Thread[] _threads;
    private int _busy;
    private long _replications;

    /// <summary>Starts the threads.</summary>
    /// <param name="count">How many slots, 1 or more.</param>
    public ComputingSlots(int count)
    {
        _threads = [.. Enumerable.Range(0, count).Select(_ => new Thread(Compute) { IsBackground = true })];
        foreach (var thread in _threads)
            thread.Start();
    }

    private sealed record Work(
        string Name,
        IReplicationJob Job,
        Shard Shard,
        TaskCompletionSource<ShardAnswer> Answer,
        CancellationToken Cancellation
    );

    /// <summary>How many slots there are.</summary>
    public int Count => _threads.Length;

    /// <summary>How many of them compute.</summary>
    public int Busy => Volatile.Read(ref _busy);

    /// <summary>How many replications were computed.</summary>
    public long Replications => Interlocked.Read(ref _replications);

    /// <summary>Computes a shard when a slot is free.</summary>
    /// <exception cref="InputException">A replication failed.</exception>
    public Task<ShardAnswer> ComputeAsync(string name, IReplicationJob job, Shard shard, CancellationToken cancellation)
    {
        var answer = new TaskCompletionSource<ShardAnswer>(TaskCreationOptions.RunContinuationsAsynchronously);
        _waiting.Writer.TryWrite(new(name, job, shard, answer, cancellation));
        return answer.Task;
    }

    /// <summary>Ends the threads; computations under way are given up.</summary>
    public void Dispose()
    {
        _waiting.Writer.TryComplete();
        _ending.Cancel();
        foreach (var thread in _threads)
            thread.Join();
        _ending.Dispose();
    }

    private void Compute()
    {
        var simulators = new List<(string Name, Func<Shard, CancellationToken, byte[]> Compute)>();
        while (Next() is { } work)
        {
            Interlocked.Increment(ref _busy);
            try
            {
                work.Answer.SetResult(Compute(work, simulators));
                Interlocked.Add(ref _replications, work.Shard.Count);
            }
            catch (OperationCanceledException)
            {
                work.Answer.TrySetCanceled(CancellationToken.None);
            }
            catch (Exception exception)
            {
                work.Answer.TrySetException(exception);
            }
            finally
            {
                Interlocked.Decrement(ref _busy);
            }
        }
    }

    private Work? Next()
    {
        try
        {
            return _waiting.Reader.WaitToReadAsync(_ending.Token).AsTask().GetAwaiter().GetResult()
                && _waiting.Reader.TryRead(out var work)
                    ? work
                : _ending.IsCancellationRequested || _waiting.Reader.Completion.IsCompleted ? null
                : Next();
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    private ShardAnswer Compute(
        Work work,
        List<(string Name, Func<Shard, CancellationToken, byte[]> Compute)> simulators
    )
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(work.Cancellation, _ending.Token);
        either.Token.ThrowIfCancellationRequested();
        var started = Stopwatch.GetTimestamp();
        var at = simulators.FindIndex(kept => kept.Name == work.Name);
        var simulator = at < 0 ? (work.Name, Compute: work.Job.StartShards()) : simulators[at];
        if (at >= 0)
            simulators.RemoveAt(at);
        var outcomes = simulator.Compute(work.Shard, either.Token);
        // A simulator that failed is not used again.
        simulators.Insert(0, simulator);
        if (simulators.Count > MostSimulators)
            simulators.RemoveAt(MostSimulators);
        return new() { Outcomes = outcomes, Milliseconds = Stopwatch.GetElapsedTime(started).TotalMilliseconds };
    }
}
