namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>Wakes the loop from other threads: an event descriptor in its set.</summary>
internal sealed unsafe class WakeUp : IEventSource, IDisposable
{
    private readonly Lock _gate = new();
    private readonly int _descriptor;
    private bool _signalled;
    private bool _disposed;

    /// <summary>Adds itself to a set.</summary>
    /// <param name="set">The set.</param>
    /// <exception cref="WireException">The system refuses a descriptor.</exception>
    public WakeUp(EpollSet set)
    {
        _descriptor = LibC.EventDescriptor(0, LibC.CloseOnExec | LibC.NonBlocking);
        if (_descriptor >= 0 && set.TryAdd(_descriptor, LibC.EpollIn, this, out _))
            return;
        var text = Errno.Text(Errno.Last);
        Dispose();
        throw new WireException(
            $"The event loop cannot make an event descriptor: {text}. Raise the limit of open files (ulimit -n)."
        );
    }

    /// <summary>
    /// Wakes the loop, or keeps it from its next sleep. Safe from any thread; does nothing once disposed.
    /// </summary>
    public void Signal()
    {
        // The lock prevents a write to a descriptor that was closed meanwhile, and perhaps reused.
        lock (_gate)
        {
            if (_signalled || _disposed)
                return;
            _signalled = true;
            ulong one = 1;
            LibC.Write(_descriptor, &one, sizeof(ulong));
        }
    }

    /// <inheritdoc/>
    public void OnEvents(int mask)
    {
        lock (_gate)
        {
            ulong count;
            LibC.Read(_descriptor, &count, sizeof(ulong));
            _signalled = false;
        }
    }

    /// <summary>Closes the descriptor.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            _disposed = true;
            if (_descriptor >= 0)
                LibC.Close(_descriptor);
        }
    }
}
