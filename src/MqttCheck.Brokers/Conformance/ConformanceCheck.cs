using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Conformance;

/// <summary>
/// Explores a broker by random scenarios of concurrent clients, and turns each new deviation into a finding: repeated,
/// shrunk to the smallest scenario, confirmed with patience. What is known is neither waited for nor sought again.
/// </summary>
public sealed class ConformanceCheck
{
    private const int SteeringTries = 12;
    private const double SteeringStrength = .95;

    // What a scenario that waits takes besides its waits.
    private const long SlowNanoseconds = 4_000_000_000;

    // How many of the latest runs are kept, to have those again that were beside a suspect.
    private const int RecentRuns = 256;

    // How long a load goes on before what needs it is sought.
    private const int SettlingMilliseconds = 1500;

    // How many scenarios run again beside one.
    private const int MostCompany = 48;

    // What a run beside others may have from one that ended shortly before.
    private const long BeforeNanoseconds = 500_000_000;

    // How long scenarios run that need not be alone before those do that need to.
    private const long SliceNanoseconds = 2_000_000_000;

    // What is being shrunk or confirmed when the time is over may take this much longer.
    private const long OverrunNanoseconds = 15_000_000_000;

    private readonly IWire _wire;
    private readonly string _prefix;
    private readonly ScenarioRunner _runner;
    private readonly Replayer _replayer;
    private readonly SlowRuns _slow;
    private readonly CheckOptions _options;
    private readonly ScenarioPlan _plan;
    private readonly Dictionary<Scenario, ScenarioSubject> _subjects = new(ReferenceEqualityComparer.Instance);
    private readonly List<Finding> _findings = [];
    private readonly List<ScenarioPattern> _patterns = [];
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Suspicion> _suspicions = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _deviations = new(StringComparer.Ordinal);
    private readonly Dictionary<Statement, long> _exercised = [];
    private readonly HashSet<string> _uncounted = [];
    private ulong _number;
    private long _scenarios,
        _commands;
    private TimeSpan _exploring;
    private readonly Queue<ScenarioResult> _recent = new();
    private IBackgroundLoad? _load;
    private bool _isLoaded;
    private bool _isAlone;
    private Scenario? _nextSlow;
    private long _sliceLeft = SliceNanoseconds;

    /// <summary>A check.</summary>
    /// <param name="wire">The wire, run by nobody else.</param>
    /// <param name="target">The broker.</param>
    /// <param name="prefix">The beginning of all names on the broker, a few letters and digits.</param>
    /// <param name="options">How to check.</param>
    public ConformanceCheck(IWire wire, CheckTarget target, string prefix, CheckOptions options)
    {
        ArgumentNullException.ThrowIfNull(wire);
        ArgumentNullException.ThrowIfNull(options);
        (_wire, _options, _prefix) = (wire, options, prefix);
        _runner = new ScenarioRunner(wire, target, prefix)
        {
            MaximumCommandsPerSecond = options.MaximumCommandsPerSecond,
        };
        _replayer = new Replayer(wire, _runner, options, IsKnown, TryRestart);
        _slow = new SlowRuns(_runner, new RunRules(options.Timing) { IsKnown = IsKnown });
        _plan = new ScenarioPlan(new ScenarioGenerator(options.Generator), options.Seed);
        if (options.Counts is { } counts)
            _uncounted = [.. Statements.All.Where(statement => !counts(statement)).Select(statement => statement.Name)];
    }

    /// <summary>
    /// Starts the broker again when it was lost, and says where it is; null when it cannot be started.
    /// </summary>
    public Func<CheckTarget?>? Restart { get; init; }

    /// <summary>
    /// What keeps the broker busy while exploring, and while what does not come without it is repeated. Default:
    /// nothing.
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
        var end = _wire.NowNanoseconds + (budget.Ticks * TimeSpan.NanosecondsPerTick);
        (_replayer.End, _replayer.Cancellation) = (end + OverrunNanoseconds, cancellation);
        var lost = false;
        while (_wire.NowNanoseconds < end && _scenarios < scenarios && !cancellation.IsCancellationRequested && !lost)
        {
            StartLoad();
            var suspects = ExploreUntilNew(end, scenarios, cancellation);
            foreach (var result in _slow.Take())
            {
                Count(result);
                foreach (var deviation in result.Deviations)
                    if (IsNew(deviation))
                        suspects.TryAdd(deviation.Key, result);
            }
            // What is seen under the load is sought without it first.
            if (suspects.Count > 0)
                StopLoad();
            foreach (var (key, result) in suspects.OrderBy(suspect => Cost(suspect.Key, suspect.Value)).ToList())
            {
                if (cancellation.IsCancellationRequested || _wire.NowNanoseconds > end)
                    break;
                if (!_known.Contains(key))
                    Investigate(key, result);
            }
            if (suspects.Values.Any(result => result.BrokerLost))
                lost = !TryRestart();
        }
        StopLoad();
        _slow.Abandon();
        // What they may have left on the broker is removed before anybody takes the report for the end; a lost broker
        // keeps nothing that could be removed.
        if (!lost)
            _slow.AwaitSweeping(_wire);
        return new CheckReport
        {
            Findings = CauseAnalysis.Group(_findings),
            Suspicions = [.. _suspicions.Values],
            Exercised = _exercised,
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
        var company = Company(Beside);
        var load = Load?.Invoke(_runner.Target);
        Begin(load, _runner);
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
    /// Repeats a finding on another broker, where nothing but its own command has been before, and under the load if it
    /// needs that.
    /// </summary>
    /// <param name="finding">The finding.</param>
    /// <param name="fresh">The broker.</param>
    /// <param name="cancellation">Ends it after the runs in progress.</param>
    /// <returns>How often it was repeated, and how often it came.</returns>
    public (int Hits, int Replays) RepeatOn(Finding finding, CheckTarget fresh, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(finding);
        var runner = new ScenarioRunner(_wire, fresh, _prefix + "f");
        var company = new ScenarioCompany(_wire, runner, _options.ShrinkTiming, [.. finding.Beside]);
        var replayer = new Replayer(_wire, runner, _options, _ => false, () => false) { Cancellation = cancellation };
        var load = finding.Load is null ? null : Load?.Invoke(fresh);
        Begin(load, runner);
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
            return (
                results?.Count(result => Replayer.Shows(result, finding.Key)) ?? 0,
                results?.Count ?? finding.Repetitions
            );
        }
        finally
        {
            company.Stop();
            load?.Stop();
        }
    }

    private Dictionary<string, ScenarioResult> ExploreUntilNew(long end, long scenarios, CancellationToken cancellation)
    {
        var suspects = new Dictionary<string, ScenarioResult>(StringComparer.Ordinal);
        var began = _wire.NowNanoseconds;
        var sliceEnd = began + _sliceLeft;
        var isAlone = _isAlone;
        _runner.Run(
            () =>
            {
                if (
                    suspects.Count > 0
                    || _slow.HasSuspect(IsNew)
                    || _wire.NowNanoseconds >= Math.Min(end, sliceEnd)
                    || _scenarios >= scenarios
                    || cancellation.IsCancellationRequested
                )
                    return null;
                StartSlow(end);
                return NextScenario(waits: false, isAlone);
            },
            isAlone ? _options.AloneLanes : _options.Lanes,
            new RunRules(_options.Timing)
            {
                IsKnown = IsKnown,
                // What does not come has been waited for: it is repeated before anything else is. The runs beside it
                // need not go on either.
                Suffices = deviation => !_options.CountsAll && deviation.IsAbsence && IsNew(deviation),
                IsOver = () => !_options.CountsAll && suspects.Count > 0,
            },
            result =>
            {
                Count(result);
                foreach (var deviation in result.Deviations)
                    if (IsNew(deviation))
                        suspects.TryAdd(deviation.Key, result);
            }
        );
        var now = _wire.NowNanoseconds;
        _exploring += TimeSpan.FromTicks((now - began) / TimeSpan.NanosecondsPerTick);
        _sliceLeft = sliceEnd - now;
        if (_sliceLeft <= 0)
            NextSlice();
        return suspects;
    }

    // Scenarios whose filters take what others publish get slices of time for themselves.
    private void NextSlice()
    {
        _isAlone = !_isAlone && _options.AloneShare > 0;
        _sliceLeft = _isAlone
            ? (long)(SliceNanoseconds * _options.AloneShare / Math.Max(.01, 1 - _options.AloneShare))
            : SliceNanoseconds;
    }

    private void StartSlow(long end)
    {
        while (_slow.Running < _options.SlowLanes)
        {
            var scenario = _nextSlow ?? NextScenario(waits: true, meetsOthers: false);
            var waits = scenario.Steps.Sum(step => step.Command is WaitCommand wait ? wait.Milliseconds : 0);
            _nextSlow = scenario;
            if (_wire.NowNanoseconds + (waits * 1_000_000L) + SlowNanoseconds >= end)
                return;
            _nextSlow = null;
            _slow.Start(scenario);
        }
    }

    // What does not count is not waited for either.
    private bool IsKnown(string key) =>
        _known.Contains(key)
        || (_uncounted.Count > 0 && _uncounted.Contains(key[..key.IndexOf('|', StringComparison.Ordinal)]));

    private bool IsNew(Deviation deviation) =>
        _options.Counts?.Invoke(deviation.Statement) != false && !_known.Contains(deviation.Key);

    private void Count(ScenarioResult result)
    {
        _scenarios++;
        _commands += result.Commands;
        _recent.Enqueue(result);
        if (_recent.Count > RecentRuns)
            _recent.Dequeue();
        if (_scenarios % 64 == 0)
            Progress?.Invoke("exploring", _scenarios);
        if (_subjects.Remove(result.Scenario, out var subject))
            _plan.Judged(subject, result.Monitor.Exercised);
        foreach (var (statement, times) in result.Monitor.Exercised)
            _exercised[statement] = _exercised.GetValueOrDefault(statement) + times;
        foreach (var key in result.Deviations.Select(deviation => deviation.Key).Distinct())
            _deviations[key] = _deviations.GetValueOrDefault(key) + 1;
    }

    // What is confirmed soonest comes first: what follows may turn out to be the same.
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
                && _patterns.Exists(pattern => pattern.Matches(scenario))
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
        StopLoad();
        if (Restart?.Invoke() is not { } target)
            return false;
        (_runner.Target, _load) = (target, null);
        return true;
    }

    private void Investigate(string key, ScenarioResult found)
    {
        Progress?.Invoke($"shrinking {key}", _scenarios);
        var original = found.Deviations.First(deviation => deviation.Key == key);
        if (found.BrokerLost && !TryRestart())
        {
            // That the broker is gone stays so; whatever else was seen in that run needs a broker to be repeated.
            if (original.Statement != Statements.Available)
                Suspect(original, found);
            else if (_findings.FindIndex(finding => !finding.IsRepeated) is >= 0 and var known)
                Fold(known, key, original);
            else
                Add(
                    original,
                    found,
                    new(key, found.Scenario, new Repetition(0, 0, found.Reached, found), TimeSpan.Zero)
                );
            return;
        }
        // A connection that is closed may be closed for a publication of QoS 0 that came before: with PINGREQ in
        // between it is seen which.
        var scenario = original.MustRecur ? ScenarioShrinker.WithPings(found.Scenario) : found.Scenario;
        if (IsSettled(original, found, scenario, background: null) || IsSettledBeside(original, found, scenario))
            return;
        // Three times is enough to see that it does not come again.
        if (Suspect(original, found) >= 3)
            _known.Add(key);
    }

    // What does not come by itself is sought under the load, and in the traffic in which it was seen.
    private bool IsSettledBeside(Deviation original, ScenarioResult found, Scenario scenario)
    {
        if (_load is not null && !_replayer.IsOver && IsSettled(original, found, scenario, _load))
            return true;
        // A run that waits was beside thousands.
        if (original.MustRecur || scenario.Waits || _replayer.IsOver)
            return false;
        Scenario[] others =
        [
            .. _recent
                .Where(run =>
                    run != found
                    && run.EndedNanoseconds >= found.BeganNanoseconds - BeforeNanoseconds
                    && run.BeganNanoseconds <= found.EndedNanoseconds
                )
                .Select(run => run.Scenario)
                .TakeLast(MostCompany),
        ];
        return others.Length > 0 && IsSettled(original, found, scenario, Company(others));
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
            // Exploring says what has become of the broker.
        }
    }

    private void StopLoad()
    {
        if (_isLoaded)
            _load!.Stop();
        _isLoaded = false;
    }

    // What a load does to a broker shows when it has gone on for a while.
    private void Begin(IBackgroundLoad? background, ScenarioRunner runner)
    {
        background?.Start();
        if (background is not (null or ScenarioCompany))
            runner.Run(
                new Scenario(_options.Generator.Versions[0], [new Step(0, new WaitCommand(SettlingMilliseconds))]),
                _options.Timing
            );
    }

    private ScenarioCompany Company(IReadOnlyList<Scenario> scenarios) =>
        new(_wire, _runner, _options.ShrinkTiming, scenarios);

    // Repeats, shrinks and confirms, beside something or not; false if it does not come there.
    private bool IsSettled(Deviation original, ScenarioResult found, Scenario scenario, IBackgroundLoad? background)
    {
        Begin(background, _runner);
        try
        {
            var shrinking =
                scenario.Waits && !original.MustRecur ? new Shrinking(_replayer, _options, original, 1, 1) : null;
            if (shrinking is not null)
                scenario = scenario with { Steps = [.. scenario.Steps.Take(found.Reached)] };
            var first =
                shrinking?.Begin(scenario)
                ?? _replayer.Repeat(original, scenario, original.MustRecur ? 10 : 5, _replayer.Quick);
            if (!first.IsSteady && !_replayer.IsOver && (original.IsAbsence || !original.MustRecur))
                first = _replayer.Repeat(original, scenario, _options.Replays, _options.Timing);
            if (first.Hits == 0 || (original.MustRecur && !first.IsSteady))
                return false;
            if (background is ScenarioCompany company)
                background = Smaller(company, original, scenario, first);
            Conclude(original, found, scenario, first, background, first.IsSteady ? shrinking : null);
            return true;
        }
        finally
        {
            background?.Stop();
        }
    }

    // Half of the scenarios beside it, as long as it still comes.
    private ScenarioCompany Smaller(ScenarioCompany company, Deviation deviation, Scenario scenario, Repetition first)
    {
        var most = Math.Max(5, Math.Min(_options.Replays, 4 * first.Replays / first.Hits));
        for (var isSmaller = true; isSmaller && company.Scenarios.Count > 1 && !_replayer.IsOver; )
        {
            isSmaller = false;
            var half = (company.Scenarios.Count + 1) / 2;
            foreach (var part in company.Scenarios.Chunk(half))
            {
                company.Stop();
                var candidate = Company(part);
                candidate.Start();
                isSmaller = _replayer.Repeat(deviation, scenario, most, _replayer.Quick).Hits > 0;
                if (isSmaller)
                {
                    company = candidate;
                    break;
                }
                candidate.Stop();
                company.Start();
            }
        }
        return company;
    }

    private void Conclude(
        Deviation original,
        ScenarioResult found,
        Scenario scenario,
        Repetition first,
        IBackgroundLoad? background,
        Shrinking? begun
    )
    {
        if (!found.BrokerLost && background is null && IsKnownWithPlainTopic(original, found))
            return;
        if (first.IsSteady)
            scenario = scenario with { Steps = [.. scenario.Steps.Take(first.Reached)] };
        var mayBePlain = first.IsSteady && !original.MustRecur && background is null;
        // What comes now and then must come about as often in a smaller scenario: 4 times are expected, 2 are enough.
        var (tries, wanted) =
            original.MustRecur ? (3, 3)
            : first.IsSteady ? (1, 1)
            : (Math.Min(30, (int)Math.Ceiling(4.0 * first.Replays / first.Hits)), 2);
        // What meets messages of others is replayed alone, one run after the other: with topics of its own it goes
        // faster.
        var settled = mayBePlain && scenario.MeetsOthers ? SettleWithPlainTopic(original, scenario) : null;
        settled ??= Settle(original, scenario, tries, wanted, mayBePlain, begun);
        _known.Add(original.Key);
        _suspicions.Remove(original.Key);
        if (settled is { } confirmed)
            Add(original, found, confirmed with { Background = background });
        else
            Suspect(original, found);
    }

    // How often it was suspected until now; the run that is kept is the first.
    private int Suspect(Deviation deviation, ScenarioResult found)
    {
        var suspicion = _suspicions.TryGetValue(deviation.Key, out var before)
            ? before with
            {
                Times = before.Times + 1,
            }
            : new Suspicion(found.Scenario, deviation, found.Names, found.Monitor.Trace, 1);
        _suspicions[deviation.Key] = suspicion;
        return suspicion.Times;
    }

    // Shrinks and confirms; null if it does not come when it is waited for with patience.
    private Confirmed? Settle(
        Deviation deviation,
        Scenario scenario,
        int tries,
        int wanted,
        bool mayBePlain,
        Shrinking? begun = null
    )
    {
        var shrinking = begun ?? new Shrinking(_replayer, _options, deviation, tries, wanted);
        var began = _wire.NowNanoseconds;
        var smallest = shrinking.Run(scenario);
        var took = _wire.NowNanoseconds - began;
        if (mayBePlain && SettleWithPlainTopic(deviation, smallest) is { } plain)
            return plain with { Shrinking = plain.Shrinking + TimeSpan.FromTicks(took / TimeSpan.NanosecondsPerTick) };
        var last = shrinking.Confirmation ?? Confirm(smallest);
        if (!IsConfirmed(last))
        {
            // Somewhere on the way what is late was taken for what does not come. From where it was right, it goes on
            // with patience.
            var (right, wrong) = (0, shrinking.Chain.Count - 1);
            while (wrong - right > 1 && !_replayer.IsOver)
            {
                var middle = (right + wrong) / 2;
                if (IsConfirmed(Confirm(shrinking.Chain[middle])))
                    right = middle;
                else
                    wrong = middle;
            }
            smallest = new Shrinking(_replayer, _options, deviation, tries, wanted).Run(
                shrinking.Chain[right],
                _options.Timing
            );
            took = _wire.NowNanoseconds - began;
            last = Confirm(smallest);
        }
        return IsConfirmed(last)
            ? new(deviation.Key, smallest, last, TimeSpan.FromTicks(took / TimeSpan.NanosecondsPerTick))
            : null;

        Repetition Confirm(Scenario candidate) =>
            _replayer.IsOver
                ? default
                : _replayer.Repeat(deviation, candidate, _options.Replays, _options.ConfirmTiming);

        // When the time was over before it could be repeated often enough, it is no finding.
        bool IsConfirmed(Repetition repetition) =>
            deviation.MustRecur
                ? repetition is { IsSteady: true, Replays: >= 10 }
                : repetition is { Hits: > 0, Replays: >= 5 };
    }

    // The scenario with plain topics, if it violates the same statement: then the topics are not the cause.
    private Confirmed? SettleWithPlainTopic(Deviation deviation, Scenario scenario)
    {
        var plain = ScenarioShrinker.WithPlainTopic(scenario);
        if (plain == scenario || _replayer.IsOver)
            return null;
        var results = _runner.RunAll(
            [plain, plain, plain],
            _options.Lanes,
            new RunRules(_replayer.Quick) { Suffices = seen => seen.Statement == deviation.Statement }
        );
        if (
            results[0]
                .Deviations.FirstOrDefault(d =>
                    d.Statement == deviation.Statement && results.All(result => Replayer.Shows(result, d.Key))
                )
            is not { } common
        )
            return null;
        // What is a finding already needs no confirmation.
        return _findings.Exists(f => f.Key == common.Key)
            ? new(common.Key, plain, default, TimeSpan.Zero)
            : Settle(common, plain, 1, 1, mayBePlain: false);
    }

    // Whether the same statement is violated in a known way when every topic is plain: then the topics are not the
    // cause.
    private bool IsKnownWithPlainTopic(Deviation deviation, ScenarioResult found)
    {
        if (_replayer.IsOver || !_findings.Exists(f => f.Statement == deviation.Statement))
            return false;
        var plain = ScenarioShrinker.WithPlainTopic(found.Scenario);
        var results = _runner.RunAll(
            [plain, plain, plain],
            _options.Lanes,
            new RunRules(_replayer.Quick) { IsKnown = IsKnown }
        );
        var index = _findings.FindIndex(f =>
            f.Statement == deviation.Statement
            && !Replayer.Shows(found, f.Key)
            && results.All(result => Replayer.Shows(result, f.Key))
        );
        if (index < 0)
            return false;
        Fold(index, deviation.Key, deviation);
        return true;
    }

    private void Fold(int index, string key, Deviation deviation)
    {
        _known.Add(key);
        _findings[index] = _findings[index] with { AlsoAs = [.. _findings[index].AlsoAs, deviation.Circumstances] };
    }

    private void Add(Deviation original, ScenarioResult found, Confirmed confirmed)
    {
        var (key, smallest, last, _) = confirmed;
        _known.Add(key);
        if (_findings.FindIndex(f => f.Key == key) is >= 0 and var again)
        {
            Fold(again, original.Key, original);
            return;
        }
        _patterns.Add(new ScenarioPattern(smallest));
        var shown = last.Shown!;
        var deviation = shown.Deviations.First(d => d.Key == key);
        var same = _findings.FindIndex(f =>
            f.Statement == deviation.Statement && ScenarioPattern.HaveOneCause(f.Scenario, smallest, f.Statement)
        );
        if (same >= 0 && smallest.Steps.Count >= _findings[same].Scenario.Steps.Count)
        {
            Fold(same, original.Key, original);
            return;
        }
        var cause =
            shown
                .Deviations.FirstOrDefault(d =>
                    d.Entry <= deviation.Entry && d.Key != key && _findings.Exists(f => f.Key == d.Key)
                )
                ?.Key
            ?? (
                deviation.IsAbsence
                    ? _findings
                        .Find(f =>
                            f.Deviation.IsAbsence
                            && new ScenarioPattern(f.Scenario).Matches(smallest with { Version = f.Scenario.Version })
                        )
                        ?.Key
                    : null
            );
        var finding = new Finding
        {
            Statement = deviation.Statement,
            Circumstances = deviation.Circumstances,
            Scenario = smallest,
            Deviation = deviation,
            Names = shown.Names,
            Trace = shown.Monitor.Trace,
            Replays = last.Replays,
            Hits = last.Hits,
            FoundWith = found.Scenario.Steps.Count,
            Load = confirmed.Background is null or ScenarioCompany ? null : confirmed.Background.Name,
            Beside = [.. (confirmed.Background as ScenarioCompany)?.Scenarios ?? []],
            Shrinking = confirmed.Shrinking,
            ExplainedBy = cause,
        };
        if (same >= 0)
        {
            Replace(same, finding);
            return;
        }
        _findings.Add(finding);
        Found?.Invoke(finding);
    }

    // The same cause with a shorter scenario: that is the one to show.
    private void Replace(int index, Finding shorter)
    {
        var longer = _findings[index];
        _findings[index] = shorter with
        {
            ExplainedBy = longer.ExplainedBy,
            AlsoAs = [.. longer.AlsoAs, longer.Circumstances],
        };
        for (var i = 0; i < _findings.Count; i++)
            if (_findings[i].ExplainedBy == longer.Key)
                _findings[i] = _findings[i] with { ExplainedBy = shorter.Key };
    }

    private readonly record struct Confirmed(string Key, Scenario Smallest, Repetition Last, TimeSpan Shrinking)
    {
        public IBackgroundLoad? Background { get; init; }
    }
}
