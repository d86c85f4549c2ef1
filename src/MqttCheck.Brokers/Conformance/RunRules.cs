using MqttCheck.Conformance.Findings;

namespace MqttCheck.Brokers.Conformance;

/// <summary>How long a run waits, and what ends it before its scenario is through.</summary>
/// <param name="Timing">How long it waits.</param>
internal sealed record RunRules(CheckTiming Timing)
{
    /// <summary>Whether a deviation of a key is not worth waiting for. Default: each is.</summary>
    public Predicate<string> IsKnown { get; init; } = _ => false;

    /// <summary>
    /// Whether a deviation is all that the run is for, so that the rest need not be seen. Default: none is.
    /// </summary>
    public Predicate<Deviation> Suffices { get; init; } = _ => false;

    /// <summary>Whether nobody waits for the run any more: then it ends as it is. Default: never.</summary>
    public Func<bool> IsOver { get; init; } = () => false;
}
