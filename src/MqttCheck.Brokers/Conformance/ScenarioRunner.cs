using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance;

namespace MqttCheck.Brokers.Conformance;

/// <summary>Runs scenarios on a broker.</summary>
/// <remarks>It drives its wire itself, on the calling thread; several scenarios may run beside each other, each under its own names.</remarks>
public sealed class ScenarioRunner
{
    private readonly IWire _wire;
    private readonly string _prefix;
    private long _runs;

    /// <summary>A runner.</summary>
    /// <param name="wire">The wire, run by nobody else.</param>
    /// <param name="target">The broker.</param>
    /// <param name="prefix">The beginning of all names of this runner, a few letters and digits.</param>
    public ScenarioRunner(IWire wire, CheckTarget target, string prefix) => (_wire, Target, _prefix) = (wire, target, prefix);

    /// <summary>The broker; changed when it was started again elsewhere.</summary>
    public CheckTarget Target { get; set; }

    /// <summary>Runs one scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="timing">How long to wait.</param>
    /// <param name="isKnown">Whether a deviation of a key is known, so that waiting for it is pointless; null: none is.</param>
    public ScenarioResult Run(Scenario scenario, CheckTiming timing, Predicate<string>? isKnown = null)
    {
        ScenarioResult? result = null;
        Run(() => result is null ? scenario : null, 1, timing, isKnown ?? (_ => false), r => result = r);
        return result!;
    }

    /// <summary>Runs a list of scenarios, several beside each other.</summary>
    /// <param name="scenarios">The scenarios.</param>
    /// <param name="lanes">How many run at once.</param>
    /// <param name="timing">How long to wait.</param>
    /// <param name="isKnown">Whether a deviation of a key is known, so that waiting for it is pointless.</param>
    /// <param name="until">Begin none after this moment, on the wire's clock.</param>
    /// <returns>The results, in the order of the scenarios; of those that were begun in time, at least one.</returns>
    public IReadOnlyList<ScenarioResult> RunAll(IReadOnlyList<Scenario> scenarios, int lanes, CheckTiming timing, Predicate<string> isKnown, long until = long.MaxValue)
    {
        ArgumentNullException.ThrowIfNull(scenarios);
        // One scenario may stand in the list several times: results are told apart by the order of starting, which the names follow.
        var results = new List<(long Number, ScenarioResult Result)>();
        var next = 0;
        Run(() => next < scenarios.Count && (next == 0 || _wire.NowNanoseconds < until) ? scenarios[next++] : null, lanes, timing, isKnown,
            result => results.Add((long.Parse(result.Names.Token.AsSpan(_prefix.Length), System.Globalization.NumberStyles.HexNumber, System.Globalization.CultureInfo.InvariantCulture), result)));
        return [.. results.OrderBy(entry => entry.Number).Select(entry => entry.Result)];
    }

    /// <summary>Runs scenarios beside each other until there are none left.</summary>
    /// <param name="next">The next scenario; null when there is none. Asked again after each end of a run.</param>
    /// <param name="lanes">How many run at once.</param>
    /// <param name="timing">How long to wait.</param>
    /// <param name="isKnown">Whether a deviation of a key is known, so that waiting for it is pointless.</param>
    /// <param name="finished">Gets each result.</param>
    public void Run(Func<Scenario?> next, int lanes, CheckTiming timing, Predicate<string> isKnown, Action<ScenarioResult> finished)
    {
        ArgumentNullException.ThrowIfNull(next);
        ArgumentNullException.ThrowIfNull(finished);
        var running = 0;
        for (var lane = 0; lane < lanes; lane++)
            if (!StartNext()) break;
        if (running > 0) _wire.Run();

        bool StartNext()
        {
            if (next() is not { } scenario) return false;
            running++;
            Begin(scenario, timing, isKnown, Ended);
            return true;
        }

        void Ended(ScenarioResult result)
        {
            running--;
            finished(result);
            StartNext();
            if (running == 0) _wire.Stop();
        }
    }

    /// <summary>Begins a run that goes on as long as somebody drives the wire.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="timing">How long to wait.</param>
    /// <param name="isKnown">Whether a deviation of a key is known, so that waiting for it is pointless.</param>
    /// <param name="ended">Gets the result.</param>
    internal ScenarioRun Begin(Scenario scenario, CheckTiming timing, Predicate<string> isKnown, Action<ScenarioResult> ended)
    {
        var names = new ScenarioNames($"{_prefix}{_runs++:x}") { Family = _prefix };
        var run = new ScenarioRun(_wire, Target, scenario, names, timing, isKnown, ended);
        _wire.Post(run.Start);
        return run;
    }
}
