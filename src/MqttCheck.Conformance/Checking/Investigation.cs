using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Causes;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// Investigates a deviation: repeats it alone, under the load and beside the scenarios that ran with it. Then it
/// shrinks the scenario and confirms the deviation with patience.
/// </summary>
/// <param name="wire">The wire.</param>
/// <param name="runner">Runs scenarios on the broker.</param>
/// <param name="replayer">Repeats them.</param>
/// <param name="options">How to check.</param>
/// <param name="ledger">Takes the findings and suspicions.</param>
/// <param name="load">Gives the load of the exploration; null for none.</param>
internal sealed class Investigation(
    IWire wire,
    ScenarioRunner runner,
    Replayer replayer,
    CheckOptions options,
    FindingLedger ledger,
    Func<IBackgroundLoad?> load
)
{
    // The latest runs are kept, so that those beside a suspect can be repeated. They cover about a minute, because
    // exploration goes on while others are investigated.
    private const int RecentRuns = 16_384;

    // How many scenarios run again beside one.
    private const int MostCompany = 48;

    // A run may be affected by other runs that ended this shortly before it began.
    private const long BeforeNanoseconds = 500_000_000;

    // The time that each group gets at the end, although all of it may be over.
    private const long GraceNanoseconds = 1_000_000_000;

    // How often each deviation is repeated that nobody had time to investigate.
    private const int LastReplays = 4;

    private readonly Queue<(Scenario Scenario, long Began, long Ended)> _recent = new();
    private int _hits,
        _replays;

    /// <summary>Keeps a run for a while, because another run may only deviate beside it.</summary>
    /// <param name="result">The run.</param>
    public void Remember(ScenarioResult result)
    {
        _recent.Enqueue((result.Scenario, result.BeganNanoseconds, result.EndedNanoseconds));
        if (_recent.Count > RecentRuns)
            _recent.Dequeue();
    }

    /// <summary>Turns a deviation into a finding, or into a suspicion if it does not recur.</summary>
    /// <param name="original">The deviation.</param>
    /// <param name="found">The run that it was seen in; the broker is there.</param>
    public void Investigate(Deviation original, ScenarioResult found)
    {
        // An earlier publication of QoS 0 may be the cause of a closed connection. A PINGREQ between the packets shows
        // which packet it was.
        var scenario = original.MustRecur ? ScenarioShrinker.WithPings(found.Scenario) : found.Scenario;
        (_hits, _replays) = (0, 0);
        var isSettled = scenario.IsLong
            ? IsSettledAsItIs(original, found)
            : IsSettled(original, found, scenario, background: null) || IsSettledBeside(original, found, scenario);
        if (isSettled)
            return;
        // A deviation that was suspected three times is not investigated again.
        if (ledger.Suspect(original, found, _hits, _replays) >= 3)
            ledger.Know(original.Key);
    }

    /// <summary>
    /// Repeats deviations that nobody had time to investigate, all together, and makes suspicions of them.
    /// </summary>
    /// <param name="suspects">The deviations with the runs that they were seen in; the broker is there.</param>
    /// <returns>The keys of those that were repeated before the time was over.</returns>
    public IReadOnlyCollection<string> RepeatLeft(IReadOnlyList<(Deviation Deviation, ScenarioResult Found)> suspects)
    {
        var repeated = new List<string>();
        // Scenarios that receive messages of others run one after the other, so they come last.
        foreach (
            var group in suspects.GroupBy(suspect => suspect.Found.Scenario.MeetsOthers).OrderBy(group => group.Key)
        )
        {
            if (replayer.Cancellation.IsCancellationRequested)
                break;
            (Deviation Deviation, ScenarioResult Found)[] members = [.. group];
            var results = runner.RunAll(
                [.. members.SelectMany(member => Enumerable.Repeat(member.Found.Scenario, LastReplays))],
                group.Key ? 1 : Replayer.WaitingLanes,
                new RunRules(options.Timing) { IsKnown = ledger.IsKnown },
                Math.Max(replayer.End, wire.NowNanoseconds + GraceNanoseconds)
            );
            foreach (var (member, own) in members.Zip(results.Chunk(LastReplays)))
            {
                var hits = own.Count(result => Replayer.Shows(result, member.Deviation.Key));
                ledger.Suspect(member.Deviation, member.Found, hits, own.Length);
                repeated.Add(member.Deviation.Key);
            }
        }
        return repeated;
    }

    /// <summary>Scenarios to run beside another one.</summary>
    /// <param name="scenarios">The scenarios.</param>
    public ScenarioCompany Company(IReadOnlyList<Scenario> scenarios) =>
        new(wire, runner, options.ShrinkTiming, scenarios);

    // A deviation that does not recur alone is repeated under the load, and then beside the scenarios that ran with it.
    private bool IsSettledBeside(Deviation original, ScenarioResult found, Scenario scenario)
    {
        if (load() is { } background && !replayer.IsOver && IsSettled(original, found, scenario, background))
            return true;
        // A run that waits ran beside thousands of others.
        if (original.MustRecur || scenario.Waits || replayer.IsOver)
            return false;
        Scenario[] others =
        [
            .. _recent
                .Where(run =>
                    !ReferenceEquals(run.Scenario, found.Scenario)
                    && run.Ended >= found.BeganNanoseconds - BeforeNanoseconds
                    && run.Began <= found.EndedNanoseconds
                )
                .Select(run => run.Scenario)
                .TakeLast(MostCompany),
        ];
        return others.Length > 0 && IsSettled(original, found, scenario, Company(others));
    }

    // A scenario with very many messages takes too long for shrinking, and is as plain as such a scenario can be. What a
    // few of its messages show is shrunk like everything else.
    private bool IsSettledAsItIs(Deviation original, ScenarioResult found)
    {
        var scenario = found.Scenario;
        var shorter = scenario.Shortened();
        if (replayer.Repeat(original, shorter, 5, replayer.Quick).Hits > 0)
            return IsSettled(original, found, shorter, background: null);
        var repetition = replayer.Repeat(original, scenario, original.MustRecur ? 10 : 5, options.ConfirmTiming);
        Note(repetition);
        if (!IsConfirmed(original, repetition))
            return false;
        ledger.Know(original.Key);
        ledger.Unsuspect(original.Key);
        ledger.Add(original, found, new(original.Key, scenario, repetition, TimeSpan.Zero));
        return true;
    }

    // Repeats, shrinks and confirms a deviation, with or without a background; false if it does not recur there.
    private bool IsSettled(Deviation original, ScenarioResult found, Scenario scenario, IBackgroundLoad? background)
    {
        runner.StartBeside(background, options);
        // A waiting scenario was seen beside exploration, and would take too long without it.
        if (background is null && scenario.Waits)
            StartExploring(scenario);
        try
        {
            var shrinking =
                scenario.Waits && !original.MustRecur ? new Shrinking(replayer, options, original, 1, 1) : null;
            if (shrinking is not null)
                scenario = scenario with { Steps = [.. scenario.Steps.Take(found.Reached)] };
            var first =
                shrinking?.Begin(scenario)
                ?? replayer.Repeat(original, scenario, original.MustRecur ? 10 : 5, replayer.Quick);
            Note(first);
            if (!first.IsSteady && !replayer.IsOver && (original.IsAbsence || !original.MustRecur))
            {
                first = replayer.Repeat(original, scenario, options.Replays, options.Timing);
                Note(first);
            }
            if (first.Hits == 0 || (original.MustRecur && !first.IsSteady))
                return false;
            if (background is ScenarioCompany company)
                background = Smaller(company, original, scenario, first);
            // A deviation that recurs every time without a background needs none, so exploration may go on beside it.
            if (background is null && first.IsSteady)
                StartExploring(scenario);
            Conclude(original, found, scenario, first, background, first.IsSteady ? shrinking : null);
            return true;
        }
        finally
        {
            replayer.Beside?.Stop();
            background?.Stop();
        }
    }

    // Exploration would hide a deviation that depends on a load. It would also add scenarios that distort the shares
    // when all are counted.
    private void StartExploring(Scenario scenario)
    {
        if (load() is null && !scenario.MeetsOthers && !options.CountsAll && options.MaximumCommandsPerSecond is null)
            replayer.Beside?.Start();
    }

    // Halves the scenarios beside it as long as the deviation still recurs.
    private ScenarioCompany Smaller(ScenarioCompany company, Deviation deviation, Scenario scenario, Repetition first)
    {
        var most = Math.Max(5, Math.Min(options.Replays, 4 * first.Replays / first.Hits));
        for (var isSmaller = true; isSmaller && company.Scenarios.Count > 1 && !replayer.IsOver; )
        {
            isSmaller = false;
            var half = (company.Scenarios.Count + 1) / 2;
            foreach (var part in company.Scenarios.Chunk(half))
            {
                company.Stop();
                var candidate = Company(part);
                candidate.Start();
                isSmaller = replayer.Repeat(deviation, scenario, most, replayer.Quick).Hits > 0;
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
        // An intermittent deviation must recur about as often in a smaller scenario: 4 hits are expected, and 2 are
        // enough.
        var (tries, wanted) =
            original.MustRecur ? (3, 3)
            : first.IsSteady ? (1, 1)
            : (Math.Min(30, (int)Math.Ceiling(4.0 * first.Replays / first.Hits)), 2);
        // A scenario that receives messages of others is replayed alone, one run after the other. With plain topics the
        // replays can run at once.
        var settled = mayBePlain && scenario.MeetsOthers ? SettleWithPlainTopic(original, scenario) : null;
        settled ??= Settle(original, scenario, tries, wanted, mayBePlain, begun);
        ledger.Know(original.Key);
        ledger.Unsuspect(original.Key);
        // A deviation that came every time is certain without patience, unless it is something that may have been late.
        if (settled is null && !original.IsAbsence && first.IsSteady && IsConfirmed(original, first) && replayer.IsOver)
            settled = new(original.Key, scenario, first, TimeSpan.Zero);
        if (settled is { } confirmed)
            ledger.Add(original, found, confirmed with { Background = background });
        else
            ledger.Suspect(original, found, _hits, _replays);
    }

    // Shrinks and confirms a deviation; null if patient runs do not show it.
    private ConfirmedDeviation? Settle(
        Deviation deviation,
        Scenario scenario,
        int tries,
        int wanted,
        bool mayBePlain,
        Shrinking? begun = null
    )
    {
        var shrinking = begun ?? new Shrinking(replayer, options, deviation, tries, wanted);
        var began = wire.NowNanoseconds;
        var smallest = shrinking.Run(scenario);
        var took = wire.NowNanoseconds - began;
        if (mayBePlain && SettleWithPlainTopic(deviation, smallest) is { } plain)
            return plain with { Shrinking = plain.Shrinking + TimeSpan.FromTicks(took / TimeSpan.NanosecondsPerTick) };
        if (tries == wanted && SettlePlainer(deviation, smallest, tries) is { } plainer)
            return plainer;
        var last = shrinking.Confirmation ?? Confirm(deviation, smallest);
        if (!IsConfirmed(deviation, last))
        {
            // Somewhere in the chain a late delivery was taken for a missing one. Shrinking goes on with patience from
            // the last scenario that is confirmed.
            var (right, wrong) = (0, shrinking.Chain.Count - 1);
            while (wrong - right > 1 && !replayer.IsOver)
            {
                var middle = (right + wrong) / 2;
                if (IsConfirmed(deviation, Confirm(deviation, shrinking.Chain[middle])))
                    right = middle;
                else
                    wrong = middle;
            }
            smallest = new Shrinking(replayer, options, deviation, tries, wanted).Run(
                shrinking.Chain[right],
                options.Timing
            );
            took = wire.NowNanoseconds - began;
            last = Confirm(deviation, smallest);
        }
        return IsConfirmed(deviation, last)
            ? new(deviation.Key, smallest, last, TimeSpan.FromTicks(took / TimeSpan.NanosecondsPerTick))
            : null;
    }

    private void Note(Repetition repetition) =>
        (_hits, _replays) = (_hits + repetition.Hits, _replays + repetition.Replays);

    private Repetition Confirm(Deviation deviation, Scenario candidate)
    {
        if (replayer.IsOver)
            return default;
        var repetition = replayer.Repeat(deviation, candidate, options.Replays, options.ConfirmTiming);
        Note(repetition);
        return repetition;
    }

    // A deviation that could not be repeated often enough in time is no finding.
    private static bool IsConfirmed(Deviation deviation, Repetition repetition) =>
        deviation.MustRecur
            ? repetition is { IsSteady: true, Replays: >= 10 }
            : repetition is { Hits: > 0, Replays: >= 5 };

    // Shrinking keeps to one deviation, and so to all that its words speak of, such as two filters that overlap. If a
    // plainer scenario shows another deviation of its kind, that is named instead: one filter, one packet, no session.
    private ConfirmedDeviation? SettlePlainer(Deviation deviation, Scenario smallest, int tries)
    {
        if (!Kinship.MayHaveKin(deviation) || smallest.Waits || smallest.MeetsOthers || replayer.IsOver)
            return null;
        var began = wire.NowNanoseconds;
        var plainest = new Shrinking(replayer, options, deviation, tries, tries, orKin: true).Run(smallest);
        var apart = deviation.Trigger is null ? ScenarioShrinker.WithoutOverlap(plainest) : [];
        foreach (var candidate in apart.Append(plainest))
        {
            if (
                replayer.IsOver
                || candidate == smallest
                || Common(candidate, seen => Kinship.AreKin(deviation, seen)) is not { } kin
            )
                continue;
            var took = TimeSpan.FromTicks((wire.NowNanoseconds - began) / TimeSpan.NanosecondsPerTick);
            if (ledger.Findings.Exists(f => f.Key == kin.Key))
                return new(kin.Key, candidate, default, took);
            if (Confirm(kin, candidate) is var last && IsConfirmed(kin, last))
                return new(kin.Key, candidate, last, took);
        }
        return null;
    }

    // A deviation of a kind that three runs of a scenario show.
    private Deviation? Common(Scenario scenario, Predicate<Deviation> isOfKind)
    {
        var results = runner.RunAll(
            [scenario, scenario, scenario],
            options.Lanes,
            new RunRules(replayer.Quick) { Suffices = isOfKind }
        );
        return results[0]
            .Deviations.FirstOrDefault(seen =>
                isOfKind(seen) && results.All(result => Replayer.Shows(result, seen.Key))
            );
    }

    // Tries the scenario with plain topics. If it violates the same statement, the topics are not the cause.
    private ConfirmedDeviation? SettleWithPlainTopic(Deviation deviation, Scenario scenario)
    {
        var plain = ScenarioShrinker.WithPlainTopic(scenario);
        if (plain == scenario || replayer.IsOver)
            return null;
        if (Common(plain, seen => seen.Statement == deviation.Statement) is not { } common)
            return null;
        // A finding that exists already needs no confirmation.
        return ledger.Findings.Exists(f => f.Key == common.Key)
            ? new(common.Key, plain, default, TimeSpan.Zero)
            : Settle(common, plain, 1, 1, mayBePlain: false);
    }

    // Whether the scenario with plain topics violates the same statement in a known way. If so, the topics are not the
    // cause.
    private bool IsKnownWithPlainTopic(Deviation deviation, ScenarioResult found)
    {
        if (replayer.IsOver || !ledger.Findings.Exists(f => f.Statement == deviation.Statement))
            return false;
        var plain = ScenarioShrinker.WithPlainTopic(found.Scenario);
        var results = runner.RunAll(
            [plain, plain, plain],
            options.Lanes,
            new RunRules(replayer.Quick) { IsKnown = ledger.IsKnown }
        );
        var index = ledger.Findings.FindIndex(f =>
            f.Statement == deviation.Statement
            && !Replayer.Shows(found, f.Key)
            && results.All(result => Replayer.Shows(result, f.Key))
        );
        if (index < 0)
            return false;
        ledger.Fold(index, deviation.Key, deviation);
        return true;
    }
}
