namespace MqttCheck.Profiles.Behaviours;

/// <summary>
/// The instants at which all clients of a group send the same kind of message: the multiples of a time, from the start
/// of the run.
/// </summary>
/// <param name="EverySeconds">The time between two instants.</param>
/// <param name="JitterSeconds">How much later than its instant a message may be; uniform.</param>
/// <param name="Message">The kind of message: connect or publish.</param>
public sealed record Instants(double EverySeconds, double JitterSeconds, OrderStep Message)
{
    /// <summary>The wait until the next instant, which is later than now; at the start of a run it is now.</summary>
    /// <param name="nowMilliseconds">The time of the run.</param>
    /// <param name="isFirst">Whether the client has done nothing yet.</param>
    /// <param name="place">A place between 0 and 1 within the jitter.</param>
    internal double WaitMilliseconds(double nowMilliseconds, bool isFirst, double place)
    {
        var every = EverySeconds * 1000;
        var next = isFirst && nowMilliseconds == 0 ? 0 : (Math.Floor(nowMilliseconds / every) + 1) * every;
        return Math.Max(0, next - nowMilliseconds) + place * JitterSeconds * 1000;
    }
}
