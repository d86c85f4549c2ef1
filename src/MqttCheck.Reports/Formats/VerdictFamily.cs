using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Formats;

/// <summary>Statements about all verdicts of a report together.</summary>
internal static class VerdictFamily
{
    /// <summary>
    /// The probability that some verdict is wrong, in a sentence: the sum of what each may be (Bonferroni).
    /// </summary>
    /// <param name="verdicts">The verdicts.</param>
    /// <returns>Null when no verdict was given, or some of them promises nothing.</returns>
    public static string? Error(IReadOnlyList<VerdictReport> verdicts)
    {
        var error = verdicts.Sum(verdict => verdict.ErrorProbability);
        return Decided(verdicts).Any() && double.IsFinite(error)
            ? "All verdicts together: wrong with a probability of at "
                + $"most {Words.Number(error)}, if what they assume holds."
            : null;
    }

    /// <summary>How many verdicts there are of each kind, in a sentence: what is not worse is counted apart.</summary>
    /// <param name="verdicts">The verdicts.</param>
    /// <returns>Null where fewer than two were given, or none of them is not worse.</returns>
    public static string? Tally(IReadOnlyList<VerdictReport> verdicts)
    {
        return verdicts.Count < 2 || verdicts.All(verdict => verdict.Kind != VerdictKind.NotWorse)
            ? null
            : $"{Words.Counted(verdicts.Count, "verdict")}: "
                + string.Join(
                    ", ",
                    verdicts
                        .GroupBy(verdict => verdict.Kind)
                        .OrderBy(kind => kind.Key)
                        .Select(kind => $"{Words.Count(kind.Count())} {kind.Key.Word()}")
                )
                + ".";
    }

    // The effective hypotheses in few words, with a space before them: a missing side and a widened indifference make a
    // confirmation say less, and that belongs beside it.
    internal static string Hypotheses(IReadOnlyList<VerdictReport> verdicts)
    {
        var confirmed = Decided(verdicts)
            .Where(verdict => verdict.Kind.IsPassed() && verdict.CountsAsPredicted is not null)
            .ToList();
        if (confirmed.Count == 0)
            return "";
        if (confirmed.Count == 1)
        {
            var (lower, upper) = (confirmed[0].CountsAsPredicted!.Lower, confirmed[0].CountsAsPredicted!.Upper);
            return " Rejected: "
                + (
                    lower > 0
                        ? $"{Words.Probability(lower)} or worse"
                        : "nothing that is worse (it would begin below 0.01)"
                )
                + (
                    upper < 1
                        ? $", {Words.Probability(upper)} or better."
                        : $"; no upper side: {WhyNoUpperSide(confirmed[0])}."
                );
        }
        var widest = confirmed.Max(verdict =>
            Math.Max(
                verdict.CountsAsPredicted! is { Lower: > 0 } below ? verdict.Point.Probability - below.Lower : 0,
                verdict.CountsAsPredicted! is { Upper: < 1 } above ? above.Upper - verdict.Point.Probability : 0
            )
        );
        var oneSided = confirmed.Where(verdict => verdict.CountsAsPredicted!.Upper >= 1).ToList();
        return $" Rejected for these: what differs by {Words.Number(Math.Round(widest, 3))} or more"
            + (
                oneSided.Count == 0
                    ? "."
                    : $"; {Words.Count(oneSided.Count)} without an upper side: "
                        + $"{string.Join(", ", oneSided.Select(WhyNoUpperSide).Distinct())}."
            );
    }

    private static string WhyNoUpperSide(VerdictReport verdict) =>
        verdict.Test == VerdictTest.TwoSided ? "what counts as better would begin above 0.99" : "one-sided test";

    private static IEnumerable<VerdictReport> Decided(IReadOnlyList<VerdictReport> verdicts) =>
        verdicts.Where(verdict => verdict.Kind.IsDecided());
}
