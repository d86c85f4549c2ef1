using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Requirements;

/// <summary>
/// Explains the error of a requirement: the assumption under which it holds, and the states that the runs cannot
/// exclude.
/// </summary>
internal static class RequirementPromise
{
    /// <summary>The error and its assumption, in one sentence without a full stop.</summary>
    /// <param name="options">The requirement.</param>
    /// <param name="met">The beginning of the sentence, for a requirement that is met.</param>
    /// <param name="violated">The words for a requirement that is violated.</param>
    public static string Error(RequirementOptions options, string met = "a test passes", string violated = "fails")
    {
        var low = options.Probability - options.EffectiveIndifference;
        var error =
            Invariant($"{met} although the truth is {low:0.####} or less, or {violated} although it is ")
            + Invariant($"{options.Probability:0.####} or more, with a probability of at most ")
            + Invariant($"{options.Error:0.####}, ");
        return error
            + (
                options.Guarantee == Guarantee.Any
                    ? VerdictPromise.AnyLaw
                        + (options.WorstRun is null ? "" : "." + VouchedWorst.AfterSpace(options.WorstRun).TrimEnd('.'))
                    : VerdictPromise.ModelLawUpTo(options.LargestCorrelation)
            );
    }

    /// <summary>The states that the runs cannot exclude, or that no number of runs covers: one sentence.</summary>
    /// <param name="result">The result: the verdict rests on the runs up to it.</param>
    public static string NotExcluded(RequirementResult result)
    {
        return result.Options.Guarantee == Guarantee.Any
            ? VerdictPromise.NotCovered
            : VerdictPromise.NotExcluded(result.DecidedAfterRuns ?? result.Runs.Count, result.Options.Error);
    }
}
