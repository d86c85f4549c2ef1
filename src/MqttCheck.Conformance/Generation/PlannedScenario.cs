using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Generation;

/// <summary>A scenario of a check.</summary>
/// <param name="Scenario">The scenario.</param>
/// <param name="Subject">The subject of the scenario.</param>
public readonly record struct PlannedScenario(Scenario Scenario, ScenarioSubject Subject);
