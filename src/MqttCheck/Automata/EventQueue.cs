using System.Runtime.CompilerServices;

namespace MqttCheck.Automata;

/// <summary>
/// The pending events of a fleet, one per client: a 4-ary heap ordered by time, then by client. Four 16-byte entries are one cache line, so a level costs one miss;
/// an event is replaced by the client's next one in place, so nothing is removed or inserted.
/// </summary>
internal sealed class EventQueue(int clients)
{
    // Entry 0 of the heap sits at index 3, so that the children 4i+1 .. 4i+4 of an entry start at a multiple of 64 bytes from the first one.
    private const int Offset = 3;

    private struct Entry
    {
        public double Time;
        public int Client;
    }

    private readonly Entry[] _heap = new Entry[clients + Offset];

    /// <summary>When the next event is due.</summary>
    public double Time => _heap[Offset].Time;

    /// <summary>Whose event is next.</summary>
    public int Client => _heap[Offset].Client;

    /// <summary>Notes the first event of a client; <see cref="Order"/> follows when all have theirs.</summary>
    public void Set(int client, double time) => _heap[client + Offset] = new() { Time = time, Client = client };

    /// <summary>Makes the entries a heap.</summary>
    public void Order()
    {
        for (var i = (clients - 2) >> 2; i >= 0; i--) Sink(i, _heap[i + Offset]);
    }

    /// <summary>Replaces the next event by another one of the same client.</summary>
    /// <param name="time">When it is due.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ReplaceNext(double time) => Sink(0, new() { Time = time, Client = _heap[Offset].Client });

    private void Sink(int at, Entry entry)
    {
        var heap = _heap;
        while (true)
        {
            var child = 4 * at + 1;
            if (child >= clients) break;
            var best = child;
            var last = Math.Min(child + 4, clients);
            for (var other = child + 1; other < last; other++)
            {
                if (Before(in heap[other + Offset], in heap[best + Offset])) best = other;
            }
            if (!Before(in heap[best + Offset], in entry)) break;
            heap[at + Offset] = heap[best + Offset];
            at = best;
        }
        heap[at + Offset] = entry;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Before(in Entry a, in Entry b) => a.Time < b.Time || (a.Time == b.Time && a.Client < b.Client);
}
