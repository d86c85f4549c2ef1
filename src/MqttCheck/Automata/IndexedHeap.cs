namespace MqttCheck.Automata;

/// <summary>Times by number, of which the smallest is known: a 4-ary heap whose entries can change in place. Ties go to the smaller number.</summary>
internal sealed class IndexedHeap
{
    private readonly double[] _times;
    private readonly int[] _heap, _place;

    public IndexedHeap(int count)
    {
        _times = new double[count];
        _heap = new int[count];
        _place = new int[count];
        Clear();
    }

    /// <summary>The number with the smallest time.</summary>
    public int First => _heap[0];

    /// <summary>The smallest time.</summary>
    public double FirstTime => _times[_heap[0]];

    /// <summary>The second smallest time.</summary>
    public double SecondTime
    {
        get
        {
            var second = double.PositiveInfinity;
            for (var i = 1; i < Math.Min(5, _heap.Length); i++) second = Math.Min(second, _times[_heap[i]]);
            return second;
        }
    }

    public double this[int number] => _times[number];

    /// <summary>The numbers that share the smallest time.</summary>
    public IEnumerable<int> Ties() => Ties(0);

    public void Clear()
    {
        Array.Fill(_times, double.PositiveInfinity);
        for (var i = 0; i < _heap.Length; i++) _heap[i] = _place[i] = i;
    }

    public void CopyFrom(IndexedHeap other)
    {
        other._times.CopyTo(_times, 0);
        other._heap.CopyTo(_heap, 0);
        other._place.CopyTo(_place, 0);
    }

    public void Set(int number, double time)
    {
        var before = _times[number];
        if (time == before) return;
        _times[number] = time;
        if (time < before) Rise(_place[number], number, time);
        else Sink(_place[number], number, time);
    }

    private IEnumerable<int> Ties(int at)
    {
        if (at >= _heap.Length || _times[_heap[at]] != FirstTime) yield break;
        yield return _heap[at];
        for (var child = 4 * at + 1; child <= 4 * at + 4; child++)
        {
            foreach (var number in Ties(child)) yield return number;
        }
    }

    private void Rise(int at, int number, double time)
    {
        while (at > 0)
        {
            var parent = (at - 1) >> 2;
            if (!Before(time, number, _heap[parent])) break;
            Put(at, _heap[parent]);
            at = parent;
        }
        Put(at, number);
    }

    private void Sink(int at, int number, double time)
    {
        while (true)
        {
            var child = 4 * at + 1;
            if (child >= _heap.Length) break;
            var best = child;
            var last = Math.Min(child + 4, _heap.Length);
            for (var other = child + 1; other < last; other++)
            {
                if (Before(_times[_heap[other]], _heap[other], _heap[best])) best = other;
            }
            if (Before(time, number, _heap[best])) break;
            Put(at, _heap[best]);
            at = best;
        }
        Put(at, number);
    }

    private void Put(int at, int number)
    {
        _heap[at] = number;
        _place[number] = at;
    }

    private bool Before(double time, int number, int other) => time < _times[other] || (time == _times[other] && number < other);
}
