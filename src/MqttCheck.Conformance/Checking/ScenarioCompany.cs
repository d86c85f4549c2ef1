using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Scenarios that run beside others and start again when they end, as long as the wire is driven. They reproduce the
/// traffic in which a deviation was seen.
/// </summary>
internal sealed class ScenarioCompany(
    IWire wire,
    ScenarioRunner runner,
    CheckTiming timing,
    IReadOnlyList<Scenario> scenarios
) : IBackgroundLoad
{
    // These runs are not judged, so they wait for no missing delivery.
    private readonly RunRules _rules = new(timing) { IsKnown = _ => true };
    private SlowRuns? _runs;

    public string Name =>
        FormattableString.Invariant($"{scenarios.Count} scenario{(scenarios.Count == 1 ? "" : "s")} beside it");

    public IReadOnlyList<Scenario> Scenarios => scenarios;

    public void Start()
    {
        _runs = new SlowRuns(runner, _rules) { Again = true };
        foreach (var scenario in scenarios)
            _runs.Start(scenario);
    }

    public void Stop()
    {
        _runs?.Abandon();
        _runs?.AwaitSweeping(wire);
        _runs = null;
    }
}
