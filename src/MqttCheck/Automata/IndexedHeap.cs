namespace MqttCheck.Automata;

/// <summary>Times by number, of which the smallest is known: a 4-ary heap whose entries can change in place. Ties go to the smaller number.</summary>
internal sealed class IndexedHeap
{
    private struct Entry
    {
        public double Time;
        public int Number;
    }

    private readonly Entry[] _heap;
    private readonly int[] _place;

    public IndexedHeap(int count)
    {
        _heap = new Entry[count];
        _place = new int[count];
        Clear();
    }

    /// <summary>The number with the smallest time.</summary>
    public int First => _heap[0].Number;

    /// <summary>The smallest time.</summary>
    public double FirstTime => _heap[0].Time;

    /// <summary>Whether another number shares the smallest time.</summary>
    public bool HasTie
    {
        get
        {
            var time = _heap[0].Time;
            for (var i = 1; i < Math.Min(5, _heap.Length); i++)
                if (_heap[i].Time == time) return true;
            return false;
        }
    }

    /// <summary>The time of a number.</summary>
    public double this[int number] => _heap[_place[number]].Time;

    /// <summary>Adds the numbers that share the smallest time to a list, in no order.</summary>
    public void AddTies(List<int> ties) => AddTies(ties, 0);

    public void Clear()
    {
        for (var i = 0; i < _heap.Length; i++)
        {
            _heap[i] = new() { Time = double.PositiveInfinity, Number = i };
            _place[i] = i;
        }
    }

    public void CopyFrom(IndexedHeap other)
    {
        other._heap.CopyTo(_heap, 0);
        other._place.CopyTo(_place, 0);
    }

    public void Set(int number, double time)
    {
        var at = _place[number];
        var before = _heap[at].Time;
        if (time < before) Rise(at, new() { Time = time, Number = number });
        else if (time > before) Sink(at, new() { Time = time, Number = number });
    }

    private void AddTies(List<int> ties, int at)
    {
        if (at >= _heap.Length || _heap[at].Time != _heap[0].Time) return;
        ties.Add(_heap[at].Number);
        for (var child = 4 * at + 1; child <= 4 * at + 4; child++) AddTies(ties, child);
    }

    private void Rise(int at, Entry entry)
    {
        while (at > 0)
        {
            var parent = (at - 1) >> 2;
            if (!Before(in entry, in _heap[parent])) break;
            Put(at, _heap[parent]);
            at = parent;
        }
        Put(at, entry);
    }

    private void Sink(int at, Entry entry)
    {
        var heap = _heap;
        while (true)
        {
            var child = 4 * at + 1;
            if (child >= heap.Length) break;
            var best = child;
            var last = Math.Min(child + 4, heap.Length);
            for (var other = child + 1; other < last; other++)
            {
                if (Before(in heap[other], in heap[best])) best = other;
            }
            if (!Before(in heap[best], in entry)) break;
            Put(at, heap[best]);
            at = best;
        }
        Put(at, entry);
    }

    private void Put(int at, Entry entry)
    {
        _heap[at] = entry;
        _place[entry.Number] = at;
    }

    private static bool Before(in Entry a, in Entry b) => a.Time < b.Time || (a.Time == b.Time && a.Number < b.Number);
}
