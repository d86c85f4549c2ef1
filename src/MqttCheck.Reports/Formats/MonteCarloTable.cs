using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>
/// Verdicts beside the Monte Carlo estimates that were made to check them: the same rows in every format.
/// </summary>
internal static class MonteCarloTable
{
    /// <summary>Whether there is anything to show.</summary>
    /// <param name="verdicts">The verdicts.</param>
    public static bool IsWanted(IReadOnlyList<VerdictReport> verdicts) => Checked(verdicts).Any();

    /// <summary>The headings of the columns.</summary>
    /// <param name="verdicts">The verdicts.</param>
    public static IReadOnlyList<string> Columns(IReadOnlyList<VerdictReport> verdicts)
    {
        var confidences = Checked(verdicts).Select(row => Words.Percent(row.Estimate.Confidence)).Distinct();
        return
        [
            "point",
            "predicted",
            "counts as predicted",
            "verdict",
            "samples to verdict",
            "expected",
            "Monte Carlo",
            $"{string.Join(" or ", confidences)} interval",
            "of",
            "agree",
        ];
    }

    /// <summary>A row for each verdict that was checked.</summary>
    /// <param name="verdicts">The verdicts.</param>
    public static IReadOnlyList<IReadOnlyList<string>> Rows(IReadOnlyList<VerdictReport> verdicts) =>
        [
            .. Checked(verdicts)
                .Select(row =>
                    (IReadOnlyList<string>)
                        [
                            Words.Point(row.Verdict.Point),
                            Words.Probability(row.Verdict.Point.Probability),
                            Words.Interval(row.Verdict.CountsAsPredicted),
                            row.Verdict.Kind.Word(),
                            Words.Count(row.Verdict.DecidedAfterSamples ?? row.Verdict.Samples),
                            double.IsFinite(row.Verdict.ExpectedSamples)
                                ? Words.Count((long)Math.Round(row.Verdict.ExpectedSamples))
                                : Words.Unknown,
                            Words.Probability(row.Estimate.Probability),
                            Words.Interval(row.Estimate.Interval),
                            $"{Words.Count(row.Estimate.Samples)} in {Words.Counted(row.Estimate.Runs, "run")}",
                            row.Estimate.Confirms switch
                            {
                                true => "yes",
                                false => "no",
                                null => IsDecided(row.Verdict) ? "unclear" : Words.Unknown,
                            },
                        ]
                ),
        ];

    /// <summary>How many verdicts were confirmed, in one or two sentences.</summary>
    /// <param name="verdicts">The verdicts.</param>
    public static string Summary(IReadOnlyList<VerdictReport> verdicts)
    {
        var decided = Checked(verdicts).Where(row => IsDecided(row.Verdict)).ToList();
        var contradicted = decided.Count(row => row.Estimate.Confirms == false);
        var unclear = decided.Count(row => row.Estimate.Confirms is null);
        return $"Monte Carlo confirms {Words.Count(decided.Count - contradicted - unclear)} "
            + $"of {Words.Counted(decided.Count, "verdict")}"
            + (contradicted > 0 ? $", contradicts {Words.Count(contradicted)}" : "")
            + (unclear > 0 ? $", leaves {Words.Count(unclear)} open" : "")
            + ". It confirms a verdict when its share lies on the verdict's side of the "
            + "hypotheses that the verdict rejects; the run is the sampling unit of its intervals.";
    }

    private static IEnumerable<(VerdictReport Verdict, MonteCarloReport Estimate)> Checked(
        IReadOnlyList<VerdictReport> verdicts
    )
    {
        return verdicts
            .Where(verdict => verdict.MonteCarlo is not null)
            .Select(verdict => (verdict, verdict.MonteCarlo!));
    }

    private static bool IsDecided(VerdictReport verdict) => verdict.Kind.IsDecided();
}
