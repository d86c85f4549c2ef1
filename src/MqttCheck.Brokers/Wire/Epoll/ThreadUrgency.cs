namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// Makes the scheduler run this thread soon after it wakes, until disposed. It requests the shortest time slice, which
/// any thread may do from Linux 6.12 on. It also requests the smallest nice value, if the process may set it (root,
/// CAP_SYS_NICE, or <c>ulimit -e</c>).
/// </summary>
/// <remarks>
/// An ordinary thread that wakes while others compute waits for the end of their slices, up to some milliseconds. A
/// thread with a shorter slice has an earlier deadline. It preempts the others as long as it has not used more than its
/// share, which the nice value makes large. A real-time priority would be more punctual, but would distort the
/// measurement: the broker then answers twice as late, because it has to give way. Older kernels ignore slices, and a
/// refused call changes nothing. Threads and processes that this thread starts are ordinary ones.
/// </remarks>
internal readonly unsafe struct ThreadUrgency : IDisposable
{
    private const ulong ResetOnFork = 1;
    private const int SmallestNice = -20;

    // The kernel allows no shorter slice.
    private const ulong ShortestSliceNanoseconds = 100_000;

    private readonly LibC.SchedulingAttributes _before;

    private ThreadUrgency(in LibC.SchedulingAttributes before) => _before = before;

    /// <summary>Makes the calling thread urgent.</summary>
    public static ThreadUrgency Begin()
    {
        // A thread with another scheduling policy keeps it, so that idle work stays idle.
        if (Read() is not { Policy: 0 } before)
            return default;
        var shortSlice = before with
        {
            RuntimeNanoseconds = ShortestSliceNanoseconds,
            Flags = before.Flags | ResetOnFork,
        };
        var preferred = shortSlice with { Nice = SmallestNice };
        return LibC.SetScheduling(&preferred) == 0 || LibC.SetScheduling(&shortSlice) == 0 ? new(before) : default;
    }

    /// <summary>How the calling thread is scheduled; null where the system does not tell.</summary>
    public static LibC.SchedulingAttributes? Read()
    {
        var attributes = default(LibC.SchedulingAttributes);
        return LibC.GetScheduling(&attributes) == 0 ? attributes : null;
    }

    /// <summary>Makes it ordinary again.</summary>
    public void Dispose()
    {
        if (_before.Size == 0)
            return;
        // Slice 0 is the default. Only a privileged process may clear the flag.
        var ordinary = _before with
        {
            RuntimeNanoseconds = 0,
            Flags = _before.Flags | ResetOnFork,
        };
        _ = LibC.SetScheduling(&ordinary);
    }
}
