namespace MqttCheck.Conformance.Generation;

/// <summary>An interval that is running in a scenario: what becomes of something depends on when it passes.</summary>
/// <param name="Kind">The event at its end.</param>
/// <param name="Client">Whose it is; for a message, who waits for it, and -1 if it is retained.</param>
/// <param name="Topic">The topic of a message.</param>
/// <param name="Seconds">How long it is.</param>
/// <param name="Elapsed">How much of it has been waited, in milliseconds.</param>
internal readonly record struct RunningInterval(
    IntervalKind Kind,
    int Client,
    string Topic,
    int Seconds,
    int Elapsed = 0
)
{
    // In milliseconds: there the grace of the monitor is over, or its own waiting begins.
    private static readonly Dictionary<IntervalKind, int> s_graces = new()
    {
        [IntervalKind.KeepAlive] = 100,
        [IntervalKind.WillDelay] = 500,
        [IntervalKind.SessionExpiry] = 2500,
        [IntervalKind.QueuedMessage] = 2000,
        [IntervalKind.RetainedMessage] = 2000,
    };

    // A wait that is to end before the interval does ends this much before.
    private const int Margin = 600;

    /// <summary>When it has passed, in milliseconds.</summary>
    public int Limit => Kind == IntervalKind.KeepAlive ? 1500 * Seconds : 1000 * Seconds;

    /// <summary>Whether it has passed.</summary>
    public bool HasPassed => Elapsed >= Limit;

    /// <summary>
    /// How long to wait until a broker that has not acted on it is wrong, in milliseconds: there the grace of the
    /// monitor is over, or its own waiting begins.
    /// </summary>
    public int UntilJudged => Limit - Elapsed + s_graces[Kind];

    /// <summary>
    /// How long to wait so that it has not passed, in milliseconds; not positive if it is too late for that.
    /// </summary>
    public int Within => Math.Min(900, Limit - Elapsed - Margin);
}
