using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Runs of scenarios that mostly wait. They go on while the wire is driven for exploring or shrinking, so that waiting
/// costs no time.
/// </summary>
internal sealed class SlowRuns(ScenarioRunner runner, RunRules rules)
{
    private readonly List<ScenarioRun> _running = [];
    private readonly List<ScenarioResult> _ended = [];
    private int _sweeping;
    private Action? _whenSwept;

    /// <summary>Whether a scenario begins again when it has ended, until all are abandoned. Default no.</summary>
    public bool Again { get; init; }

    public int Running => _running.Count;

    public bool HasSuspect(Predicate<Deviation> isNew) =>
        _ended.Exists(result => result.Deviations.Any(deviation => isNew(deviation)));

    public void Start(Scenario scenario)
    {
        ScenarioRun? run = null;
        run = runner.Begin(
            scenario,
            rules,
            result =>
            {
                // An abandoned run is not counted.
                if (_running.Remove(run!))
                {
                    if (Again)
                        Start(scenario);
                    else
                        _ended.Add(result);
                }
                else if (--_sweeping == 0)
                    _whenSwept?.Invoke();
            }
        );
        _running.Add(run);
    }

    /// <summary>The results since the last call.</summary>
    public IReadOnlyList<ScenarioResult> Take()
    {
        var results = _ended.ToArray();
        _ended.Clear();
        return results;
    }

    /// <summary>
    /// Ends all of them without a result. Their remains on the broker are removed as long as the wire is driven.
    /// </summary>
    public void Abandon()
    {
        var running = _running.ToArray();
        _running.Clear();
        _sweeping += running.Length;
        foreach (var run in running)
            run.Abandon();
    }

    /// <summary>Drives the wire until the remains of abandoned runs have been removed, or cannot be.</summary>
    public void AwaitSweeping(IWire wire)
    {
        if (_sweeping == 0)
            return;
        _whenSwept = wire.Stop;
        wire.Run();
        _whenSwept = null;
    }
}
