using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Requirements;

/// <summary>
/// What the error of a requirement is worth, in words: the assumption under which it holds, and what the runs cannot
/// exclude.
/// </summary>
public static class RequirementPromise
{
    /// <summary>The error and its assumption, in one sentence without a full stop.</summary>
    /// <param name="options">The requirement.</param>
    /// <param name="met">What is said where the requirement is met, as the beginning of the sentence.</param>
    /// <param name="violated">What is said where it is violated.</param>
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
                    : ModelAssumption.UpTo(options.LargestCorrelation)
            );
    }

    /// <summary>What the runs cannot exclude, or what no number of them covers: one sentence.</summary>
    /// <param name="result">The result: the verdict rests on the runs up to it.</param>
    public static string NotExcluded(RequirementResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return result.Options.Guarantee == Guarantee.Any
            ? VerdictPromise.NotCovered
            : VerdictPromise.NotExcluded(result.DecidedAfterRuns ?? result.Runs.Count, result.Options.Error);
    }
}
