namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>
/// Has the scheduler run this thread as soon as it wakes, until disposed: by the lowest real-time priority, where the process may set it (root, CAP_SYS_NICE, or a limit of real-time priority, <c>ulimit -r</c>);
/// otherwise by the shortest time slice, which any thread may ask for from Linux 6.12 on.
/// </summary>
/// <remarks>
/// An ordinary thread that wakes while others compute waits for the end of their slices, up to some milliseconds. A thread with a shorter slice has the earlier deadline and preempts them as long as it has not used
/// more than its share. Older kernels take no notice of slices; where a call is refused, nothing changes. Threads and processes that this thread starts are ordinary ones.
/// </remarks>
internal readonly unsafe struct ThreadUrgency : IDisposable
{
    private const uint RealTime = 1;
    private const ulong ResetOnFork = 1;

    // The least that the kernel allows.
    private const ulong ShortestSliceNanoseconds = 100_000;

    private readonly LibC.SchedulingAttributes _before;

    private ThreadUrgency(in LibC.SchedulingAttributes before) => _before = before;

    /// <summary>Makes the calling thread urgent.</summary>
    public static ThreadUrgency Begin()
    {
        var before = default(LibC.SchedulingAttributes);
        // A thread that somebody has given another policy keeps it: idle work stays idle.
        if (LibC.GetScheduling(&before) != 0 || before.Policy != 0) return default;
        var realTime = before with { Policy = RealTime, Priority = 1, Nice = 0, RuntimeNanoseconds = 0, Flags = before.Flags | ResetOnFork };
        if (LibC.SetScheduling(&realTime) == 0) return new(before);
        var shortSlice = before with { RuntimeNanoseconds = ShortestSliceNanoseconds };
        return LibC.SetScheduling(&shortSlice) == 0 ? new(before) : default;
    }

    /// <summary>Makes it ordinary again.</summary>
    public void Dispose()
    {
        if (_before.Size == 0) return;
        // 0 is the usual slice. Only the privileged may take the flag back.
        var ordinary = _before with { RuntimeNanoseconds = 0, Flags = _before.Flags | ResetOnFork };
        _ = LibC.SetScheduling(&ordinary);
    }
}
