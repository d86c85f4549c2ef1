using System.Diagnostics;
using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Comparison;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Simulates the true error of a comparison under every law of runs. If two brokers are equal, neither must be found
/// faster. If they differ by the indifference, the verdict must be neither "the slower one is faster" nor "no
/// difference".
/// </summary>
/// <param name="guarantee">Under which assumption.</param>
/// <param name="plans">Comparisons, with the number of runs where that is given, for 100 clients.</param>
internal sealed class TwoSampleAudit(Guarantee guarantee, IReadOnlyList<(TwoSampleOptions Options, int? Runs)> plans)
    : IPromiseAudit
{
    // Runs of each broker made beyond the planned ones, with a look after each.
    private const int FurtherRuns = 4;

    private const double Level = .85;

    /// <summary>
    /// The audit of four plans: as <c>compare --quick</c>; with an error of .01 one comparison in as few runs as
    /// possible, and two as they are planned; as <c>compare</c> plans one.
    /// </summary>
    /// <param name="guarantee">Under which assumption.</param>
    public TwoSampleAudit(Guarantee guarantee)
        : this(
            guarantee,
            [
                (
                    new()
                    {
                        Error = .1,
                        Indifference = .15,
                        MinimumRuns = 5,
                    },
                    5
                ),
                (new(), 8),
                (new() { Comparisons = 2 }, null),
                (new() { Error = .05 }, null),
            ]
        ) { }

    /// <summary>The true relation of the two brokers.</summary>
    internal enum Situation
    {
        /// <summary>Equal; the first is steady, the second varies.</summary>
        EqualBesideSteady,

        /// <summary>Equal; both vary.</summary>
        EqualBoth,

        /// <summary>The second is slower by the indifference, and varies beside a steady first one.</summary>
        SecondSlower,

        /// <summary>Equal; both vary, and the first is a stored sample.</summary>
        Stored,
    }

    /// <inheritdoc/>
    public string Title =>
        guarantee == Guarantee.Any ? "Comparisons, independent runs of any law" : "Comparisons, model of the runs";

    /// <inheritdoc/>
    public string Description =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"Two brokers are compared at {Level}, in four situations: the second "
                + $"varies as the law says beside a steady first one; both vary so. "
                + $"The second is slower by the indifference; the first is a stored sample. "
                + $"A comparison ends with its verdict, or {FurtherRuns} runs after the planned number."
        );

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } =
    [.. plans.SelectMany(plan => Of(plan.Options with { Guarantee = guarantee }, plan.Runs))];

    private static IEnumerable<PromiseCell> Of(TwoSampleOptions options, int? given)
    {
        var (planned, most, sequences) = Plan(options, given, Level);
        foreach (var situation in Enum.GetValues<Situation>())
        {
            var truth = situation == Situation.SecondSlower ? Level - options.Indifference : Level;
            foreach (var law in RunLaw.All.Where(law => law.CanHave(truth) && law.CanHave(Level)))
                yield return Wrong(planned, most, Math.Max(law.FewestSequences, sequences), situation, Level, law);
            if (situation is Situation.EqualBoth or Situation.SecondSlower)
                yield return Missed(planned, most - FurtherRuns, sequences, situation, truth);
        }
    }

    /// <summary>How often a comparison has a wrong answer.</summary>
    internal static PromiseCell Wrong(
        TwoSampleOptions options,
        int most,
        int sequences,
        Situation situation,
        double level,
        RunLaw law
    )
    {
        var first = (situation is Situation.EqualBoth or Situation.Stored ? law : RunLaw.Independent).Runs(
            level,
            sequences
        );
        var truth = situation == Situation.SecondSlower ? level - options.Indifference : level;
        var second = law.Runs(truth, sequences);
        var isStored = situation == Situation.Stored;
        var right = RightOf(situation);
        return Cell(options, situation, law) with
        {
            Detail = Invariant($"{options.MinimumRuns} to {most} x {sequences}"),
            Promise = VerdictPromiseAudit.Promised(options.Guarantee, law) ? options.ComparisonError : null,
            Floor =
                options.Guarantee == Guarantee.Any
                    ? 0
                    : Floor(law, options.MinimumRuns, both: situation is Situation.EqualBoth or Situation.Stored),
            Trial = random =>
            {
                var verdict = Compare(options, first, second, most, random, isStored);
                return verdict == TwoSampleVerdict.Withheld ? TrialOutcome.Withheld
                    : verdict == right ? TrialOutcome.Right
                    : TrialOutcome.Wrong;
            },
        };
    }

    // This is one minus the power: how often two quiet brokers lack their right verdict after the planned number of
    // runs.
    private static PromiseCell Missed(
        TwoSampleOptions options,
        int runs,
        int sequences,
        Situation situation,
        double truth
    )
    {
        var law = RunLaw.BetaBinomial(VerificationPlan.QuietInflation);
        var (first, second) = (law.Runs(Level, sequences), law.Runs(truth, sequences));
        var right = RightOf(situation);
        var cell = Cell(options, situation, law);
        return cell with
        {
            Subject = cell.Subject + ", power",
            Situation = "without the right verdict",
            Detail = Invariant($"{runs} x {sequences}"),
            // Its upper bound must be below a tenth itself.
            Promise = VerdictPromiseAudit.LargestMissed / PromiseRule.Tolerance,
            Trial = random =>
                Compare(options, first, second, runs, random) == right ? TrialOutcome.Right : TrialOutcome.Wrong,
        };
    }

    private static PromiseCell Cell(TwoSampleOptions options, Situation situation, RunLaw law) =>
        new()
        {
            Subject =
                Invariant($"comparison, error {options.Error}")
                + (options.Comparisons > 1 ? Invariant($" of {options.Comparisons} comparisons") : "")
                + Invariant($", d {options.Indifference}"),
            Variant = situation switch
            {
                Situation.EqualBesideSteady => "equal, the first steady",
                Situation.EqualBoth => "equal, both vary",
                Situation.Stored => "equal, the first stored",
                Situation.SecondSlower => "the second slower by d",
                _ => throw new UnreachableException(),
            },
            Situation = "wrong",
            Law = law,
            Guarantee = options.Guarantee,
            Promise = null,
            Trial = _ => TrialOutcome.Withheld,
        };

    private static TwoSampleVerdict RightOf(Situation situation) =>
        situation == Situation.SecondSlower ? TwoSampleVerdict.FirstFaster : TwoSampleVerdict.NoDifference;

    // No test can notice a rare state that none of the runs of a broker shows. If both brokers have the state, the runs
    // of exactly one of them must miss it.
    private static double Floor(RunLaw law, int runs, bool both)
    {
        var missed = law.Silence(runs);
        return both ? 2 * missed * (1 - missed) : missed;
    }

    /// <summary>As many runs of so many sequences as are planned for 100 clients.</summary>
    internal static (TwoSampleOptions Options, int Most, int Sequences) Plan(
        TwoSampleOptions options,
        int? runs,
        double level
    )
    {
        const int Clients = 100;
        // Runs as long as the number needs, where that is given; otherwise whole rounds.
        var plan = TwoSamplePlan.For(
            level,
            options,
            [(runs is null ? Clients : 1, 1)],
            runs is null ? 1.5 : 1.5 * Clients,
            runs
        )[0];
        var sequences = plan.Rounds * (runs is null ? Clients : 1);
        return options.Guarantee == Guarantee.Any
            ? (options, plan.Runs + FurtherRuns, sequences)
            : (options with { MinimumRuns = plan.Runs, PlannedRuns = plan.Runs }, plan.Runs + FurtherRuns, sequences);
    }

    private static TwoSampleVerdict Compare(
        TwoSampleOptions options,
        RunFiller first,
        RunFiller second,
        int most,
        RandomStream random,
        bool isStored = false
    )
    {
        RunCount[] one = new RunCount[most],
            other = new RunCount[most];
        first(one, ref random);
        second(other, ref random);
        // As many are stored as a comparison takes at its first look; without an assumption, as many as are made.
        var test = isStored
            ? new TwoSampleTest(options, options.Guarantee == Guarantee.Any ? one : one[..options.MinimumRuns])
            : new(options);
        return one.Zip(other, (run, otherRun) => test.Decide(isStored ? null : run, otherRun))
            .FirstOrDefault(verdict => verdict != TwoSampleVerdict.Withheld, TwoSampleVerdict.Withheld);
    }
}
