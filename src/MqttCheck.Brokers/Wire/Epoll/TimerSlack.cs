namespace MqttCheck.Brokers.Wire.Epoll;

/// <summary>Makes the kernel end this thread's waits on time instead of up to 50 us late, until disposed.</summary>
internal readonly struct TimerSlack : IDisposable
{
    private readonly nuint _before;

    private TimerSlack(nuint before) => _before = before;

    /// <summary>Sets the slack of the calling thread to 1 ns.</summary>
    public static TimerSlack MakeExact()
    {
        var before = LibC.ProcessControl(LibC.GetTimerSlack, 0, 0, 0, 0);
        _ = LibC.ProcessControl(LibC.SetTimerSlack, 1, 0, 0, 0);
        // Slack 0 restores the thread's default.
        return new TimerSlack((nuint)Math.Max(before, 0));
    }

    /// <summary>Sets the slack as it was.</summary>
    public void Dispose() => _ = LibC.ProcessControl(LibC.SetTimerSlack, _before, 0, 0, 0);
}
