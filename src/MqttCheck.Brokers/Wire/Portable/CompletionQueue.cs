namespace MqttCheck.Brokers.Wire.Portable;

/// <summary>
/// A queue of completions from the threads of .NET's sockets to the wire's thread, which waits for them.
/// </summary>
internal sealed class CompletionQueue
{
    // Waits have whole milliseconds and end some tenths of one late. The remaining time is spent yielding to other
    // threads.
    private const long SpinNanoseconds = 500_000;

    private readonly object _gate = new();
    private List<Completion> _filling = [];
    private List<Completion> _taken = [];
    private volatile bool _hasNews;
    private bool _isWaiting;

    /// <summary>Adds a completion. Safe from any thread.</summary>
    /// <param name="completion">The completion.</param>
    public void Add(Completion completion)
    {
        lock (_gate)
        {
            _filling.Add(completion);
            Announce();
        }
    }

    /// <summary>Ends the wait without a completion. Safe from any thread.</summary>
    public void Wake()
    {
        lock (_gate)
            Announce();
    }

    /// <summary>Waits for completions.</summary>
    /// <param name="until">How long at most.</param>
    /// <param name="exact">Whether to be on time at the cost of up to 1.5 ms of spinning.</param>
    /// <returns>All there are; valid until the next call.</returns>
    public List<Completion> Take(long until, bool exact)
    {
        _taken.Clear();
        lock (_gate)
        {
            while (!_hasNews && MillisecondsToWait(until, exact) is var milliseconds && milliseconds != 0)
            {
                _isWaiting = true;
                Monitor.Wait(_gate, milliseconds);
                _isWaiting = false;
            }
        }
        while (!_hasNews && MonotonicClock.NowNanoseconds < until)
            Thread.Yield();
        lock (_gate)
        {
            (_taken, _filling) = (_filling, _taken);
            _hasNews = false;
        }
        return _taken;
    }

    private static int MillisecondsToWait(long until, bool exact)
    {
        if (until == long.MaxValue)
            return Timeout.Infinite;
        var left = until - MonotonicClock.NowNanoseconds;
        if (left <= 0)
            return 0;
        var milliseconds = exact ? (left - SpinNanoseconds) / 1_000_000 : left / 1_000_000 + 1;
        return (int)Math.Clamp(milliseconds, 0, int.MaxValue);
    }

    private void Announce()
    {
        _hasNews = true;
        if (_isWaiting)
            Monitor.Pulse(_gate);
    }
}
