using MqttCheck.Verification.Deciding;

namespace MqttCheck.Comparison;

/// <summary>Draws the conclusions from comparisons, once it is known whether their runs can be used.</summary>
internal static class TwoSampleJudgement
{
    /// <summary>
    /// Takes a verdict back where most runs of either broker cannot be used: such runs show neither a difference nor
    /// that there is none.
    /// </summary>
    /// <param name="result">The result of the comparison.</param>
    /// <param name="why">Why nothing must be concluded from the runs; null where they can be used.</param>
    public static TwoSampleResult Judged(this TwoSampleResult result, string? why)
    {
        return why is null
            ? result
            : result with
            {
                Verdict = TwoSampleVerdict.Withheld,
                Reason = RunJudgement.Withheld(why, result.Reason),
            };
    }

    /// <summary>The conclusion from comparisons: a difference before a missing verdict.</summary>
    /// <param name="verdicts">The verdicts; none is no success.</param>
    /// <param name="isInterrupted">Whether the user ended the comparison before its time.</param>
    public static Conclusion Conclude(IReadOnlyList<TwoSampleVerdict> verdicts, bool isInterrupted)
    {
        return isInterrupted ? Conclusion.Interrupted
            : verdicts.Any(verdict => verdict is TwoSampleVerdict.FirstFaster or TwoSampleVerdict.SecondFaster)
                ? Conclusion.Refuted
            : verdicts.Count == 0 || verdicts.Any(verdict => verdict != TwoSampleVerdict.NoDifference)
                ? Conclusion.Withheld
            : Conclusion.Success;
    }
}
