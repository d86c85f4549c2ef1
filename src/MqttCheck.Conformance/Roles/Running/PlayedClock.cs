using System.Diagnostics;

namespace MqttCheck.Conformance.Roles.Running;

/// <summary>A clock that leaves out the time in which this process did not run.</summary>
internal sealed class PlayedClock
{
    private const long LongestStepNanoseconds = 100_000_000;

    private long _last = Stopwatch.GetTimestamp();
    private long _nanoseconds;

    public long Now()
    {
        var now = Stopwatch.GetTimestamp();
        _nanoseconds += Math.Min((long)Stopwatch.GetElapsedTime(_last, now).TotalNanoseconds, LongestStepNanoseconds);
        _last = now;
        return _nanoseconds;
    }
}
