using MqttCheck.Conformance;

namespace MqttCheck.Brokers.Conformance;

/// <summary>
/// Runs of scenarios that mostly wait: they go on beside whatever else the wire is driven for, exploring or shrinking, so that waiting costs no time.
/// </summary>
internal sealed class SlowRuns(ScenarioRunner runner, RunRules rules)
{
    private readonly List<ScenarioRun> _running = [];
    private readonly List<ScenarioResult> _ended = [];

    public int Running => _running.Count;

    public bool HasSuspect(Predicate<Deviation> isNew) => _ended.Exists(result => result.Deviations.Any(deviation => isNew(deviation)));

    public void Start(Scenario scenario)
    {
        ScenarioRun? run = null;
        run = runner.Begin(scenario, rules, result =>
        {
            // One that was abandoned counts no more.
            if (_running.Remove(run!)) _ended.Add(result);
        });
        _running.Add(run);
    }

    /// <summary>The results since the last call.</summary>
    public IReadOnlyList<ScenarioResult> Take()
    {
        var results = _ended.ToArray();
        _ended.Clear();
        return results;
    }

    /// <summary>Ends all of them without a result.</summary>
    public void Abandon()
    {
        var running = _running.ToArray();
        _running.Clear();
        foreach (var run in running) run.Abandon();
    }
}
