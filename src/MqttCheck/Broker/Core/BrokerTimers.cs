namespace MqttCheck.Broker.Core;

/// <summary>The timers of the broker: a binary heap by due time, ties in the order they were set.</summary>
internal sealed class BrokerTimers
{
    private readonly List<BrokerTimer> _heap = [];
    private long _sequence;

    /// <summary>When the first timer is due, <see cref="long.MaxValue"/> when none is set.</summary>
    public long NextDue => _heap.Count == 0 ? long.MaxValue : _heap[0].DueNanoseconds;

    /// <summary>Sets a timer, or moves it.</summary>
    public void Set(BrokerTimer timer, long dueNanoseconds)
    {
        Cancel(timer);
        timer.DueNanoseconds = dueNanoseconds;
        timer.Sequence = _sequence++;
        _heap.Add(timer);
        Up(_heap.Count - 1, timer);
    }

    /// <summary>Takes a timer out, if it is set.</summary>
    public void Cancel(BrokerTimer timer)
    {
        var position = timer.Position;
        if (position < 0)
            return;
        timer.Position = -1;
        var last = _heap[^1];
        _heap.RemoveAt(_heap.Count - 1);
        if (last == timer)
            return;
        if (position > 0 && Before(last, _heap[(position - 1) / 2]))
            Up(position, last);
        else
            Down(position, last);
    }

    /// <summary>Takes out the first timer, if it is due.</summary>
    public BrokerTimer? TakeDue(long nowNanoseconds)
    {
        if (_heap.Count == 0 || NextDue > nowNanoseconds)
            return null;
        var first = _heap[0];
        Cancel(first);
        return first;
    }

    private static bool Before(BrokerTimer a, BrokerTimer b) =>
        a.DueNanoseconds < b.DueNanoseconds || (a.DueNanoseconds == b.DueNanoseconds && a.Sequence < b.Sequence);

    private void Up(int position, BrokerTimer timer)
    {
        while (position > 0 && Before(timer, _heap[(position - 1) / 2]))
        {
            Place(position, _heap[(position - 1) / 2]);
            position = (position - 1) / 2;
        }
        Place(position, timer);
    }

    private void Down(int position, BrokerTimer timer)
    {
        while (true)
        {
            var child = (2 * position) + 1;
            if (child >= _heap.Count)
                break;
            if (child + 1 < _heap.Count && Before(_heap[child + 1], _heap[child]))
                child++;
            if (!Before(_heap[child], timer))
                break;
            Place(position, _heap[child]);
            position = child;
        }
        Place(position, timer);
    }

    private void Place(int position, BrokerTimer timer)
    {
        _heap[position] = timer;
        timer.Position = position;
    }
}
