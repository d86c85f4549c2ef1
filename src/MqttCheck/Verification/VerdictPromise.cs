using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using static System.FormattableString;

namespace MqttCheck.Verification;

/// <summary>
/// Explains the error of a verdict: the assumption under which it holds, and the states that the runs cannot exclude.
/// </summary>
internal static class VerdictPromise
{
    /// <summary>The limit of every number of independent runs: one sentence.</summary>
    public const string NotCovered = "Not covered: a broker whose state carries over from one run to the next.";

    /// <summary>The law of the runs for which <see cref="Guarantee.Any"/> promises: a part of a sentence.</summary>
    public const string AnyLaw =
        "whatever law all runs follow, those that do not count taken at their worst, "
        + "if they are independent of each other";

    /// <summary>
    /// The law of the runs for which <see cref="Guarantee.Model"/> promises, as a condition without a full stop.
    /// </summary>
    public static string ModelLaw { get; } = ModelLawUpTo(RunLikelihood.LargestCorrelation);

    /// <summary>The same where a correlation is given.</summary>
    /// <param name="correlation">The largest correlation of two samples of one run, in (0, 1).</param>
    public static string ModelLawUpTo(double correlation) =>
        "if runs are independent of each other and vary around one level like a beta law, "
        + Invariant($"with a correlation of at most {correlation:#.###} inside a run");

    /// <summary>The error with its assumption, and what is not excluded.</summary>
    /// <param name="verdict">The verdict.</param>
    /// <returns>Two sentences; null where nothing was decided, or each client decided for itself.</returns>
    public static string? Of(Verdict verdict)
    {
        if (!verdict.IsDecided || verdict.Test == VerdictTest.Clients)
            return null;
        var error = Invariant($"Wrong with a probability of at most {verdict.Plan.Error:0.####}");
        return verdict.Guarantee == Guarantee.Any
            ? $"{error}, {AnyLaw}.{VouchedWorst.AfterSpace(verdict.WorstRun)} {NotCovered}"
            : $"{error}, {ModelLaw}. "
                + NotExcluded(verdict.DecidedAfterRuns ?? verdict.Runs.Count, verdict.Plan.SideError);
    }

    /// <summary>How many runs that do not count a plan can bear, in one sentence: they cost bets much.</summary>
    /// <param name="runs">The number, at least 0.</param>
    public static string Borne(int runs) =>
        runs == 0
            ? "One run that does not count probably leaves no verdict in this time, because it is taken at its worst."
            : Invariant($"A verdict can bear {Counted.Of(runs, "run")} that do not count, taken at their worst.");

    /// <summary>
    /// The states of the broker that these runs cannot exclude, because a rare state may not have shown.
    /// </summary>
    /// <param name="runs">How many runs, at least 1.</param>
    /// <param name="sideError">The error of each side.</param>
    public static string NotExcluded(int runs, double sideError) =>
        Invariant($"Not excluded after {Counted.Of(runs, "run")}: another state of the broker, in up to ")
        + Invariant($"{Math.Floor(100 * UnseenShare.After(runs, sideError)):0} % of the runs, that none of ")
        + "these showed.";
}
