namespace MqttCheck.Verification.Deciding;

/// <summary>How long a <see cref="RunLoop{TRun}"/> goes on.</summary>
internal sealed record RunLoopOptions
{
    /// <summary>The usual <see cref="Grace"/>.</summary>
    public const double DefaultGrace = 1.25;

    /// <summary>No round begins that would end later, were it as long as the longest of its series so far.</summary>
    public required TimeSpan Budget { get; init; }

    /// <summary>
    /// The smallest number of rounds of each series may take this many times the budget, so that work which was planned
    /// a little too tightly still ends with a verdict.
    /// </summary>
    public double Grace { get; init; } = DefaultGrace;

    /// <summary>So many rounds, of all series together, are made whatever time is left.</summary>
    public int AlwaysMade { get; init; } = 1;
}
