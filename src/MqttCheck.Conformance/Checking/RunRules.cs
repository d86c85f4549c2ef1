using MqttCheck.Conformance.Findings;

namespace MqttCheck.Conformance.Checking;

/// <summary>How long a run waits, and which events end it before its scenario is complete.</summary>
/// <param name="Timing">How long it waits.</param>
internal sealed record RunRules(CheckTiming Timing)
{
    /// <summary>Whether deviations with a key are not awaited. Default: all are awaited.</summary>
    public Predicate<string> IsKnown { get; init; } = _ => false;

    /// <summary>Whether a deviation ends the run, because the run is only made to see it. Default: none does.</summary>
    public Predicate<Deviation> Suffices { get; init; } = _ => false;

    /// <summary>
    /// Whether the result of the run is no longer needed, so that the run ends early. Default: never.
    /// </summary>
    public Func<bool> IsOver { get; init; } = () => false;
}
