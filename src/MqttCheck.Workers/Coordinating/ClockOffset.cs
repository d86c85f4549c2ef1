namespace MqttCheck.Workers.Coordinating;

/// <summary>
/// How much another clock is ahead, from an exchange of messages: the other clock was read at some time of the round
/// trip, so taking its middle errs by half of it at most (RFC 5905, section 8).
/// </summary>
/// <param name="Milliseconds">How much it is ahead.</param>
/// <param name="BoundMilliseconds">The largest error.</param>
internal readonly record struct ClockOffset(double Milliseconds, double BoundMilliseconds)
{
    /// <summary>Nothing is known.</summary>
    public static ClockOffset Unknown { get; } = new(0, double.PositiveInfinity);

    /// <summary>What is known after one more exchange: the shorter round trip says more.</summary>
    public ClockOffset Plus(ClockOffset other) => other.BoundMilliseconds < BoundMilliseconds ? other : this;
}
