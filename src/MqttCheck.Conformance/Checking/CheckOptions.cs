using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Checking;

/// <summary>How a broker is checked.</summary>
internal sealed record CheckOptions
{
    /// <summary>The seed of all scenarios.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>The kinds of scenarios to generate.</summary>
    public GeneratorOptions Generator { get; init; } = new();

    /// <summary>How many scenarios run beside each other while exploring, 1 .. 64. Default 16.</summary>
    public int Lanes { get; init; } = 16;

    /// <summary>
    /// How many scenarios that mostly wait (for keep alive, expiry or delays) run beside those, 0 .. 256. They need
    /// time but little processor time, so the default is 128.
    /// </summary>
    public int SlowLanes { get; init; } = 128;

    /// <summary>
    /// The share of exploration in which scenarios run without others, because their filters match topics of others, 0
    /// .. 1. Default .15.
    /// </summary>
    public double AloneShare { get; init; } = .15;

    /// <summary>How many of these run beside each other, 1 .. 64. Default 8.</summary>
    public int AloneLanes { get; init; } = 8;

    /// <summary>
    /// How many commands per second are sent at most, on average over scenarios; null (default) for no limit.
    /// </summary>
    public int? MaximumCommandsPerSecond { get; init; }

    /// <summary>How long exploration waits. Default: 2 s for deliveries that no marker decides.</summary>
    public CheckTiming Timing { get; init; } = new() { Patience = TimeSpan.FromSeconds(2) };

    /// <summary>
    /// How long shrinking waits at least. It waits longer on a broker that takes longer for correct answers.
    /// Confirmation is more patient. Default .2 s.
    /// </summary>
    public CheckTiming ShrinkTiming { get; init; } =
        new() { Patience = TimeSpan.FromMilliseconds(200), OvertakenPatience = TimeSpan.FromMilliseconds(100) };

    /// <summary>How long confirmation waits. Default 5 s, and 1 s for known deviations.</summary>
    public CheckTiming ConfirmTiming { get; init; } = new() { KnownPatience = TimeSpan.FromSeconds(1) };

    /// <summary>
    /// How often a scenario is repeated to see whether it shows the deviation again. Default 20; a deviation that comes
    /// every time is repeated 5 times.
    /// </summary>
    public int Replays { get; init; } = 20;

    /// <summary>The most runs that shrinking one finding may take. Default 10 000.</summary>
    public int ShrinkRuns { get; init; } = 10_000;

    /// <summary>How long shrinking one finding may take, on the wire's clock. Default 20 s.</summary>
    public TimeSpan ShrinkTime { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// Whether every scenario is run to its end, even if it would show a known deviation. The share of deviating
    /// scenarios then refers to all scenarios. Default no.
    /// </summary>
    public bool CountsAll { get; init; }

    /// <summary>Which statements count; null for all.</summary>
    public Predicate<Statement>? Counts { get; init; }
}
