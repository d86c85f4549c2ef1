using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>A deviation that came again, in the smallest scenario that shows it.</summary>
/// <param name="Key">The deviation's key, which shrinking may change.</param>
/// <param name="Smallest">The scenario.</param>
/// <param name="Last">How often it came when it was repeated last.</param>
/// <param name="Shrinking">How long it took to find that scenario.</param>
internal readonly record struct ConfirmedDeviation(string Key, Scenario Smallest, Repetition Last, TimeSpan Shrinking)
{
    /// <summary>The load or scenarios that ran beside it; null for none.</summary>
    public IBackgroundLoad? Background { get; init; }
}
