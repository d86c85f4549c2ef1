using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Findings;

/// <summary>A deviation that was seen while exploring and came in no repetition, so that it is no finding.</summary>
/// <param name="Scenario">The scenario in which it was seen first.</param>
/// <param name="Deviation">The deviation there.</param>
/// <param name="Names">The names of that run.</param>
/// <param name="Trace">The trace of that run.</param>
/// <param name="Times">How often it was seen and sought again.</param>
public sealed record Suspicion(
    Scenario Scenario,
    Deviation Deviation,
    ScenarioNames Names,
    IReadOnlyList<TraceEntry> Trace,
    int Times
)
{
    /// <summary>Statement and circumstances.</summary>
    public string Key => Deviation.Key;
}
