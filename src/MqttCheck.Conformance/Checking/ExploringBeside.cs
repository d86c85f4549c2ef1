using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Explores while a deviation is shrunk and confirmed, as long as the wire is driven. Shrinking and confirming mostly
/// wait for missing deliveries.
/// </summary>
/// <param name="wire">The wire.</param>
/// <param name="runner">Runs the scenarios.</param>
/// <param name="options">How to check.</param>
/// <param name="isKnown">Whether deviations with a key are not awaited.</param>
/// <param name="next">The next scenario; null for none.</param>
/// <param name="ended">Gets each result.</param>
internal sealed class ExploringBeside(
    IWire wire,
    ScenarioRunner runner,
    CheckOptions options,
    Predicate<string> isKnown,
    Func<Scenario?> next,
    Action<ScenarioResult> ended
)
{
    private bool _isOn;
    private int _running;
    private long _began,
        _lastEnded,
        _took;

    /// <summary>Begins; does nothing if it has begun.</summary>
    public void Start()
    {
        if (_isOn)
            return;
        (_isOn, _began) = (true, wire.NowNanoseconds);
        while (_running < options.Lanes && BeginNext()) { }
    }

    /// <summary>Ends the running scenarios early, and drives the wire until they have ended.</summary>
    /// <returns>Whether it had begun.</returns>
    public bool Stop()
    {
        if (!_isOn)
            return false;
        _isOn = false;
        if (_running > 0)
            wire.Run();
        _took += Math.Max(0, _lastEnded - _began);
        return true;
    }

    /// <summary>The time spent exploring since the last call, in nanoseconds.</summary>
    public long TakeTime()
    {
        var took = _took;
        _took = 0;
        return took;
    }

    private bool BeginNext()
    {
        if (next() is not { } scenario)
            return false;
        _running++;
        var rules = new RunRules(options.Timing) { IsKnown = isKnown, IsOver = () => !_isOn };
        runner.Begin(scenario, rules, Ended);
        return true;
    }

    private void Ended(ScenarioResult result)
    {
        _running--;
        _lastEnded = wire.NowNanoseconds;
        ended(result);
        if (_isOn)
            BeginNext();
        else if (_running == 0)
            wire.Stop();
    }
}
