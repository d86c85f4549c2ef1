using System.Diagnostics;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Properties;

/// <summary>Sentences about answers on clusters that commands and the page show.</summary>
internal static class ClusterText
{
    /// <summary>Explains the guaranteed interval of a mean.</summary>
    public const string Guaranteed =
        "means of what the plan of a run bounds have guaranteed intervals, whatever the law of the runs.";

    /// <summary>Explains the interval of a mean that assumes runs to be normal.</summary>
    public const string IfNormal =
        "intervals of means hold if the values of runs are about normal. They are narrow and approximate: rare bad "
        + "runs make them wrong more often than stated.";

    /// <summary>The word for an answer.</summary>
    /// <param name="holds">The decision; null where there is none.</param>
    /// <param name="isDecision">Whether there was something to decide.</param>
    /// <param name="kind">
    /// Whether the error of its interval is guaranteed or approximate; null without an interval.
    /// </param>
    public static string Word(bool? holds, bool isDecision, IntervalPromise? kind) =>
        holds switch
        {
            true => "holds",
            false => "violated",
            _ => isDecision ? "withheld" : "estimate",
        } + (holds is not null && kind == IntervalPromise.Approximate ? " approximately" : "");

    /// <summary>The word for the kind of an interval; empty without one.</summary>
    public static string Word(IntervalPromise? kind) =>
        kind switch
        {
            IntervalPromise.Guaranteed => "guaranteed",
            IntervalPromise.Approximate => "approximate",
            null => "",
            _ => throw new UnreachableException(),
        };

    /// <summary>States the error of all answers, in sentences.</summary>
    /// <param name="error">The stated error of each, or of all together.</param>
    /// <param name="scope">The answers that have this error, at the beginning of a sentence.</param>
    /// <param name="means">The kinds of the intervals of means.</param>
    public static string Promise(double error, string scope, IReadOnlyList<IntervalPromise?> means) =>
        Invariant($"{scope} wrong with a probability of at most {error}")
        + (means.Contains(IntervalPromise.Approximate) ? ", but for approximate ones." : ".")
        + Notes(means);

    /// <summary>How far one may rely on intervals of means: sentences with a space before each.</summary>
    /// <param name="means">The kinds of the intervals.</param>
    public static string Notes(IReadOnlyList<IntervalPromise?> means) =>
        (means.Contains(IntervalPromise.Approximate) ? " Approximate " + IfNormal : "")
        + (
            means.Contains(IntervalPromise.Guaranteed)
                ? " A guaranteed interval of few runs is wide, as a rare bad run may not be among them: make more "
                    + "runs, ask for 'P[ ... ]', or '--assume normal'."
                : ""
        );
}
