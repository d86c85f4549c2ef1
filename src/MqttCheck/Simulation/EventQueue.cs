using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace MqttCheck.Simulation;

/// <summary>
/// The pending events of a fleet, one per client, in order of time, then of client. A calendar: time is cut into
/// slices; the events of a slice lie unordered in a list until their slice is opened, when they go through a heap; a
/// ring of slices covers the near future, and a second heap holds what lies beyond. Waits are long compared with what
/// happens meanwhile, so almost every event costs a constant number of operations, while a bad slice length costs no
/// more than a heap.
/// </summary>
internal sealed class EventQueue
{
    private const int Ring = 2;

    // Without padding, a quarter less to have in the cache.
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    private struct Pending
    {
        public double Time;
        public int Next;
    }

    private readonly int[] _first;
    private readonly Pending[] _pending;
    private readonly ulong[] _occupied;
    private readonly int _mask;
    private readonly double _slicesPerMillisecond;
    private EventHeap _open,
        _far;
    private long _slice;

    /// <summary>A queue without events.</summary>
    /// <param name="clients">How many clients there are.</param>
    /// <param name="horizonMilliseconds">How far ahead most events lie; positive.</param>
    public EventQueue(int clients, double horizonMilliseconds)
    {
        var slices = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(64, Ring * clients));
        _first = new int[slices];
        _pending = new Pending[clients];
        _occupied = new ulong[slices / 64];
        _mask = slices - 1;
        _slicesPerMillisecond = slices / horizonMilliseconds;
        _open = new EventHeap(16);
        _far = new EventHeap(0);
        Clear();
    }

    /// <summary>The latest time that the calendar can hold, in milliseconds.</summary>
    public double Latest => (1L << 60) / _slicesPerMillisecond;

    /// <summary>When the next event is due; call <see cref="Advance"/> first.</summary>
    public double Time => _open.First.Time;

    /// <summary>Whose event is next; call <see cref="Advance"/> first.</summary>
    public int Client => _open.First.Client;

    /// <summary>Forgets all events.</summary>
    public void Clear()
    {
        Array.Fill(_first, -1);
        Array.Clear(_occupied);
        _open.Clear();
        _far.Clear();
        _slice = -1;
    }

    /// <summary>Adds an event of a client that has none.</summary>
    /// <param name="client">The client.</param>
    /// <param name="time">At most <see cref="Latest"/>.</param>
    public void Add(int client, double time) => Add(client, time, SliceOf(time));

    /// <summary>Replaces the next event by a later one of the same client.</summary>
    /// <param name="client">The client.</param>
    /// <param name="time">At most <see cref="Latest"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Replace(int client, double time)
    {
        var slice = SliceOf(time);
        if (slice <= _slice)
        {
            _open.DelayFirst(time);
            return;
        }
        _open.RemoveFirst();
        Add(client, time, slice);
    }

    /// <summary>Gives the event of a client an earlier time, not before that of the last event that was next.</summary>
    /// <param name="client">The client.</param>
    /// <param name="from">The time that it had.</param>
    /// <param name="to">The new one.</param>
    public void Move(int client, double from, double to)
    {
        var slice = SliceOf(from);
        if (slice <= _slice)
            _open.Remove(client);
        else if (!RemoveFromRing(client, slice))
            _far.Remove(client);
        slice = SliceOf(to);
        if (slice <= _slice)
            _open.Add(to, client);
        else
            Add(client, to, slice);
    }

    // Lists are short, one or two events on average.
    private bool RemoveFromRing(int client, long slice)
    {
        if (slice - _slice - 1 >= _mask)
            return false;
        var at = (int)slice & _mask;
        ref var link = ref _first[at];
        while (link >= 0 && link != client)
            link = ref _pending[link].Next;
        // It was beyond the ring when it was added.
        if (link < 0)
            return false;
        link = _pending[client].Next;
        if (_first[at] < 0)
            _occupied[at >> 6] &= ~(1UL << at);
        return true;
    }

    /// <summary>Makes sure that the next event is known. There must be an event.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance()
    {
        if (_open.Count == 0)
            OpenNextSlice();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long SliceOf(double time) => double.ConvertToIntegerNative<long>(time * _slicesPerMillisecond);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Add(int client, double time, long slice)
    {
        if (slice - _slice - 1 < _mask)
        {
            var at = (int)slice & _mask;
            ref var first = ref _first[at];
            _pending[client] = new() { Time = time, Next = first };
            first = client;
            _occupied[at >> 6] |= 1UL << at;
        }
        else
        {
            _far.Add(time, client);
        }
    }

    private void OpenNextSlice()
    {
        var slice = NextOccupied();
        if (_far.Count > 0)
            slice = Math.Min(slice, SliceOf(_far.First.Time));
        _slice = slice;
        var at = (int)slice & _mask;
        // A list of the ring holds events of one slice only, since the ring never spans more than its length.
        var client = _first[at];
        if (client >= 0)
        {
            var pending = _pending[client];
            _open.Set(pending.Time, client);
            while ((client = pending.Next) >= 0)
            {
                pending = _pending[client];
                _open.Add(pending.Time, client);
            }
            _first[at] = -1;
            _occupied[at >> 6] &= ~(1UL << at);
        }
        while (_far.Count > 0 && SliceOf(_far.First.Time) == slice)
        {
            _open.Add(_far.First.Time, _far.First.Client);
            _far.RemoveFirst();
        }
    }

    private long NextOccupied()
    {
        var start = (int)(_slice + 1) & _mask;
        var word = start >> 6;
        var bits = _occupied[word] & (~0UL << start);
        for (var words = 0; words <= _occupied.Length; words++)
        {
            if (bits != 0)
            {
                var at = (word << 6) + BitOperations.TrailingZeroCount(bits);
                return _slice + 1 + ((at - start) & _mask);
            }
            word = (word + 1) & (_occupied.Length - 1);
            bits = _occupied[word];
        }
        return long.MaxValue;
    }
}
