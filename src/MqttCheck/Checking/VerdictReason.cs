using System.Globalization;

namespace MqttCheck.Checking;

/// <summary>Says in words why a verdict is what it is.</summary>
internal static class VerdictReason
{
    // Above this inflation, longer runs hardly help any more.
    private const double StronglyCorrelated = 3;

    // Beyond the 99 % quantile of |r| for five runs without trend, .959; for more runs stricter than that.
    private const double ClearTrend = .96;

    public static string Of(Verdict verdict, VerificationOptions options)
    {
        var runs = verdict.Runs.Count;
        if (verdict.Samples == 0)
        {
            return verdict.NotCounted == 0
                ? "No sequence was observed."
                : Text($"None of {verdict.NotCounted} sequences could be counted: each run ended before its first sequence did.");
        }
        var seen = Text($"{verdict.Successes} of {verdict.Samples} sequences in time ({verdict.Observed:0.000}) in {Count(runs, "run")}");
        var plan = verdict.Plan;
        switch (verdict.Kind)
        {
            case VerdictKind.Confirmed:
                return Text($"{seen}: within {Band(plan)} of the predicted {plan.Predicted:0.000}.");
            case VerdictKind.Worse:
                return Text($"{seen}: worse than the predicted {plan.Predicted:0.000}.");
            case VerdictKind.Better:
                return Text($"{seen}: better than the predicted {plan.Predicted:0.000}; the prediction is too timid.");
        }
        if (runs < options.MinimumRuns)
            return Text($"{seen}; a verdict takes at least {Count(options.MinimumRuns, "run")}, because the sequences of one run are not independent.") + Truncated(verdict);
        var open = Text($"{seen}: with an error of {plan.Error:0.####} the truth may lie anywhere in {verdict.VerdictInterval}, ")
            + "which is too wide to tell the prediction from what is better or worse by the indifference.";
        var variation = verdict.Variation;
        if (Math.Abs(variation.Trend) >= ClearTrend)
            open += Text($" The broker {(variation.Trend > 0 ? "became faster" : "slowed down")} from run to run (correlation with the run's number {variation.Trend:0.00}): let it settle first.");
        else if (variation.Inflation > StronglyCorrelated)
            open += Text($" The runs differ {variation.Inflation:0.#} times more than chance makes them (correlation inside a run {variation.Rho:0.###}): more runs help, longer ones hardly do.");
        else
            open += " More or longer runs help.";
        return open + Truncated(verdict);
    }

    private static string Truncated(Verdict verdict) =>
        verdict.NotCounted > verdict.Samples / 10
            ? Text($" {Count(verdict.NotCounted, "sequence")} did not count, being issued after the first one that was unfinished when its run ended.")
            : "";

    private static string Band(TwoSidedPlan plan) =>
        plan.Lower is null ? Text($"+{plan.UpperIndifference:0.###}")
        : plan.Upper is null ? Text($"-{plan.LowerIndifference:0.###}")
        : Text($"-{plan.LowerIndifference:0.###} .. +{plan.UpperIndifference:0.###}");

    private static string Count(long number, string noun) => Text($"{number} {noun}{(number == 1 ? "" : "s")}");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
