using MqttCheck.Brokers.Wire.Memory;

namespace MqttCheck.Brokers.Clusters.InMemory;

/// <summary>
/// The next event on links and of the plan, one thing at a time: in order of time, then of slot, as in the simulator
/// of frames. There a thing happens with all that follows from it at once. Here that takes some rounds of the wire,
/// which come before the next thing of the same instant.
/// </summary>
/// <param name="wire">The wire of all processes.</param>
/// <param name="slots">How many slots there are.</param>
/// <param name="happen">Has a thing of a slot happen; returns whether another of the slot is due at once.</param>
internal sealed class ByteAgenda(MemoryWire wire, int slots, Func<int, bool> happen)
{
    // Bytes that a round of the wire sends are seen by the next one.
    private const int QuietRounds = 3;
    private const int None = -1;

    private readonly PriorityQueue<int, (long Time, int Slot)> _queue = new();
    private readonly long[] _armed = [.. Enumerable.Repeat(long.MaxValue, slots)];
    private bool _isActive;
    private int _present = None;
    private int _quiet;

    /// <summary>Has a slot happen at a time, unless it does so earlier.</summary>
    public void Arm(int slot, long time)
    {
        time = Math.Max(time, wire.NowNanoseconds);
        if (time >= _armed[slot])
            return;
        _armed[slot] = time;
        _queue.Enqueue(slot, (time, slot));
        if (!_isActive)
            wire.At(time - wire.NowNanoseconds, Begin);
    }

    private void Begin()
    {
        if (_isActive)
            return;
        (_isActive, _quiet) = (true, 0);
        Continue();
    }

    private void Continue()
    {
        _quiet = wire.Timers.NextDue <= wire.NowNanoseconds ? 0 : _quiet + 1;
        if (_quiet < QuietRounds)
        {
            wire.At(0, Continue);
            return;
        }
        _quiet = 0;
        if (_present == None && !TryTake(out _present))
        {
            _isActive = false;
            if (_queue.TryPeek(out _, out var next))
                wire.At(next.Time - wire.NowNanoseconds, Begin);
            return;
        }
        if (!happen(_present))
            _present = None;
        wire.At(0, Continue);
    }

    private bool TryTake(out int slot)
    {
        while (_queue.TryPeek(out slot, out var first) && first.Time <= wire.NowNanoseconds)
        {
            _queue.Dequeue();
            if (_armed[slot] != first.Time)
                continue;
            _armed[slot] = long.MaxValue;
            return true;
        }
        slot = None;
        return false;
    }
}
