using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Judges;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Brokers.Conformance;

/// <summary>What came of one run of a scenario.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Names">The names of the run.</param>
/// <param name="Monitor">The monitor with trace and deviations.</param>
/// <param name="Commands">How many commands were carried out.</param>
/// <param name="BrokerLost">Whether the broker could not be reached any more.</param>
public sealed record ScenarioResult(
    Scenario Scenario,
    ScenarioNames Names,
    ConformanceMonitor Monitor,
    int Commands,
    bool BrokerLost
)
{
    /// <summary>How many of the scenario's lines had been reached when the run ended.</summary>
    public required int Reached { get; init; }

    /// <summary>
    /// The longest that the broker took for anything that came, on the wire's clock; without what the standard gives
    /// time for.
    /// </summary>
    public required TimeSpan Slowest { get; init; }

    /// <summary>When the run began, on the wire's clock.</summary>
    internal long BeganNanoseconds { get; init; }

    /// <summary>When it ended, without the removal of what it left.</summary>
    internal long EndedNanoseconds { get; init; }

    /// <summary>What deviates.</summary>
    public IReadOnlyList<Deviation> Deviations => Monitor.Deviations;
}
