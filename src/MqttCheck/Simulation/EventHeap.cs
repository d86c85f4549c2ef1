using System.Runtime.CompilerServices;

namespace MqttCheck.Simulation;

/// <summary>A 4-ary heap of events, ordered by time, then by client. A mutable value: hold it in one place.</summary>
internal struct EventHeap(int capacity)
{
    private Entry[] _entries = new Entry[capacity];

    public struct Entry
    {
        public double Time;
        public int Client;
    }

    /// <summary>How many events it holds.</summary>
    public int Count { get; private set; }

    /// <summary>The first event; there must be one.</summary>
    public readonly ref readonly Entry First => ref _entries[0];

    public void Clear() => Count = 0;

    /// <summary>Makes an event the only one.</summary>
    public void Set(double time, int client)
    {
        _entries[0] = new() { Time = time, Client = client };
        Count = 1;
    }

    public void Add(double time, int client)
    {
        if (Count == _entries.Length)
            Array.Resize(ref _entries, Math.Max(16, Count * 2));
        var entries = _entries;
        var added = new Entry { Time = time, Client = client };
        var at = Count++;
        while (at > 0)
        {
            var parent = (at - 1) >> 2;
            if (!Before(in added, in entries[parent]))
                break;
            entries[at] = entries[parent];
            at = parent;
        }
        entries[at] = added;
    }

    /// <summary>Removes the first event.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void RemoveFirst()
    {
        if (--Count > 0)
            Sink(_entries[Count]);
    }

    /// <summary>Removes the event of a client, wherever it is; there must be one.</summary>
    public void Remove(int client)
    {
        var entries = _entries;
        var at = 0;
        while (entries[at].Client != client)
            at++;
        // Its parents move down, which keeps the order, and leave the root to be removed.
        while (at > 0)
        {
            var parent = (at - 1) >> 2;
            entries[at] = entries[parent];
            at = parent;
        }
        RemoveFirst();
    }

    /// <summary>Gives the first event another time, not an earlier one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void DelayFirst(double time)
    {
        if (Count == 1)
            _entries[0].Time = time;
        else
            Sink(new() { Time = time, Client = _entries[0].Client });
    }

    // Puts an entry at the root and lets it sink.
    private readonly void Sink(Entry entry)
    {
        var entries = _entries.AsSpan(0, Count);
        var at = 0;
        while (true)
        {
            var child = 4 * at + 1;
            if (child >= entries.Length)
                break;
            var best = child;
            var last = Math.Min(child + 4, entries.Length);
            for (var other = child + 1; other < last; other++)
            {
                if (Before(in entries[other], in entries[best]))
                    best = other;
            }
            if (!Before(in entries[best], in entry))
                break;
            entries[at] = entries[best];
            at = best;
        }
        entries[at] = entry;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Before(in Entry a, in Entry b) => a.Time < b.Time || (a.Time == b.Time && a.Client < b.Client);
}
