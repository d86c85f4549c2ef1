namespace MqttCheck.Brokers.Wire.Timers;

/// <summary>
/// Timers in order of their due time; ties are in the order in which they were set. It is a 4-ary heap, in which
/// setting, cancelling and firing take O(log n) without allocation.
/// </summary>
/// <remarks>
/// A ticket is a slot number and the slot's generation, so a ticket of a fired timer never cancels a later one.
/// </remarks>
internal sealed class TimerHeap
{
    private const int Arity = 4;

    private Node[] _heap = new Node[64];
    private Slot[] _slots = new Slot[64];
    private int _firstFree = -1;
    private int _slotsUsed;

    /// <summary>How many timers are set.</summary>
    public int Count { get; private set; }

    /// <summary>The number the next timer gets: those set from now on have at least this one.</summary>
    public long NextSequence { get; private set; }

    /// <summary>When the first timer is due, <see cref="long.MaxValue"/> when none is set.</summary>
    public long NextDue => Count == 0 ? long.MaxValue : _heap[0].Due;

    /// <summary>Sets a timer.</summary>
    /// <param name="target">Who is told.</param>
    /// <param name="due">When, in nanoseconds.</param>
    /// <param name="tag">Handed back.</param>
    /// <returns>Its ticket, never 0.</returns>
    public long Add(object target, long due, int tag)
    {
        var slot = _firstFree;
        if (slot >= 0)
        {
            _firstFree = _slots[slot].Position;
        }
        else
        {
            if (_slotsUsed == _slots.Length)
                Array.Resize(ref _slots, _slots.Length * 2);
            slot = _slotsUsed++;
        }
        ref var entry = ref _slots[slot];
        entry.Target = target;
        entry.Tag = tag;
        entry.Generation = (entry.Generation + 1) & int.MaxValue;
        if (Count == _heap.Length)
            Array.Resize(ref _heap, _heap.Length * 2);
        SiftUp(Count++, new Node(due, NextSequence++, slot));
        return ((long)entry.Generation << 32) | (uint)(slot + 1);
    }

    /// <summary>Cancels a timer.</summary>
    /// <param name="ticket">The ticket from <see cref="Add"/>; 0 and the tickets of fired timers are ignored.</param>
    /// <returns>Whether a timer was cancelled.</returns>
    public bool Cancel(long ticket)
    {
        var slot = (int)(uint)ticket - 1;
        if ((uint)slot >= (uint)_slotsUsed)
            return false;
        ref var entry = ref _slots[slot];
        if (entry.Target is null || entry.Generation != (int)(ticket >> 32))
            return false;
        RemoveAt(entry.Position);
        return true;
    }

    /// <summary>Takes the first timer out if it is due.</summary>
    /// <param name="now">The time, in nanoseconds.</param>
    /// <param name="beforeSequence">
    /// Only timers with a smaller number are taken, which were set before the round began.
    /// </param>
    /// <param name="timer">The timer.</param>
    /// <returns>Whether there was one.</returns>
    public bool TryTake(long now, long beforeSequence, out DueTimer timer)
    {
        if (Count == 0 || _heap[0].Due > now || _heap[0].Sequence >= beforeSequence)
        {
            timer = default;
            return false;
        }
        var node = _heap[0];
        ref readonly var entry = ref _slots[node.Slot];
        timer = new DueTimer(entry.Target!, node.Due, entry.Tag);
        RemoveAt(0);
        return true;
    }

    private void RemoveAt(int position)
    {
        ref var entry = ref _slots[_heap[position].Slot];
        entry.Target = null;
        entry.Position = _firstFree;
        _firstFree = _heap[position].Slot;
        var last = _heap[--Count];
        if (position == Count)
            return;
        if (position > 0 && last.IsBefore(_heap[(position - 1) / Arity]))
            SiftUp(position, last);
        else
            SiftDown(position, last);
    }

    private void SiftUp(int position, Node node)
    {
        while (position > 0)
        {
            var parent = (position - 1) / Arity;
            if (!node.IsBefore(_heap[parent]))
                break;
            Place(position, _heap[parent]);
            position = parent;
        }
        Place(position, node);
    }

    private void SiftDown(int position, Node node)
    {
        while (true)
        {
            var first = position * Arity + 1;
            if (first >= Count)
                break;
            var best = first;
            var end = Math.Min(first + Arity, Count);
            for (var child = first + 1; child < end; child++)
            {
                if (_heap[child].IsBefore(_heap[best]))
                    best = child;
            }
            if (!_heap[best].IsBefore(node))
                break;
            Place(position, _heap[best]);
            position = best;
        }
        Place(position, node);
    }

    private void Place(int position, Node node)
    {
        _heap[position] = node;
        _slots[node.Slot].Position = position;
    }

    private readonly record struct Node(long Due, long Sequence, int Slot)
    {
        public bool IsBefore(in Node other) => Due < other.Due || (Due == other.Due && Sequence < other.Sequence);
    }

    // Position is the place in the heap, or the next free slot if the slot is free.
    private struct Slot
    {
        public object? Target;
        public int Tag;
        public int Position;
        public int Generation;
    }
}
