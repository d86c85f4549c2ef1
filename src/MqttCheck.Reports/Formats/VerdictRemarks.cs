using System.Diagnostics;
using MqttCheck.Reports.Input;
using MqttCheck.Sequential;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// The remarks beside a verdict: its promise, the runs that do not count, and when it was given. They also report the
/// tests of the method's original paper, and a Monte Carlo estimate.
/// </summary>
internal static class VerdictRemarks
{
    /// <summary>The remarks, a sentence each.</summary>
    /// <param name="verdict">The verdict.</param>
    public static IEnumerable<string> Of(VerdictReport verdict)
    {
        if (verdict.Promise is { } promise && verdict.Kind.IsDecided())
            yield return promise;
        if (verdict.InvalidRuns is { } invalid)
            yield return invalid;
        if (verdict.DecidedAfterSamples is { } decided && decided < verdict.Samples)
            yield return $"Decided after {Words.Counted(decided, "sequence")}; the "
                + "others were made for other points of the setup, and count too.";
        if (verdict.Test == VerdictTest.TwoSided && verdict.OneSided is { } oneSided)
        {
            yield return oneSided switch
            {
                SprtDecision.AcceptH1 => "One-sided: the prediction is accepted.",
                SprtDecision.AcceptH0 => "One-sided: the prediction is rejected.",
                SprtDecision.Undecided => "One-sided: undecided.",
                _ => throw new UnreachableException(),
            };
        }
        if (verdict.Test != VerdictTest.Clients && verdict.Clients is { Total: > 0 } clients)
        {
            yield return $"Each client for itself, as in the original paper: {Words.Count(clients.Accepted)} accept, "
                + $"{Words.Count(clients.Rejected)} reject, {Words.Count(clients.Undecided)} undecided"
                + (
                    clients.AcceptedShare is { } share
                        ? $"; of those that decided {Words.Percent(share)} accept."
                        : " after too few sequences each."
                );
        }
        if (verdict.MonteCarlo is { } estimate)
        {
            yield return $"Monte Carlo, {Words.Counted(estimate.Samples, "sequence")} in "
                + $"{Words.Counted(estimate.Runs, "run")}: {Words.Probability(estimate.Probability)} "
                + $"({Words.Percent(estimate.Confidence)} interval {Words.Interval(estimate.Interval)}), "
                + estimate.Confirms switch
                {
                    true => "which confirms the verdict.",
                    false => "which contradicts the verdict.",
                    null when verdict.Kind.IsDecided() =>
                        "which does not confirm the verdict, but chance may be the reason.",
                    null => "without a verdict to compare with.",
                };
        }
    }
}
