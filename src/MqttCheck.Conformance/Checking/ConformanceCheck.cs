using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Statistics;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Explores a broker by random scenarios of concurrent clients, and turns each new deviation into a finding. A
/// deviation is repeated, shrunk to the smallest scenario, and confirmed with patience. A known deviation is neither
/// awaited nor investigated again.
/// </summary>
internal sealed class ConformanceCheck
{
    private const int SteeringTries = 12;
    private const double SteeringStrength = .95;

    // A waiting scenario may take this much time in addition to its waits.
    private const long SlowNanoseconds = 4_000_000_000;

    // Scenarios of scale run beside the others, a few at a time, and begin this long after each other.
    private const int ScaleLanes = 2;
    private const long ScaleNanoseconds = 5_000_000_000;

    // Ordinary scenarios run for this long before those that must run without others.
    private const long SliceNanoseconds = 2_000_000_000;

    // Shrinking and confirming may exceed the time of the check by this much.
    private const long OverrunNanoseconds = 15_000_000_000;

    private readonly IWire _wire;
    private readonly string _prefix;
    private readonly ScenarioRunner _runner;
    private readonly Replayer _replayer;
    private readonly SlowRuns _slow;
    private readonly SlowRuns _scale;
    private readonly ScaleScenarios _scales;
    private readonly CheckOptions _options;
    private readonly ScenarioPlan _plan;
    private readonly Dictionary<Scenario, ScenarioSubject> _subjects = new(ReferenceEqualityComparer.Instance);
    private readonly FindingLedger _ledger;
    private readonly Investigation _investigation;
    private readonly ExploringBeside _beside;
    private readonly Dictionary<string, ScenarioResult> _suspects = new(StringComparer.Ordinal);
    private readonly HashSet<string> _investigated = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _deviations = new(StringComparer.Ordinal);
    private readonly Dictionary<Statement, long> _exercised = [];
    private readonly JudgementTally _tally = new();
    private ulong _number;
    private long _scenarios,
        _commands;
    private TimeSpan _exploring;
    private IBackgroundLoad? _load;
    private bool _isLoaded;
    private bool _isAlone;
    private Scenario? _nextSlow;
    private ulong _scaleNumber;
    private long _nextScale = long.MinValue;
    private Func<bool> _isOver = () => true;
    private long _end;
    private string _doing = "exploring";
    private long _sliceLeft = SliceNanoseconds;

    /// <summary>A check.</summary>
    /// <param name="wire">The wire, run by nobody else.</param>
    /// <param name="target">The broker.</param>
    /// <param name="prefix">The beginning of all names on the broker, a few letters and digits.</param>
    /// <param name="options">How to check.</param>
    public ConformanceCheck(IWire wire, CheckTarget target, string prefix, CheckOptions options)
    {
        (_wire, _options, _prefix) = (wire, options, prefix);
        _runner = new ScenarioRunner(wire, target, prefix)
        {
            MaximumCommandsPerSecond = options.MaximumCommandsPerSecond,
        };
        _ledger = new FindingLedger(options, finding => Found?.Invoke(finding));
        _beside = new ExploringBeside(wire, _runner, options, IsKnownOrSuspected, NextBeside, Note);
        _replayer = new Replayer(wire, _runner, options, _ledger.IsKnown, TryRestart) { Beside = _beside };
        _investigation = new Investigation(wire, _runner, _replayer, options, _ledger, () => _load);
        _slow = new SlowRuns(_runner, new RunRules(options.Timing) { IsKnown = _ledger.IsKnown });
        _scale = new SlowRuns(_runner, new RunRules(options.Timing) { IsKnown = _ledger.IsKnown });
        _scales = new ScaleScenarios(options.Generator.Versions, options.Seed);
        _plan = new ScenarioPlan(new ScenarioGenerator(options.Generator), options.Seed);
    }

    /// <summary>
    /// Starts the broker again when it was lost, and says where it is; null when it cannot be started.
    /// </summary>
    public Func<CheckTarget?>? Restart { get; init; }

    /// <summary>
    /// The load on the broker while it is explored, and while deviations are repeated that do not recur without the
    /// load. Default: none.
    /// </summary>
    public Func<CheckTarget, IBackgroundLoad>? Load { get; init; }

    /// <summary>
    /// Scenarios that run beside one that is repeated by <see cref="Replay"/>, each again and again. Default none.
    /// </summary>
    public IReadOnlyList<Scenario> Beside { get; init; } = [];

    /// <summary>Gets each finding when it is confirmed.</summary>
    public Action<Finding>? Found { get; init; }

    /// <summary>Gets a few words on what is being done, and how many scenarios were explored.</summary>
    public Action<string, long>? Progress { get; init; }

    // On a slow machine the first deviation may be seen late. It is still investigated, to learn whether the broker
    // violates the standard.
    private long LastInvestigation =>
        _ledger.Findings.Exists(finding => finding.Statement.Class == StatementClass.Must)
            ? _end
            : _replayer.LastShrinking;

    /// <summary>Explores until the time is over.</summary>
    /// <param name="budget">How long, on the wire's clock, confirming and shrinking included.</param>
    /// <param name="cancellation">Ends it earlier, in order.</param>
    public CheckReport Explore(TimeSpan budget, CancellationToken cancellation) =>
        Explore(budget, long.MaxValue, cancellation);

    /// <summary>Explores until the time is over or a number of scenarios has been run.</summary>
    /// <param name="budget">How long, on the wire's clock, confirming and shrinking included.</param>
    /// <param name="scenarios">How many scenarios.</param>
    /// <param name="cancellation">Ends it earlier, in order.</param>
    public CheckReport Explore(TimeSpan budget, long scenarios, CancellationToken cancellation)
    {
        _end = _wire.NowNanoseconds + (budget.Ticks * TimeSpan.NanosecondsPerTick);
        (_replayer.End, _replayer.Cancellation) = (_end + OverrunNanoseconds, cancellation);
        _isOver = () => _wire.NowNanoseconds >= _end || _scenarios >= scenarios || cancellation.IsCancellationRequested;
        var lost = false;
        while (!_isOver() && !lost)
        {
            StartLoad();
            if (_suspects.Count == 0)
                ExploreUntilNew();
            NoteSlow();
            // A deviation that was seen under the load is first repeated without it.
            if (_suspects.Count > 0)
                StopLoad();
            lost = !InvestigateSuspects(() =>
                cancellation.IsCancellationRequested || _wire.NowNanoseconds > LastInvestigation
            );
        }
        StopLoad();
        _slow.Abandon();
        _scale.Abandon();
        if (!lost && !cancellation.IsCancellationRequested)
            RepeatLeft();
        // The remains of abandoned runs are removed before the report is returned. A lost broker keeps nothing to
        // remove.
        if (!lost)
        {
            _slow.AwaitSweeping(_wire);
            _scale.AwaitSweeping(_wire);
        }
        return new CheckReport
        {
            Findings = CauseAnalysis.Group(_ledger.Findings),
            Suspicions = [.. _ledger.Suspicions],
            NotLookedInto =
            [
                .. _suspects
                    .Where(suspect => _ledger.IsSought(suspect.Key))
                    .Select(suspect => suspect.Value.Deviations.First(deviation => deviation.Key == suspect.Key)),
            ],
            Exercised = _exercised,
            Tally = _tally,
            Deviations = _deviations,
            Scenarios = _scenarios,
            Commands = _commands,
            Exploring = _exploring,
            BrokerLost = lost,
        };
    }

    /// <summary>Repeats one scenario, under <see cref="Load"/> and with <see cref="Beside"/>.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="times">How often.</param>
    /// <param name="cancellation">Ends it after the run in progress.</param>
    /// <returns>The results, at least one.</returns>
    public IReadOnlyList<ScenarioResult> Replay(Scenario scenario, int times, CancellationToken cancellation)
    {
        var company = _investigation.Company(Beside);
        var load = Load?.Invoke(_runner.Target);
        _runner.StartBeside(load, _options);
        company.Start();
        try
        {
            List<ScenarioResult> results = [_runner.Run(scenario, _options.ConfirmTiming)];
            while (results.Count < times && !cancellation.IsCancellationRequested)
                results.Add(_runner.Run(scenario, _options.ConfirmTiming));
            return results;
        }
        finally
        {
            company.Stop();
            load?.Stop();
        }
    }

    /// <summary>
    /// Repeats a finding on another broker that has seen no other commands, and under the load if the finding needs it.
    /// </summary>
    /// <param name="finding">The finding.</param>
    /// <param name="fresh">The broker.</param>
    /// <param name="cancellation">Ends it after the runs in progress.</param>
    /// <returns>How often it was repeated, and how often it came.</returns>
    public (int Hits, int Replays) RepeatOn(Finding finding, CheckTarget fresh, CancellationToken cancellation)
    {
        var runner = new ScenarioRunner(_wire, fresh, _prefix + "f");
        var company = new ScenarioCompany(_wire, runner, _options.ShrinkTiming, [.. finding.Beside]);
        var replayer = new Replayer(_wire, runner, _options, _ => false, () => false) { Cancellation = cancellation };
        var load = finding.Load is null ? null : Load?.Invoke(fresh);
        runner.StartBeside(load, _options);
        company.Start();
        try
        {
            var results = replayer.RunAll(
                finding.Deviation,
                [.. Enumerable.Repeat(finding.Scenario, finding.Repetitions)],
                _options.ConfirmTiming,
                long.MaxValue,
                waitsForAll: false
            );
            if (results is null)
                return (0, finding.Repetitions);
            var hits = results.Count(result => Replayer.Shows(result, finding.Deviation.Key));
            return hits > 0 ? (hits, results.Count) : RepeatInTurn(runner, finding, cancellation);
        }
        finally
        {
            company.Stop();
            load?.Stop();
        }
    }

    // The command that is printed repeats a scenario in this way: one run after the other, each to its end.
    private (int Hits, int Replays) RepeatInTurn(ScenarioRunner runner, Finding finding, CancellationToken cancellation)
    {
        var (hits, replays) = (0, 0);
        while (replays < finding.Repetitions && (replays == 0 || !cancellation.IsCancellationRequested))
        {
            var result = runner.Run(finding.Scenario, _options.ConfirmTiming);
            replays++;
            if (
                result.Deviations.Any(seen =>
                    seen.Key == finding.Deviation.Key || seen.Statement == finding.Deviation.Statement
                )
            )
                hits++;
        }
        return (hits, replays);
    }

    private void ExploreUntilNew()
    {
        var began = _wire.NowNanoseconds;
        var sliceEnd = began + _sliceLeft;
        var isAlone = _isAlone;
        _runner.Run(
            () =>
            {
                if (
                    _suspects.Count > 0
                    || _slow.HasSuspect(_ledger.IsNew)
                    || _scale.HasSuspect(_ledger.IsNew)
                    || _wire.NowNanoseconds >= sliceEnd
                    || _isOver()
                )
                    return null;
                StartSlow();
                return NextScenario(waits: false, isAlone);
            },
            isAlone ? _options.AloneLanes : _options.Lanes,
            new RunRules(_options.Timing)
            {
                IsKnown = _ledger.IsKnown,
                // A missing delivery has cost its whole waiting time, so it is repeated before anything else. The other
                // runs need not go on either.
                Suffices = deviation => !_options.CountsAll && deviation.IsAbsence && _ledger.IsNew(deviation),
                IsOver = () => !_options.CountsAll && _suspects.Count > 0,
            },
            Note
        );
        Explored(_wire.NowNanoseconds - began, isAlone);
    }

    private void Explored(long nanoseconds, bool isAlone)
    {
        _exploring += TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick);
        if (isAlone != _isAlone)
            return;
        _sliceLeft -= nanoseconds;
        if (_sliceLeft <= 0)
            NextSlice();
    }

    // False if the broker was lost for good.
    private bool InvestigateSuspects(Func<bool> isOver)
    {
        var suspects = _suspects.OrderBy(suspect => Cost(suspect.Key, suspect.Value)).ToList();
        _investigated.UnionWith(_suspects.Keys);
        _suspects.Clear();
        foreach (var (key, result) in suspects)
        {
            if (isOver())
                _suspects.TryAdd(key, result);
            else if (_ledger.IsSought(key))
                Investigate(key, result);
            _investigated.Remove(key);
        }
        _investigated.Clear();
        _doing = "exploring";
        Explored(_beside.TakeTime(), isAlone: false);
        return suspects.TrueForAll(suspect => !suspect.Value.BrokerLost) || TryRestart();
    }

    // Whatever was seen is repeated before the check ends: nobody is to take it for something that does not come again.
    private void RepeatLeft()
    {
        var left = _suspects
            .Where(suspect => _ledger.IsSought(suspect.Key) && !suspect.Value.BrokerLost)
            .Select(suspect =>
                (suspect.Value.Deviations.First(deviation => deviation.Key == suspect.Key), suspect.Value)
            )
            .ToList();
        foreach (var key in _investigation.RepeatLeft(left))
            _suspects.Remove(key);
    }

    private bool IsKnownOrSuspected(string key) =>
        _ledger.IsKnown(key) || _suspects.ContainsKey(key) || _investigated.Contains(key);

    private Scenario? NextBeside()
    {
        if (_isOver())
            return null;
        // Noting slow runs now keeps their traces from piling up while one finding is shrunk.
        NoteSlow();
        StartSlow();
        return NextScenario(waits: false, meetsOthers: false);
    }

    private void NoteSlow()
    {
        foreach (var result in _slow.Take().Concat(_scale.Take()))
            Note(result);
    }

    private void Note(ScenarioResult result)
    {
        Count(result);
        foreach (
            var deviation in result.Deviations.Where(deviation =>
                _ledger.IsNew(deviation) && !_investigated.Contains(deviation.Key)
            )
        )
            _suspects.TryAdd(deviation.Key, result);
    }

    // Scenarios that run without others, because their filters match topics of others, get their own slices of time.
    private void NextSlice()
    {
        _isAlone = !_isAlone && _options.AloneShare > 0;
        _sliceLeft = _isAlone
            ? (long)(SliceNanoseconds * _options.AloneShare / Math.Max(.01, 1 - _options.AloneShare))
            : SliceNanoseconds;
    }

    private void StartScale()
    {
        var now = _wire.NowNanoseconds;
        if (_options.SlowLanes == 0 || _scale.Running >= ScaleLanes || now < _nextScale)
            return;
        _nextScale = now + ScaleNanoseconds;
        var left = TimeSpan.FromTicks((_end - now - SlowNanoseconds) / TimeSpan.NanosecondsPerTick);
        if (left > TimeSpan.Zero)
            _scale.Start(_scales.Next(_scaleNumber++, left));
    }

    private void StartSlow()
    {
        StartScale();
        while (_slow.Running < _options.SlowLanes)
        {
            var scenario = _nextSlow ?? NextScenario(waits: true, meetsOthers: false);
            var waits = scenario.Steps.Sum(step => step.Command is WaitCommand wait ? wait.Milliseconds : 0);
            _nextSlow = scenario;
            if (_wire.NowNanoseconds + (waits * 1_000_000L) + SlowNanoseconds >= _end)
                return;
            _nextSlow = null;
            _slow.Start(scenario);
        }
    }

    private void Count(ScenarioResult result)
    {
        _scenarios++;
        _commands += result.Commands;
        _investigation.Remember(result);
        if (_scenarios % 64 == 0)
            Progress?.Invoke(_doing, _scenarios);
        if (_subjects.Remove(result.Scenario, out var subject))
            _plan.Judged(subject, result.Monitor.Exercised);
        _tally.Add(result.Scenario.Version, result.Monitor);
        foreach (var (statement, times) in result.Monitor.Exercised)
            _exercised[statement] = _exercised.GetValueOrDefault(statement) + times;
        foreach (var key in result.Deviations.Select(deviation => deviation.Key).Distinct())
            _deviations[key] = _deviations.GetValueOrDefault(key) + 1;
    }

    // The cheapest confirmation comes first, because later deviations may have the same cause.
    private static int Cost(string key, ScenarioResult result)
    {
        var deviation = result.Deviations.First(d => d.Key == key);
        return (result.Scenario.MeetsOthers ? 1000 : 0)
            + (deviation.IsAbsence ? 500 : 0)
            + (deviation.MustRecur ? 200 : 0)
            + result.Reached;
    }

    private Scenario NextScenario(bool waits, bool meetsOthers)
    {
        for (var attempt = 0; ; attempt++)
        {
            var number = _number++;
            var (scenario, subject) = _plan.Next(number, waits, meetsOthers);
            if (
                !_options.CountsAll
                && attempt < SteeringTries
                && _ledger.Contains(scenario)
                && RandomStream.For(_options.Seed, number, 1).NextDouble() <= SteeringStrength
            )
                continue;
            _subjects.Add(scenario, subject);
            return scenario;
        }
    }

    private bool TryRestart()
    {
        _slow.Abandon();
        _scale.Abandon();
        _beside.Stop();
        StopLoad();
        if (Restart?.Invoke() is not { } target)
            return false;
        (_runner.Target, _load) = (target, null);
        return true;
    }

    private void Investigate(string key, ScenarioResult found)
    {
        Progress?.Invoke(_doing = $"shrinking {key}", _scenarios);
        var original = found.Deviations.First(deviation => deviation.Key == key);
        if (found.BrokerLost && !TryRestart())
        {
            // The loss of the broker is certain, but any other deviation of that run would need a broker to be
            // repeated.
            if (original.Statement == Statements.Available)
                _ledger.AddLoss(original, found);
            else
                _ledger.Suspect(original, found);
        }
        else
        {
            _investigation.Investigate(original, found);
        }
    }

    private void StartLoad()
    {
        if (_isLoaded || Load is null)
            return;
        var isFirst = _load is null;
        _load ??= Load(_runner.Target);
        try
        {
            _load.Start();
            _isLoaded = true;
        }
        catch (BrokerException) when (!isFirst)
        {
            // Exploration detects a broker that has failed.
        }
    }

    private void StopLoad()
    {
        if (_isLoaded)
            _load!.Stop();
        _isLoaded = false;
    }
}
