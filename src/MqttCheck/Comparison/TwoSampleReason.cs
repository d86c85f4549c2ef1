using System.Diagnostics;
using MqttCheck.Predictions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Comparison;

/// <summary>
/// Why a comparison has its verdict, or none, and what its error is worth: sentences for the user, with the
/// names of the options.
/// </summary>
internal static class TwoSampleReason
{
    /// <summary>
    /// The error of one comparison with its assumption, and what the runs cannot exclude: two sentences.
    /// </summary>
    /// <param name="options">The options of the comparison.</param>
    /// <param name="runs">Runs of each broker, the smaller number; 0 where none was made.</param>
    public static string Promise(TwoSampleOptions options, int runs)
    {
        var error = Invariant($"Wrong with a probability of at most {options.ComparisonError:0.####}, ");
        error +=
            options.Guarantee == Guarantee.Any
                ? $"{VerdictPromise.AnyLaw}.{VouchedWorst.AfterSpace(options.WorstRun)}"
                : $"{VerdictPromise.ModelLaw}.";
        return options.Guarantee == Guarantee.Any ? $"{error} {VerdictPromise.NotCovered}"
            : runs == 0 ? error
            : $"{error} {VerdictPromise.NotExcluded(runs, options.ComparisonError / 2)}";
    }

    internal static string Of(TwoSampleResult result)
    {
        if (result.First.Count == 0 || result.Second.Count == 0)
            return "No run of both was observed.";
        var d = result.Options.Indifference;
        var seen =
            Invariant($"in time {TwoSampleResult.Mean(result.First):0.000} and ")
            + Invariant($"{TwoSampleResult.Mean(result.Second):0.000} of the sequences, difference ")
            + Invariant($"{result.Difference:+0.000;-0.000;0.000}")
            + Invariant($" (95 % interval {result.Interval.Lower:+0.000;-0.000;0.000} to ")
            + Invariant($"{result.Interval.Upper:+0.000;-0.000;0.000}) in {result.First.Count} and ")
            + Invariant($"{Counted.Of(result.Second.Count, "run")}");
        return result.Verdict switch
        {
            TwoSampleVerdict.NoDifference => Invariant(
                $"{seen}: no difference of {d:0.###} or more. {PromiseAt(result)}"
            ),
            TwoSampleVerdict.FirstFaster => $"{seen}: {result.Options.Names.First} is faster. {PromiseAt(result)}",
            TwoSampleVerdict.SecondFaster => $"{seen}: {result.Options.Names.Second} is faster. {PromiseAt(result)}",
            TwoSampleVerdict.Withheld or TwoSampleVerdict.Partial when result.BelowWorst is { } below =>
                $"{seen}. {VouchedWorst.Refuted(result.Options.WorstRun ?? 0, below)}",
            TwoSampleVerdict.Withheld or TwoSampleVerdict.Partial => result.Second.Count < result.Options.MinimumRuns
                ? Invariant($"{seen}; a verdict takes at least ")
                    + Invariant($"{Counted.Of(result.Options.MinimumRuns, "run")} of each, because the sequences ")
                    + "of one run are not independent."
            : result.Differing is { } differing
                ? $"{seen}. {differing.InWords(verdict => Word(verdict, result.Options))}"
            : WhyOpen(result, seen),
            _ => throw new UnreachableException(),
        };
    }

    private static string Word(TwoSampleVerdict verdict, TwoSampleOptions options) =>
        verdict switch
        {
            TwoSampleVerdict.NoDifference => "no difference",
            TwoSampleVerdict.FirstFaster => $"{options.Names.First} is faster",
            TwoSampleVerdict.SecondFaster => $"{options.Names.Second} is faster",
            TwoSampleVerdict.Withheld or TwoSampleVerdict.Partial => "withheld",
            _ => throw new UnreachableException(),
        };

    // The verdict rests on the runs before it; later runs, made for other comparisons, are no evidence for it.
    private static string PromiseAt(TwoSampleResult result) =>
        Promise(result.Options, Math.Min(result.First.Count, result.DecidedAfterRuns ?? result.Second.Count));

    private static string WhyOpen(TwoSampleResult result, string seen)
    {
        var (d, interval) = (result.Options.Indifference, result.VerdictInterval);
        if (result.Options.Guarantee == Guarantee.Model && IsDecidedBut(result))
        {
            return seen
                + (
                    Math.Abs(result.Difference) <= d / 2
                        ? ": these runs do not exclude that one of the two fails rarely but then "
                            + Invariant($"for a whole run, and so differs by {d:0.###}; ")
                        : ": these runs do not exclude that the one that looks faster fails rarely but then "
                            + "for a whole run, and so is not faster; "
                )
                + "choose a threshold at which more sequences are late, or make more runs.";
        }
        var open =
            Invariant($"{seen}: with an error of {result.Options.ComparisonError:0.####} the difference may ")
            + Invariant($"lie anywhere from {interval.Lower:+0.000;-0.000;0.000} to ")
            + Invariant($"{interval.Upper:+0.000;-0.000;0.000}, ")
            + Invariant($"too wide to tell none from {d:0.###}.");
        if (result.Options.Guarantee == Guarantee.Any)
            return open + WhatBetsNeed(result);
        var binomial = Math.Sqrt(
            (RunShares.BinomialVariance(result.First) / result.First.Count)
                + (RunShares.BinomialVariance(result.Second) / result.Second.Count)
        );
        return result.StandardError > 1.5 * binomial
            ? open
                + Invariant($" The runs differ {Math.Pow(result.StandardError / binomial, 2):0.#} times more ")
                + "than chance makes them: more runs help, longer ones hardly do."
            : open + " More or longer runs help.";
    }

    // Student's t would decide; the likelihood of rare bad runs does not.
    private static bool IsDecidedBut(TwoSampleResult result)
    {
        var (d, interval) = (result.Options.Indifference, result.VerdictInterval);
        return Math.Abs(result.Difference) <= d / 2
            ? interval.Lower >= -d && interval.Upper <= d
            : interval.Lower >= 0 || interval.Upper <= 0;
    }

    private static string WhatBetsNeed(TwoSampleResult result)
    {
        var needed = TwoSamplePlan.RunsOfAnyLaw(result.Options, ThresholdChooser.MostInformative, int.MaxValue);
        return
            result.IsPaired
            || result.First.Count >= TwoSamplePlan.StoredRunsOfAnyLaw(result.Options, ThresholdChooser.MostInformative)
            ? Invariant($" Without an assumption on the law of the runs it takes {needed} runs of each or ")
                + "more: more runs help, longer ones hardly do."
            : Invariant($" Without an assumption on the law of the runs the {result.First.Count} stored ones ")
                + "are too few: see the number of stored runs that it takes, or compare the two "
                + "brokers with each other.";
    }
}
