using System.Diagnostics;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>The answer to the question whether every message arrives in time, in one sentence.</summary>
internal static class AnswerWords
{
    /// <summary>Whether a point must be named with its profile, because the report is about several.</summary>
    public static bool NeedsProfile(ReportInput input) =>
        input
            .Verdicts.Select(verdict => verdict.Point.Profile)
            .Concat(input.Predictions.Select(prediction => prediction.Profile))
            .Distinct()
            .Skip(1)
            .Any();

    /// <summary>For example "200 clients, 16 ms: 85 of 100 sequences in time, as predicted (87)."</summary>
    /// <param name="verdict">The verdict that decides.</param>
    /// <param name="withProfile">Whether the profile is named.</param>
    /// <param name="contradicted">How many verdicts a Monte Carlo estimate contradicts.</param>
    public static string Of(VerdictReport verdict, bool withProfile, int contradicted)
    {
        var predicted = Words.OfHundred(verdict.Point.Probability);
        var said = double.IsFinite(verdict.MeasuredProbability)
            ? $"{InTime(verdict.MeasuredProbability)}, "
                + verdict.Kind switch
                {
                    VerdictKind.Confirmed => $"as predicted ({predicted})",
                    VerdictKind.NotWorse => $"not worse than predicted ({predicted})",
                    VerdictKind.Worse => $"worse than predicted ({predicted})",
                    VerdictKind.Better => $"better than predicted ({predicted})",
                    VerdictKind.Withheld or VerdictKind.Partial =>
                        $"{predicted} predicted; the verdict is {verdict.Kind.Word()}",
                    _ => throw new UnreachableException(),
                }
            : $"{InTime(verdict.Point.Probability)} predicted, none measured; the verdict is {verdict.Kind.Word()}";
        var against = contradicted == 0 ? "" : $"; Monte Carlo contradicts {Words.Counted(contradicted, "verdict")}";
        return $"{Point(verdict.Point, withProfile)}: {said}{against}.";
    }

    /// <summary>The prediction for the most clients, if nothing was verified; null without a point.</summary>
    public static string? OfPredictions(ReportInput input)
    {
        var points = input.Predictions.MaxBy(prediction => prediction.Clients)?.Points;
        if (points is not { Count: > 0 })
            return null;
        // The point that says most is the one that is neither sure nor hopeless.
        var point = points.MinBy(candidate => Math.Abs(candidate.Probability - 0.9))!;
        return $"{Point(point, NeedsProfile(input))}: {InTime(point.Probability)} predicted; nothing was verified.";
    }

    private static string InTime(double probability) => $"{Words.OfHundred(probability)} of 100 sequences in time";

    private static string Point(PredictedPoint point, bool withProfile) =>
        (withProfile ? $"{point.Profile}, " : "")
        + $"{Words.Counted(point.Clients, "client")}, {Words.Milliseconds(point.ThresholdMilliseconds)}";
}
