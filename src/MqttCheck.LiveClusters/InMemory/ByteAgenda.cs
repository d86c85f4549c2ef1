using MqttCheck.Brokers.Wire.Memory;

namespace MqttCheck.LiveClusters.InMemory;

/// <summary>
/// Schedules the events on links and of the plan, in order of time and then of slot, like the simulator of frames. In
/// that simulator an event and all its consequences happen at once. Here the consequences take some rounds of the wire,
/// which come before the next event of the same instant.
/// </summary>
/// <param name="wire">The wire of all processes.</param>
/// <param name="slots">How many slots there are.</param>
/// <param name="happen">
/// Lets an event of a slot happen, and returns whether the slot has another event due at once.
/// </param>
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

    /// <summary>Arms a slot for a time, unless it is armed for an earlier time already.</summary>
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
