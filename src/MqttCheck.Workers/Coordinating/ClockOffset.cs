namespace MqttCheck.Workers.Coordinating;

/// <summary>
/// The offset of another clock, from an exchange of messages. The other clock was read at some time of the round trip.
/// Taking the middle of the round trip errs by half of it at most (RFC 5905, section 8).
/// </summary>
/// <param name="Milliseconds">How much it is ahead.</param>
/// <param name="BoundMilliseconds">The largest error.</param>
internal readonly record struct ClockOffset(double Milliseconds, double BoundMilliseconds)
{
    /// <summary>An unknown offset.</summary>
    public static ClockOffset Unknown { get; } = new(0, double.PositiveInfinity);

    /// <summary>The better of two estimates: the shorter round trip has the smaller error bound.</summary>
    public ClockOffset Plus(ClockOffset other) => other.BoundMilliseconds < BoundMilliseconds ? other : this;
}
