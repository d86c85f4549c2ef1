using MqttCheck.Comparison;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;

namespace MqttCheck.Tests.Comparison;

/// <summary>Many simulated comparisons of two brokers.</summary>
/// <param name="Equal">Comparisons that found no difference.</param>
/// <param name="First">Comparisons that found the first faster.</param>
/// <param name="Second">Comparisons that found the second faster.</param>
/// <param name="Withheld">Comparisons without verdict.</param>
internal sealed record TwoSampleStudy(int Equal, int First, int Second, int Withheld)
{
    public int Total => Equal + First + Second + Withheld;

    /// <summary>
    /// Compares until a verdict or the budget. Moods as in <see cref="VerificationStudy"/>: an inflation of
    /// beta-binomial runs or, negative, a lag-1 correlation.
    /// </summary>
    public static TwoSampleStudy Of(
        double first,
        double second,
        double mood,
        int sequences,
        TwoSampleOptions options,
        int budgetRuns,
        int comparisons,
        ulong seed,
        bool stored = false
    )
    {
        var verdicts = new int[Enum.GetValues<TwoSampleVerdict>().Length];
        for (ulong i = 0; i < (ulong)comparisons; i++)
        {
            var random = RandomStream.For(seed, i);
            var test = stored
                ? new TwoSampleTest(options, [.. Runs(first, options.MinimumRuns, ref random)])
                : new TwoSampleTest(options);
            var verdict = TwoSampleVerdict.Withheld;
            for (var run = 1; run <= budgetRuns && verdict == TwoSampleVerdict.Withheld; run++)
            {
                verdict = (
                    stored
                        ? test.AddRun(Run(second, run, ref random))
                        : test.AddPair(Run(first, run, ref random), Run(second, run, ref random))
                ).Verdict;
            }
            verdicts[(int)verdict]++;
        }
        return new(verdicts[0], verdicts[1], verdicts[2], verdicts[3]);

        List<RunCount> Runs(double probability, int count, ref RandomStream random)
        {
            var runs = new List<RunCount>();
            for (var run = 1; run <= count; run++)
                runs.Add(Run(probability, run, ref random));
            return runs;
        }

        RunCount Run(double probability, int run, ref RandomStream random)
        {
            var outcomes =
                mood < 0
                    ? SimulatedBroker.AutoregressiveRun(run, sequences, probability, -mood, ref random)
                    : SimulatedBroker.BetaBinomialRun(run, sequences, probability, mood, ref random);
            return new(outcomes.Count(outcome => outcome.InTime(SimulatedBroker.ThresholdMilliseconds)), sequences);
        }
    }

    /// <summary>
    /// The lower 99 % bound of a rate seen in this study: above a promise it shows that the promise is broken.
    /// </summary>
    public double LowerBound(int count) => BinomialIntervals.LowerBound(count, Total, .01);

    public override string ToString() =>
        FormattableString.Invariant($"equal {(double)Equal / Total:0.000} first {(double)First / Total:0.000} second ")
        + FormattableString.Invariant($"{(double)Second / Total:0.000} withheld {(double)Withheld / Total:0.000}");
}
