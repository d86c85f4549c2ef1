using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Judges;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>The result of one run of a scenario.</summary>
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
    /// The longest time that the broker took for any packet, on the wire's clock. Packets that the standard allows to
    /// be late are left out.
    /// </summary>
    public required TimeSpan Slowest { get; init; }

    /// <summary>When the run began, on the wire's clock.</summary>
    internal long BeganNanoseconds { get; init; }

    /// <summary>When the run ended, before its remains were removed from the broker.</summary>
    internal long EndedNanoseconds { get; init; }

    /// <summary>The deviations that the monitor has found.</summary>
    public IReadOnlyList<Deviation> Deviations => Monitor.Deviations;
}
