using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// The descriptors the loop waits for. Each registration gets a token of slot and generation, so that an event of a
/// descriptor that was closed earlier in the same batch never reaches the connection that was given the same number.
/// </summary>
internal sealed unsafe class EpollSet : IDisposable
{
    // Batches are small, because answers leave only when all events of a batch are handled.
    private const int MaximumEvents = 32;
    private const ulong TimerToken = ulong.MaxValue;

    // On x86-64 alone, struct epoll_event is packed.
    private static readonly int EventBytes = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 12 : 16;
    private static readonly int TokenOffset = EventBytes - 8;

    private readonly int _epoll;
    private readonly int _timer = -1;
    private readonly byte* _events;
    private readonly Stack<int> _freeSlots = new();
    private Slot[] _slots = new Slot[64];
    private int _slotsUsed;
    private long _timerSetFor = long.MaxValue;
    private bool _disposed;

    /// <summary>An empty set.</summary>
    /// <param name="withTimerDescriptor">
    /// Waits by a timer descriptor, as on systems without epoll_pwait2; for tests.
    /// </param>
    /// <exception cref="WireException">The system refuses a descriptor.</exception>
    public EpollSet(bool withTimerDescriptor = false)
    {
        _epoll = LibC.EpollCreate(LibC.CloseOnExec);
        if (_epoll < 0)
            throw new WireException(
                $"The event loop cannot be made: {Errno.Text(Errno.Last)}. Raise the limit of open files (ulimit -n)."
            );
        _events = (byte*)NativeMemory.AllocZeroed((nuint)(MaximumEvents * EventBytes));
        if (!withTimerDescriptor && HasPreciseWait())
            return;
        _timer = LibC.TimerCreate(LibC.ClockMonotonic, LibC.CloseOnExec | LibC.NonBlocking);
        if (_timer < 0 || !TryControl(LibC.EpollAdd, _timer, LibC.EpollIn, TimerToken))
        {
            var text = Errno.Text(Errno.Last);
            Dispose();
            throw new WireException($"The event loop cannot make a timer: {text}.");
        }
    }

    /// <summary>Registers a descriptor.</summary>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="mask">The events to wait for.</param>
    /// <param name="source">Who is told.</param>
    /// <param name="token">Its token.</param>
    /// <returns>Whether the system took it; otherwise <see cref="Errno.Last"/> says why.</returns>
    public bool TryAdd(int descriptor, int mask, IEventSource source, out ulong token)
    {
        if (!_freeSlots.TryPop(out var slot))
        {
            if (_slotsUsed == _slots.Length)
                Array.Resize(ref _slots, _slots.Length * 2);
            slot = _slotsUsed++;
        }
        ref var entry = ref _slots[slot];
        token = ((ulong)++entry.Generation << 32) | (uint)slot;
        if (!TryControl(LibC.EpollAdd, descriptor, mask, token))
        {
            _freeSlots.Push(slot);
            return false;
        }
        entry.Source = source;
        return true;
    }

    /// <summary>Changes the events to wait for.</summary>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="mask">The events.</param>
    /// <param name="token">Its token.</param>
    public void Modify(int descriptor, int mask, ulong token) => TryControl(LibC.EpollModify, descriptor, mask, token);

    /// <summary>
    /// Removes a descriptor before it is closed. A child process that was just forked may hold it too, and would keep
    /// it in the set.
    /// </summary>
    /// <param name="descriptor">The descriptor.</param>
    /// <param name="token">Its token.</param>
    public void Remove(int descriptor, ulong token)
    {
        TryControl(LibC.EpollDelete, descriptor, 0, token);
        var slot = (int)(uint)token;
        _slots[slot].Source = null;
        _freeSlots.Push(slot);
    }

    /// <summary>Waits for events.</summary>
    /// <param name="now">The time.</param>
    /// <param name="until">
    /// How long to wait at most; <paramref name="now"/> or earlier does not wait, <see cref="long.MaxValue"/> waits for
    /// events only.
    /// </param>
    /// <returns>How many events there are.</returns>
    public int Wait(long now, long until)
    {
        int count;
        if (_timer >= 0)
        {
            if (until > now)
                SetTimer(until);
            count = LibC.EpollWait(_epoll, _events, MaximumEvents, until > now ? -1 : 0);
        }
        else if (until == long.MaxValue)
        {
            count = LibC.EpollWait2(_epoll, _events, MaximumEvents, null, null);
        }
        else
        {
            var timeout = LibC.Timespec.FromNanoseconds(Math.Max(until - now, 0));
            count = LibC.EpollWait2(_epoll, _events, MaximumEvents, &timeout, null);
        }
        return Math.Max(count, 0);
    }

    /// <summary>Tells the source of an event, unless it is gone.</summary>
    /// <param name="index">The number of the event in the last wait.</param>
    public void Dispatch(int index)
    {
        var @event = new ReadOnlySpan<byte>(_events + index * EventBytes, EventBytes);
        var mask = BinaryPrimitives.ReadInt32LittleEndian(@event);
        var token = BinaryPrimitives.ReadUInt64LittleEndian(@event[TokenOffset..]);
        if (token == TimerToken)
        {
            ulong expirations;
            LibC.Read(_timer, &expirations, sizeof(ulong));
            _timerSetFor = long.MaxValue;
            return;
        }
        ref readonly var entry = ref _slots[(int)(uint)token];
        if (entry.Generation == (uint)(token >> 32))
            entry.Source?.OnEvents(mask);
    }

    /// <summary>Closes the set, not the descriptors in it.</summary>
    public void Dispose()
    {
        if (_disposed)
            return;
        _disposed = true;
        if (_timer >= 0)
            LibC.Close(_timer);
        LibC.Close(_epoll);
        NativeMemory.Free(_events);
    }

    // The call needs kernel 5.11 and glibc 2.35, and some sandboxes refuse it.
    private bool HasPreciseWait()
    {
        try
        {
            var none = default(LibC.Timespec);
            return LibC.EpollWait2(_epoll, _events, MaximumEvents, &none, null) >= 0;
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }

    private void SetTimer(long until)
    {
        if (until == _timerSetFor)
            return;
        _timerSetFor = until;
        // Interval 0 makes the timer fire once, and value 0 disarms it.
        var times = stackalloc LibC.Timespec[2];
        times[0] = default;
        times[1] = until == long.MaxValue ? default : LibC.Timespec.FromNanoseconds(Math.Max(until, 1));
        const int absolute = 1;
        LibC.TimerSet(_timer, absolute, times, null);
    }

    private bool TryControl(int operation, int descriptor, int mask, ulong token)
    {
        var @event = stackalloc byte[16];
        var span = new Span<byte>(@event, 16);
        BinaryPrimitives.WriteInt32LittleEndian(span, mask);
        BinaryPrimitives.WriteUInt64LittleEndian(span[TokenOffset..], token);
        return LibC.EpollControl(_epoll, operation, descriptor, @event) == 0;
    }

    private struct Slot
    {
        public IEventSource? Source;
        public uint Generation;
    }
}
