using System.Diagnostics;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Verification;

/// <summary>Says in words why a verdict is what it is.</summary>
internal static class VerdictReason
{
    // Above this inflation, longer runs hardly help any more.
    private const double StronglyCorrelated = 3;

    public static string Of(Verdict verdict, VerificationOptions options, TimeSpan? budget) =>
        Of(verdict, options) + Limit(verdict, options, budget);

    private static string Of(Verdict verdict, VerificationOptions options)
    {
        if (verdict.Samples == 0)
            return NothingSeen(verdict);
        var seen =
            Invariant($"{verdict.Successes} of {Count(verdict.Samples, "sequence")} in time ")
            + Invariant($"({verdict.Observed:0.000}) in {Count(verdict.Runs.Count, "run")}");
        return verdict.Test == VerdictTest.Clients ? $"{seen}: {ByClients(verdict, options)}" + Truncated(verdict)
            : verdict.Kind.IsDecided() ? Decided(verdict, options, seen)
            : Undecided(verdict, options, seen) + Truncated(verdict);
    }

    private static string NothingSeen(Verdict verdict) =>
        verdict.NotCounted switch
        {
            0 => "No sequence was observed.",
            1 => "The only sequence could not be counted: the run ended before it did.",
            _ => Invariant($"None of {verdict.NotCounted} sequences could be counted: each run ended before ")
                + "its first sequence did.",
        };

    private static string Decided(Verdict verdict, VerificationOptions options, string seen)
    {
        var plan = verdict.Plan;
        var text = verdict.Kind switch
        {
            VerdictKind.Confirmed => Invariant($"{seen}: as predicted, {plan.Predicted:0.000}: ")
                + $"{Rejected(verdict, options)}."
                + Widened(verdict, options),
            VerdictKind.NotWorse => Invariant($"{seen}: not worse than the predicted {plan.Predicted:0.000}: ")
                + $"{Rejected(verdict, options)}."
                + Widened(verdict, options),
            VerdictKind.Worse => Invariant(
                $"{seen}: worse than the predicted {plan.Predicted:0.000}: {plan.Worse:0.000} "
            ) + $"or better is rejected, {Nearest("lower", plan.LowerIndifference, options)}.",
            VerdictKind.Better => Invariant(
                $"{seen}: better than the predicted {plan.Predicted:0.000}: {plan.Better:0.000} "
            ) + $"or worse is rejected, {Nearest("upper", plan.UpperIndifference, options)}.",
            _ => throw new UnreachableException(),
        };
        return text + Variance(verdict);
    }

    private static string Undecided(Verdict verdict, VerificationOptions options, string seen)
    {
        if (verdict.BelowWorst is { } below)
            return $"{seen}. {VouchedWorst.Refuted(options.WorstRun ?? 0, below)}";
        if (verdict.Runs.Count < options.MinimumRuns)
            return Invariant($"{seen}; a verdict takes at least {Count(options.MinimumRuns, "run")}, because ")
                + "the sequences of one run are not independent.";
        if (Unsettled(verdict, options) is { } unsettled)
            return $"{seen}; but {unsettled}";
        if (verdict.IsVague)
            return Invariant($"{seen}: the prediction is too vague to be confirmed; {Own(options)} is ")
                + Invariant($"{verdict.Point.Interval}. {Sharpen}");
        return verdict.Differing is { } differing
            ? $"{seen}. {differing.InWords(kind => kind.Word())}"
            : Open(verdict, options, seen);
    }

    // Names the reason to withhold a verdict although there are enough runs; null without one.
    private static string? Unsettled(Verdict verdict, VerificationOptions options)
    {
        if (verdict.Halves.Differ(options.Indifference / 2))
            return Invariant($"inside the runs the share changes from {verdict.Halves.First:0.000} ")
                + Invariant($"in the first half to {verdict.Halves.Second:0.000} in the second: the broker ")
                + "has not settled, "
                + "and what is seen depends on how long the runs are. Let it settle first, or ask it for less.";
        if (verdict.Drift.Matters(options.Indifference / 2))
            return Invariant($"the broker {Direction(verdict.Drift)} from run to run: the share ")
                + Invariant($"changes by {verdict.Drift.Change:+0.000;-0.000} over the runs (correlation with ")
                + Invariant($"the run's number {verdict.Drift.Correlation:0.00}), ")
                + "and what is seen depends on when one looks. Let it settle first.";
        return null;
    }

    // Enough runs, steady ones, and a prediction that is precise enough: they lie too near to a border.
    private static string Open(Verdict verdict, VerificationOptions options, string seen)
    {
        var plan = verdict.Plan;
        var open =
            Invariant($"{seen}: with an error of {plan.Error:0.####} the truth may lie anywhere in ")
            + Invariant($"{verdict.VerdictInterval}, which is too wide to tell what is as ")
            + Invariant($"predicted{Thresholds(plan)}.");
        if (verdict.Lower is { AreRareStatesExcluded: false } || verdict.Upper is { AreRareStatesExcluded: false })
            return open
                + " Some runs stand apart from the others: so few runs do not tell how often that happens. "
                + "More runs help.";
        if (Math.Max(plan.LowerIndifference, plan.UpperIndifference) > options.Indifference + 1e-9)
            open +=
                Invariant($" The prediction is too vague to tell: {Own(options)} {verdict.Point.Interval} ")
                + Invariant($"reaches beyond the indifference of {options.Indifference:0.###}. {Sharpen}");
        var variation = verdict.Variation;
        if (verdict.Drift.IsClear)
            open +=
                Invariant($" The broker {Direction(verdict.Drift)} from run to run (correlation with the run's ")
                + Invariant($"number {verdict.Drift.Correlation:0.00}): let it settle first.");
        else if (variation.Inflation > StronglyCorrelated)
            open +=
                Invariant($" The runs differ {variation.Inflation:0.#} times more than chance makes them ")
                + Invariant($"(correlation inside a run {variation.Rho:0.###}): more runs help, longer ones ")
                + "hardly do.";
        else
            open += " More or longer runs help.";
        if (verdict.RunsNeeded is { } needed)
            open += Invariant(
                $" With runs that differ so much a right prediction takes about {Count(needed, "run")} of this length."
            );
        return open;
    }

    private const string Sharpen = "Explore longer, or nearer to this number of clients.";

    private static string Nearest(string end, double reach, VerificationOptions options) =>
        reach > options.Indifference + 1e-9
            ? $"the {end} end of {Own(options)}"
            : Invariant(
                $"the prediction {(end == "lower" ? "less" : "plus")} the indifference of {options.Indifference:0.###}"
            );

    private static string Thresholds(TwoSidedPlan plan) =>
        (plan.Worse is { } worse ? Invariant($" from {worse:0.000} or worse") : "")
        + (
            plan.Better is { } better
                ? Invariant($"{(plan.Worse is null ? " from" : " or")} {better:0.000} or better")
                : ""
        );

    private static string Direction(RunDrift drift) => drift.Change > 0 ? "became faster" : "slowed down";

    // More runs would not make a vague prediction precise.
    private static string Limit(Verdict verdict, VerificationOptions options, TimeSpan? budget) =>
        budget is not { } time || verdict.Kind != VerdictKind.Withheld ? ""
        : verdict.Runs.Count < options.MinimumRuns
            ? Invariant($" The budget of {time.TotalSeconds:0.###} s was used up before that: allow more time.")
        : verdict.IsHopeless ? ""
        : Invariant($" The budget of {time.TotalSeconds:0.###} s holds no more runs.");

    private static string Truncated(Verdict verdict) =>
        verdict.NotCounted > verdict.Samples / 10
            ? Invariant($" {Count(verdict.NotCounted, "sequence")} did not count, being issued after the ")
                + "first one that was unfinished when its run ended."
            : "";

    // Names the hypotheses that a confirmation rejects. If a side is missing the text says why, because such a
    // confirmation says less.
    private static string Rejected(Verdict verdict, VerificationOptions options)
    {
        var plan = verdict.Plan;
        return (
                plan.Lower is { } lower
                    ? Invariant($"{lower.P0:0.000} or worse is rejected")
                    : "no lower side: "
                        + Invariant($"{Leaves(plan.Predicted - options.Indifference < TwoSidedPlan.Margin, "-")} ")
                        + Invariant($"down to {TwoSidedPlan.Margin} to reject")
            )
            + ", "
            + (
                plan.Upper is { } upper ? Invariant($"{upper.P1:0.000} or better is rejected")
                : plan.IsOneSided ? "no upper side: one-sided test"
                : "no upper side: "
                    + Invariant($"{Leaves(plan.Predicted + options.Indifference > 1 - TwoSidedPlan.Margin, "+")} ")
                    + Invariant($"up to {1 - TwoSidedPlan.Margin} to reject")
            );

        string Leaves(bool byIndifference, string sign) =>
            byIndifference
                ? Invariant(
                    $"a prediction of {plan.Predicted:0.000} leaves no value of p {sign} {options.Indifference:0.###}"
                )
                : $"{Own(options)} {verdict.Point.Interval} leaves no value beyond it";
    }

    private static string Own(VerificationOptions options) =>
        options.IntervalLevel is { } level ? Invariant($"its own {100 * level:0.#} % interval") : "its own interval";

    private static string Widened(Verdict verdict, VerificationOptions options)
    {
        var reach = Math.Max(verdict.Plan.LowerIndifference, verdict.Plan.UpperIndifference);
        return reach > options.Indifference + 1e-9
            ? Invariant($" The prediction's{Own(options)[3..]} {verdict.Point.Interval} is wider than the ")
                + Invariant($"indifference of {options.Indifference:0.###}, and counts instead.")
            : "";
    }

    private static string Variance(Verdict verdict) =>
        verdict.Runs.Count < 2
            ? ""
            : Invariant($" The variance between runs is {verdict.Variation.Inflation:0.0} times binomial")
                + (
                    verdict.Variation.InflationBound is { } bound
                        ? Invariant($" (at most {bound:0.0} with 90 % confidence).")
                        : "."
                );

    private static string ByClients(Verdict verdict, VerificationOptions options)
    {
        var clients = verdict.Clients!;
        var text =
            Invariant($"{clients.Accepted} of {Count(clients.Total, "client")} accept the predicted ")
            + Invariant($"{verdict.Plan.Predicted:0.000}, {clients.Rejected} reject it, {clients.Undecided} are ")
            + Invariant($"undecided; {options.AcceptingShare:0.#%} must accept");
        return verdict.Kind.IsDecided()
                ? text
                    + Invariant(
                        $". The error of {verdict.Plan.Error:0.####} is that of each client, not of this verdict."
                    )
            : verdict.Runs.Count < options.MinimumRuns
                ? text + Invariant($"; a verdict takes at least {Count(options.MinimumRuns, "run")}.")
            : Unsettled(verdict, options) is { } unsettled ? $"{text}; but {unsettled}"
            : verdict.Differing is { } differing ? $"{text}. {differing.InWords(kind => kind.Word())}"
            : text + ". Those take more sequences: allow more time.";
    }

    private static string Count(long number, string noun) => Counted.Of(number, noun);
}
