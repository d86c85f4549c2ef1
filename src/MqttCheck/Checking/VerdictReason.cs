using System.Globalization;
using MathNet.Numerics.Distributions;

namespace MqttCheck.Checking;

/// <summary>Says in words why a verdict is what it is.</summary>
internal static class VerdictReason
{
    // Above this inflation, longer runs hardly help any more.
    private const double StronglyCorrelated = 3;

    // Two-sided, of Student's test of a correlation.
    private const double TrendSignificance = .01;

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
        if (verdict.Test == VerdictTest.Clients) return $"{seen}: {ByClients(verdict, options)}" + Truncated(verdict);
        switch (verdict.Kind)
        {
            case VerdictKind.Confirmed:
                return Text($"{seen}: {Agreement(plan)}.");
            case VerdictKind.Worse:
                return Text($"{seen}: worse than the predicted {plan.Predicted:0.000}.");
            case VerdictKind.Better:
                return Text($"{seen}: better than the predicted {plan.Predicted:0.000}; the prediction is too timid.");
        }
        if (runs < options.MinimumRuns)
            return Text($"{seen}; a verdict takes at least {Count(options.MinimumRuns, "run")}, because the sequences of one run are not independent.") + Truncated(verdict);
        if (verdict.Halves.Differ(options.Indifference / 2))
        {
            return Text($"{seen}; but inside the runs the share changes from {verdict.Halves.First:0.000} in the first half to {verdict.Halves.Second:0.000} in the second: the broker has not settled, ")
                + "and what is seen depends on how long the runs are. Let it settle first, or ask it for less." + Truncated(verdict);
        }
        if (verdict.IsVague)
            return Text($"{seen}: the prediction is too vague to be confirmed; its own interval is {verdict.Point.Interval}. Explore longer, or nearer to this number of clients.") + Truncated(verdict);
        var open = Text($"{seen}: with an error of {plan.Error:0.####} the truth may lie anywhere in {verdict.VerdictInterval}, ")
            + "which is too wide to tell the prediction from what is better or worse by the indifference.";
        var variation = verdict.Variation;
        if (IsClear(variation.Trend, runs))
            open += Text($" The broker {(variation.Trend > 0 ? "became faster" : "slowed down")} from run to run (correlation with the run's number {variation.Trend:0.00}): let it settle first.");
        else if (variation.Inflation > StronglyCorrelated)
            open += Text($" The runs differ {variation.Inflation:0.#} times more than chance makes them (correlation inside a run {variation.Rho:0.###}): more runs help, longer ones hardly do.");
        else
            open += " More or longer runs help.";
        return open + Truncated(verdict);
    }

    private static bool IsClear(double trend, int runs) =>
        runs >= 3
        && Math.Abs(trend) * Math.Sqrt((runs - 2) / Math.Max(1e-12, 1 - trend * trend)) >= StudentT.InvCDF(0, 1, runs - 2, 1 - TrendSignificance / 2);

    private static string Truncated(Verdict verdict) =>
        verdict.NotCounted > verdict.Samples / 10
            ? Text($" {Count(verdict.NotCounted, "sequence")} did not count, being issued after the first one that was unfinished when its run ended.")
            : "";

    private static string Agreement(TwoSidedPlan plan) => (plan.Lower, plan.Upper) switch
    {
        (not null, not null) => Text($"within -{plan.LowerIndifference:0.###} .. +{plan.UpperIndifference:0.###} of the predicted {plan.Predicted:0.000}"),
        (not null, null) => Text($"not worse by {plan.LowerIndifference:0.###} than the predicted {plan.Predicted:0.000}"),
        (null, not null) => Text($"not better by {plan.UpperIndifference:0.###} than the predicted {plan.Predicted:0.000}"),
        _ => Text($"neither worse nor better than the predicted {plan.Predicted:0.000} can be told"),
    };

    private static string ByClients(Verdict verdict, VerificationOptions options)
    {
        var clients = verdict.Clients!;
        var text = Text($"{clients.Accepted} of {Count(clients.Total, "client")} accept the predicted {verdict.Plan.Predicted:0.000}, {clients.Rejected} reject it, {clients.Undecided} are undecided; {options.AcceptingShare:0.#%} must accept");
        return verdict.Kind is VerdictKind.Confirmed or VerdictKind.Worse ? text + Text($". The error of {verdict.Plan.Error:0.####} is that of each client, not of this verdict.")
            : verdict.Runs.Count < options.MinimumRuns ? text + Text($"; a verdict takes at least {Count(options.MinimumRuns, "run")}.")
            : text + ". Those take more sequences: allow more time.";
    }

    private static string Count(long number, string noun) => Text($"{number} {noun}{(number == 1 ? "" : "s")}");

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
