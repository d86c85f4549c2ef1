using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Conformance;

/// <summary>
/// Explores a broker by random scenarios of concurrent clients, and turns each new deviation into a finding: repeated, shrunk to the smallest scenario, confirmed with patience. What is known
/// is neither waited for nor sought again.
/// </summary>
public sealed class ConformanceCheck
{
    private const int SteeringTries = 12;
    private const double SteeringStrength = .95;
    private const long SlowNanoseconds = 8_000_000_000;

    // What is being shrunk or confirmed when the time is over may take this much longer.
    private const long OverrunNanoseconds = 15_000_000_000;

    // Repeating what does not come again ends after this time.
    private const long FruitlessNanoseconds = 20_000_000_000;

    private readonly IWire _wire;
    private readonly ScenarioRunner _runner;
    private readonly SlowRuns _slow;
    private readonly CheckOptions _options;
    private readonly ScenarioGenerator _generator;
    private readonly List<Finding> _findings = [];
    private readonly List<ScenarioPattern> _patterns = [];
    private readonly HashSet<string> _known = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _unconfirmed = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _deviations = new(StringComparer.Ordinal);
    private readonly Dictionary<Statement, long> _exercised = [];
    private long _hardEnd = long.MaxValue;
    private CancellationToken _cancellation;
    private ulong _number;
    private long _scenarios, _commands;
    private TimeSpan _exploring;

    /// <summary>A check.</summary>
    /// <param name="wire">The wire, run by nobody else.</param>
    /// <param name="target">The broker.</param>
    /// <param name="prefix">The beginning of all names on the broker, a few letters and digits.</param>
    /// <param name="options">How to check.</param>
    public ConformanceCheck(IWire wire, CheckTarget target, string prefix, CheckOptions options)
    {
        ArgumentNullException.ThrowIfNull(wire);
        ArgumentNullException.ThrowIfNull(options);
        (_wire, _options) = (wire, options);
        _runner = new ScenarioRunner(wire, target, prefix);
        _slow = new SlowRuns(_runner, options.Timing, key => _known.Contains(key));
        _generator = new ScenarioGenerator(options.Generator);
    }

    /// <summary>Starts the broker again when it was lost, and says where it is; null when it cannot be started.</summary>
    public Func<CheckTarget?>? Restart { get; init; }

    /// <summary>Gets each finding when it is confirmed.</summary>
    public Action<Finding>? Found { get; init; }

    /// <summary>Gets a few words on what is being done, and how many scenarios were explored.</summary>
    public Action<string, long>? Progress { get; init; }

    /// <summary>Explores until the time is over.</summary>
    /// <param name="budget">How long, on the wire's clock, confirming and shrinking included.</param>
    /// <param name="cancellation">Ends it earlier, in order.</param>
    public CheckReport Explore(TimeSpan budget, CancellationToken cancellation) => Explore(budget, long.MaxValue, cancellation);

    /// <summary>Explores until the time is over or a number of scenarios has been run.</summary>
    /// <param name="budget">How long, on the wire's clock, confirming and shrinking included.</param>
    /// <param name="scenarios">How many scenarios.</param>
    /// <param name="cancellation">Ends it earlier, in order.</param>
    public CheckReport Explore(TimeSpan budget, long scenarios, CancellationToken cancellation)
    {
        var end = _wire.NowNanoseconds + (budget.Ticks * TimeSpan.NanosecondsPerTick);
        (_hardEnd, _cancellation) = (end + OverrunNanoseconds, cancellation);
        var lost = false;
        while (_wire.NowNanoseconds < end && _scenarios < scenarios && !cancellation.IsCancellationRequested && !lost)
        {
            var suspects = ExploreUntilNew(end, scenarios, cancellation);
            foreach (var result in _slow.Take())
            {
                Count(result);
                foreach (var deviation in result.Deviations)
                    if (IsNew(deviation)) suspects.TryAdd(deviation.Key, result);
            }
            foreach (var (key, result) in suspects)
            {
                if (cancellation.IsCancellationRequested || _wire.NowNanoseconds > end) break;
                if (!_known.Contains(key)) Investigate(key, result);
            }
            if (suspects.Values.Any(result => result.BrokerLost)) lost = !TryRestart();
        }
        _slow.Abandon();
        return new CheckReport
        {
            Findings = _findings,
            Unconfirmed = _unconfirmed,
            Exercised = _exercised,
            Deviations = _deviations,
            Scenarios = _scenarios,
            Commands = _commands,
            Exploring = _exploring,
            BrokerLost = lost,
        };
    }

    /// <summary>Repeats one scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="times">How often.</param>
    /// <returns>The results.</returns>
    public IReadOnlyList<ScenarioResult> Replay(Scenario scenario, int times) => [.. Enumerable.Range(0, times).Select(_ => _runner.Run(scenario, _options.ConfirmTiming))];

    private Dictionary<string, ScenarioResult> ExploreUntilNew(long end, long scenarios, CancellationToken cancellation)
    {
        var suspects = new Dictionary<string, ScenarioResult>(StringComparer.Ordinal);
        var began = _wire.NowNanoseconds;
        _runner.Run(
            () =>
            {
                if (suspects.Count > 0 || _slow.HasSuspect(IsNew) || _wire.NowNanoseconds >= end || _scenarios >= scenarios || cancellation.IsCancellationRequested) return null;
                while (_slow.Running < _options.SlowLanes && _wire.NowNanoseconds < end - SlowNanoseconds) _slow.Start(NextScenario(waits: true));
                return NextScenario(waits: false);
            },
            _options.Lanes,
            _options.Timing,
            _known.Contains,
            result =>
            {
                Count(result);
                foreach (var deviation in result.Deviations)
                    if (IsNew(deviation)) suspects.TryAdd(deviation.Key, result);
            });
        _exploring += TimeSpan.FromTicks((_wire.NowNanoseconds - began) / TimeSpan.NanosecondsPerTick);
        return suspects;
    }

    private bool IsNew(Deviation deviation) => _options.Counts?.Invoke(deviation.Statement) != false && !_known.Contains(deviation.Key);

    private void Count(ScenarioResult result)
    {
        _scenarios++;
        _commands += result.Commands;
        if (_scenarios % 64 == 0) Progress?.Invoke("exploring", _scenarios);
        foreach (var (statement, times) in result.Monitor.Exercised) _exercised[statement] = _exercised.GetValueOrDefault(statement) + times;
        foreach (var key in result.Deviations.Select(deviation => deviation.Key).Distinct()) _deviations[key] = _deviations.GetValueOrDefault(key) + 1;
    }

    private bool IsOver => _cancellation.IsCancellationRequested || _wire.NowNanoseconds >= _hardEnd;

    private Scenario NextScenario(bool waits)
    {
        for (var attempt = 0; ; attempt++)
        {
            var random = RandomStream.For(_options.Seed, _number++);
            var scenario = waits ? _generator.GenerateWaiting(random) : _generator.Generate(random);
            if (attempt >= SteeringTries || !_patterns.Exists(pattern => pattern.Matches(scenario)) || random.NextDouble() > SteeringStrength) return scenario;
        }
    }

    private bool TryRestart()
    {
        _slow.Abandon();
        if (Restart?.Invoke() is not { } target) return false;
        _runner.Target = target;
        return true;
    }

    private void Investigate(string key, ScenarioResult found)
    {
        Progress?.Invoke($"shrinking {key}", _scenarios);
        var original = found.Deviations.First(deviation => deviation.Key == key);
        if (found.BrokerLost && !TryRestart())
        {
            Add(original, key, found, found.Scenario, found, 1, 1);
            return;
        }
        var mustRecur = original.MustRecur;
        // A connection that is closed may be closed for a publication of QoS 0 that came before: with PINGREQ in between it is seen which.
        var scenario = mustRecur ? ScenarioShrinker.WithPings(found.Scenario) : found.Scenario;
        var (hits, replays, _) = Repeat(key, scenario, _options.Replays, _options.Timing, mustRecur);
        if (hits == 0 || (mustRecur && hits < replays))
        {
            var times = _unconfirmed[key] = _unconfirmed.GetValueOrDefault(key) + 1;
            // Twice is enough to see that it does not come again.
            if (times >= 3) _known.Add(key);
            return;
        }
        if (!found.BrokerLost && IsKnownWithPlainTopic(key, found)) return;
        // What comes now and then must come about as often in a smaller scenario: 4 times are expected, 2 are enough.
        var (tries, wanted) = mustRecur ? (3, 3) : hits == replays ? (1, 1) : (Math.Min(30, (int)Math.Ceiling(4.0 * replays / hits)), 2);
        var smallest = Smallest(key, scenario, tries, wanted, mustRecur);
        if (!mustRecur && hits == replays && WithPlainTopic(key, smallest) is { } plain)
        {
            _known.Add(key);
            (smallest, scenario, key) = (plain.Scenario, plain.Scenario, plain.Key);
        }
        var (finalHits, finalReplays, shown) = Repeat(key, smallest, _options.Replays, _options.ConfirmTiming, mustRecur);
        if (finalHits == 0 && !mustRecur)
        {
            smallest = scenario;
            (finalHits, finalReplays, shown) = Repeat(key, smallest, _options.Replays, _options.ConfirmTiming, mustRecur);
        }
        _unconfirmed.Remove(key);
        // When the time was over before it could be repeated often enough, it is no finding either.
        if (finalHits == 0 || finalReplays < 5 || (mustRecur && (finalHits < finalReplays || finalReplays < 10)))
        {
            _unconfirmed[key] = _unconfirmed.GetValueOrDefault(key) + 1;
            _known.Add(key);
            return;
        }
        Add(original, key, found, smallest, shown!, finalHits, finalReplays);
    }

    // The smallest scenario with plain topics, if it violates the same statement: then the topics are not the cause.
    private (Scenario Scenario, string Key)? WithPlainTopic(string key, Scenario smallest)
    {
        var plain = ScenarioShrinker.WithPlainTopic(smallest);
        if (plain == smallest) return null;
        var name = key[..(key.IndexOf('|', StringComparison.Ordinal) + 1)];
        var results = _runner.RunAll([plain, plain, plain], _options.Lanes, _options.ShrinkTiming, _ => false);
        var common = results[0].Deviations.Select(deviation => deviation.Key).FirstOrDefault(k => k.StartsWith(name, StringComparison.Ordinal) && results.All(result => Shows(result, k)));
        return common is null ? null : (plain, common);
    }

    // Whether the same statement is violated in a known way when every topic is plain: then the topics are not the cause.
    private bool IsKnownWithPlainTopic(string key, ScenarioResult found)
    {
        var deviation = found.Deviations.First(d => d.Key == key);
        var plain = ScenarioShrinker.WithPlainTopic(found.Scenario);
        var results = _runner.RunAll([plain, plain, plain], _options.Lanes, _options.ShrinkTiming, _known.Contains);
        var index = _findings.FindIndex(f => f.Statement == deviation.Statement && !Shows(found, f.Key) && results.All(result => Shows(result, f.Key)));
        if (index < 0) return false;
        Fold(index, key, deviation);
        return true;
    }

    private void Fold(int index, string key, Deviation deviation)
    {
        _known.Add(key);
        _findings[index] = _findings[index] with { AlsoAs = [.. _findings[index].AlsoAs, deviation.Circumstances] };
    }

    private void Add(Deviation original, string key, ScenarioResult found, Scenario smallest, ScenarioResult shown, int hits, int replays)
    {
        _known.Add(key);
        if (_findings.FindIndex(f => f.Key == key) is >= 0 and var again)
        {
            Fold(again, original.Key, original);
            return;
        }
        _patterns.Add(new ScenarioPattern(smallest));
        var deviation = shown.Deviations.First(d => d.Key == key);
        // A scenario that has all that an earlier one needed, and violates the same statement, shows the same.
        var shape = ScenarioPattern.Shape(smallest, deviation.Statement);
        var same = _findings.FindIndex(f => f.Statement == deviation.Statement
            && (new ScenarioPattern(f.Scenario, withQos: ScenarioPattern.IsAboutQos(f.Statement)).Matches(smallest with { Version = f.Scenario.Version }) || ScenarioPattern.Shape(f.Scenario, f.Statement) == shape));
        if (same >= 0)
        {
            Fold(same, original.Key, original);
            return;
        }
        var cause = shown.Deviations.FirstOrDefault(d => d.Entry <= deviation.Entry && d.Key != key && _findings.Exists(f => f.Key == d.Key));
        var finding = new Finding
        {
            Statement = deviation.Statement,
            Circumstances = deviation.Circumstances,
            Scenario = smallest,
            Deviation = deviation,
            Names = shown.Names,
            Trace = shown.Monitor.Trace,
            Replays = replays,
            Hits = hits,
            FoundWith = found.Scenario.Steps.Count,
            ExplainedBy = cause?.Key,
        };
        _findings.Add(finding);
        Found?.Invoke(finding);
    }

    // Repeats a scenario; what comes five times in a row comes every time, as far as that can be told.
    private (int Hits, int Replays, ScenarioResult? Shown) Repeat(string key, Scenario scenario, int most, CheckTiming timing, bool mustRecur)
    {
        var (hits, replays) = (0, 0);
        ScenarioResult? shown = null;
        var enough = _wire.NowNanoseconds + FruitlessNanoseconds;
        while (replays < most && (replays == 0 || (!IsOver && (hits > 0 || _wire.NowNanoseconds < enough))))
        {
            var results = _runner.RunAll([.. Enumerable.Repeat(scenario, 5)], LanesFor(scenario), timing, other => other != key && _known.Contains(other), _hardEnd);
            foreach (var result in results)
            {
                replays++;
                if (!Shows(result, key) || (mustRecur && shown is not null && Place(result, key) != Place(shown, key))) continue;
                hits++;
                shown ??= result;
            }
            if (results.Any(result => result.BrokerLost) && !TryRestart()) break;
            if (mustRecur ? hits < replays || hits == 10 : replays == 5 && hits == 5) break;
        }
        return (hits, replays, shown);
    }

    // What takes messages of others is run alone: they are not part of it, and whoever repeats it has none.
    private int LanesFor(Scenario scenario) => scenario.MeetsOthers ? 1 : scenario.Waits ? Math.Max(_options.Lanes, 32) : _options.Lanes;

    private Scenario Smallest(string key, Scenario scenario, int tries, int wanted, bool mustRecur)
    {
        var runs = 0;
        var end = Math.Min(_wire.NowNanoseconds + (_options.ShrinkTime.Ticks * TimeSpan.NanosecondsPerTick), _hardEnd);
        scenario = ScenarioShrinker.Normalise(scenario);
        var seen = new HashSet<string>(StringComparer.Ordinal) { scenario.ToString() };
        while (runs < _options.ShrinkRuns && _wire.NowNanoseconds < end && !IsOver)
        {
            Scenario? smaller = null;
            // Several candidates at once: most of a run is waiting.
            foreach (var batch in ScenarioShrinker.Edits(scenario).Select(edit => (Edit: edit, Scenario: ScenarioShrinker.Apply(scenario, [edit])))
                .Where(candidate => candidate.Scenario.Steps.Count > 0 && seen.Add(candidate.Scenario.ToString())).Chunk(_options.Lanes))
            {
                if (Showing([.. batch.Select(candidate => candidate.Scenario)]) is not { } showing) return scenario;
                if (showing.Count > 0)
                {
                    smaller = batch[showing[0]].Scenario;
                    if (showing.Count > 1 && Together(scenario, [.. showing.Select(i => batch[i].Edit)]) is { } together) smaller = together;
                }
                if (smaller is not null || runs >= _options.ShrinkRuns || _wire.NowNanoseconds >= end) break;
            }
            if (smaller is null) break;
            scenario = smaller;
        }
        return scenario;

        // What each leaves the deviation in place may do so together: all of it, or the first half, or the first quarter.
        Scenario? Together(Scenario from, ScenarioEdit[] edits)
        {
            var candidates = new List<Scenario>();
            for (var count = edits.Length; count > 1; count /= 2)
            {
                var candidate = ScenarioShrinker.Apply(from, edits[..count]);
                if (candidate.Steps.Count > 0 && seen.Add(candidate.ToString())) candidates.Add(candidate);
            }
            return candidates.Count > 0 && Showing(candidates) is { Count: > 0 } showing ? candidates[showing[0]] : null;
        }

        // The places of the candidates that show the deviation; null if the broker was lost for good.
        List<int>? Showing(IReadOnlyList<Scenario> candidates)
        {
            runs += candidates.Count * tries;
            var results = _runner.RunAll([.. candidates.SelectMany(candidate => Enumerable.Repeat(candidate, tries))], LanesFor(scenario), _options.ShrinkTiming, other => other != key && _known.Contains(other), end);
            if (results.Any(result => result.BrokerLost) && !TryRestart()) return null;
            var places = new List<int>();
            for (var i = 0; i < candidates.Count; i++)
            {
                var showing = results.Skip(i * tries).Take(tries).Where(result => Shows(result, key)).ToList();
                if (showing.Count >= wanted && !(mustRecur && showing.Select(result => Place(result, key)).Distinct().Count() > 1)) places.Add(i);
            }
            return places;
        }
    }

    // How many requests the client had sent: a broker that ends connections at random does it now here, now there.
    private static int Place(ScenarioResult result, string key)
    {
        var deviation = result.Deviations.First(d => d.Key == key);
        var client = result.Monitor.Trace[deviation.Entry].Client;
        return result.Monitor.Trace.Take(deviation.Entry)
            .Count(entry => entry.Client == client && entry is { Kind: TraceKind.Sent, Packet: not (PubackPacket or PubrecPacket or PubrelPacket or PubcompPacket) });
    }

    private static bool Shows(ScenarioResult result, string key) => result.Deviations.Any(deviation => deviation.Key == key);
}
