using System.Diagnostics.CodeAnalysis;

namespace MqttCheck.Shards;

/// <summary>
/// Cuts the replications of a job into shards, and hands their results on in order, each exactly once. A shard takes
/// about <see cref="ShardMilliseconds"/>. It is shorter at first, when nothing is known of the time of a replication,
/// and at the end, so that all computers end together. If the number of necessary replications is unknown, shards are
/// short beside the work done so far, to waste little. Not thread-safe.
/// </summary>
/// <typeparam name="TResult">The result of a shard.</typeparam>
/// <param name="replications">How many replications the job has; null for no end.</param>
internal sealed class ShardLedger<TResult>(int? replications)
{
    /// <summary>How long the work of a shard lasts, about.</summary>
    public const double ShardMilliseconds = 200;

    // Shares of what is left, and of what is done: the larger they are, the later the last shard may end.
    private const int SharesOfRest = 2,
        SharesOfDone = 4;

    private readonly Queue<Entry> _order = [];
    private readonly Dictionary<int, Entry> _byFirst = [];
    private readonly Queue<Shard> _again = [];
    private int _cut;
    private double _milliseconds;
    private long _held;
    private bool _hasFailed;

    private sealed class Entry(Shard shard)
    {
        public Shard Shard { get; } = shard;
        public bool IsDone { get; set; }
        public TResult? Result { get; set; }
        public Exception? Failure { get; set; }
        public long Weight { get; set; }
    }

    /// <summary>How many shards are computed at once, 1 or more.</summary>
    public int Slots { get; set; } = 1;

    /// <summary>How many shards may be cut that are not consumed, for each slot.</summary>
    public int WindowOfSlot { get; init; } = 4;

    /// <summary>How many replications a shard may have, 1 or more.</summary>
    public int MostOfShard { get; init; } = int.MaxValue;

    /// <summary>How much the results may weigh that wait for an earlier one.</summary>
    public long MostHeld { get; init; } = long.MaxValue;

    /// <summary>How many replications are computed; each counts once.</summary>
    public int Done { get; private set; }

    /// <summary>How many replications are handed on.</summary>
    public int Consumed { get; private set; }

    /// <summary>Whether every result was handed on.</summary>
    public bool IsFinished => replications == Consumed;

    /// <summary>Whether every replication was taken once.</summary>
    public bool IsCut => replications == _cut;

    /// <summary>A shard to compute now, if there is one.</summary>
    /// <param name="shard">The shard; one that has to be repeated comes first.</param>
    public bool TryTake(out Shard shard)
    {
        while (_again.TryDequeue(out shard))
            if (IsOpen(shard))
                return true;
        shard = default;
        // After a failure nobody asks for what comes later.
        if (IsCut || _cut == int.MaxValue || _hasFailed)
            return false;
        // The first one of all is waited for: it may always be computed.
        if (_order.Count > 0 && (_order.Count >= (long)WindowOfSlot * Slots || _held > MostHeld))
            return false;
        var entry = new Entry(new(_cut, NextCount()));
        shard = entry.Shard;
        _cut = shard.End;
        _order.Enqueue(entry);
        _byFirst.Add(shard.First, entry);
        return true;
    }

    /// <summary>Whether the result of a shard is still missing.</summary>
    /// <param name="shard">A shard that was taken.</param>
    public bool IsOpen(Shard shard) => _byFirst.TryGetValue(shard.First, out var entry) && !entry.IsDone;

    /// <summary>Lets a shard be taken again whose computer is lost, or late.</summary>
    /// <param name="shard">A shard that was taken.</param>
    public void Repeat(Shard shard) => _again.Enqueue(shard);

    /// <summary>Notes the result of a shard.</summary>
    /// <param name="shard">A shard that was taken.</param>
    /// <param name="result">Its result.</param>
    /// <param name="milliseconds">How long it was computed.</param>
    /// <param name="weight">How much the result weighs.</param>
    /// <returns>Whether it was missing; a second result of the same shard counts for nothing.</returns>
    public bool Complete(Shard shard, TResult result, double milliseconds, long weight = 0)
    {
        if (!IsOpen(shard))
            return false;
        var entry = _byFirst[shard.First];
        (entry.IsDone, entry.Result, entry.Weight) = (true, result, weight);
        _held += weight;
        Done += shard.Count;
        _milliseconds += milliseconds;
        return true;
    }

    /// <summary>Notes that a shard cannot be computed, by nobody.</summary>
    /// <param name="shard">A shard that was taken.</param>
    /// <param name="failure">Why.</param>
    public void Fail(Shard shard, Exception failure)
    {
        if (!IsOpen(shard))
            return;
        var entry = _byFirst[shard.First];
        (entry.IsDone, entry.Failure) = (true, failure);
        _hasFailed = true;
    }

    /// <summary>Hands on the next result in order, if it is there.</summary>
    /// <param name="shard">Its shard.</param>
    /// <param name="result">The result.</param>
    /// <param name="failure">Or why there is none.</param>
    public bool TryConsume(out Shard shard, [MaybeNullWhen(false)] out TResult result, out Exception? failure)
    {
        (shard, result, failure) = (default, default, null);
        if (!_order.TryPeek(out var entry) || !entry.IsDone)
            return false;
        _order.Dequeue();
        _byFirst.Remove(entry.Shard.First);
        _held -= entry.Weight;
        Consumed += entry.Shard.Count;
        (shard, result, failure) = (entry.Shard, entry.Result!, entry.Failure);
        return true;
    }

    private int NextCount()
    {
        var most = replications is { } all ? (all - _cut) / (SharesOfRest * Slots) : Done / (SharesOfDone * Slots);
        var inTime = _milliseconds > 0 ? Math.Min(ShardMilliseconds * Done / _milliseconds, int.MaxValue) : 1;
        return Math.Clamp((int)Math.Min(Math.Min(inTime, most), MostOfShard), 1, (replications ?? int.MaxValue) - _cut);
    }
}
