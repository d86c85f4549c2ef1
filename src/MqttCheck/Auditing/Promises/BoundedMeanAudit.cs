using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Auditing.Promises;

/// <summary>
/// Simulates the true error of the intervals of <see cref="BoundedMean"/> for runs of broker clusters. The intervals
/// are of the mean of one cluster, of the ratio of two, and of a bounded difference. Student's interval, which promises
/// nothing, is simulated beside them.
/// </summary>
internal sealed class BoundedMeanAudit : IPromiseAudit
{
    private const double Error = .05;

    // A run's value is the share of this many sequences: fine enough for values that hardly vary.
    private const int Sequences = 2000;

    // Two clusters differ by .08 of what is possible, and are said to differ by no more than this.
    private const double FirstTruth = .92,
        SecondTruth = 1,
        Within = .048;

    private static readonly int[] s_runs = [3, 5, 8, 20, 100];

    private static readonly (double Truth, RunLaw Law)[] s_situations =
    [
        // A fifth of the runs lose 50 of 2790 messages, and the others lose none.
        (.0036, RunLaw.RareRuns(.2, .018)),
        // A twentieth of the runs lose every message, and the others lose none.
        (.05, RunLaw.RareRuns(.05, 1)),
        // In a tenth of the runs only a fifth of the messages arrives, and in the others all do.
        (FirstTruth, RunLaw.RareRuns(.1, .2)),
        (.0025, RunLaw.Independent),
        (FirstTruth, RunLaw.Independent),
        (.5, RunLaw.BetaBinomial(180)),
        (.98, RunLaw.BetaBinomial(8)),
        (.85, RunLaw.LogNormalMisses(1.5)),
        (.85, RunLaw.AutoregressiveBetween(.8)),
    ];

    private delegate bool Mistake(RunCount[] first, RunCount[] second);

    /// <inheritdoc/>
    public string Title => "Means of quantities with a bound";

    /// <inheritdoc/>
    public string Description =>
        "Values are parts of the largest possible one. An interval is wrong where it does not contain the truth. A "
        + Invariant($"difference of {SecondTruth - FirstTruth:0.##} is wrongly said to lie within {Within}.");

    /// <inheritdoc/>
    public IReadOnlyList<PromiseCell> Cells { get; } = [.. s_runs.SelectMany(Of)];

    private static IEnumerable<PromiseCell> Of(int runs)
    {
        foreach (var (truth, law) in s_situations)
        {
            yield return Cell(
                "mean",
                runs,
                (truth, law),
                truth,
                (values, _) => !BoundedMean.Interval(Shares(values), Error).Contains(truth)
            );
            yield return Cell(
                "mean, Student's interval",
                runs,
                (truth, law),
                truth,
                (values, _) => StudentInterval.Of(Shares(values), Error) is { } known && !known.Contains(truth)
            ) with
            {
                Guarantee = Guarantee.Model,
                Promise = null,
            };
            yield return Cell(
                "ratio of two alike",
                runs,
                (truth, law),
                truth,
                (first, second) => !BoundedMean.Ratio([.. Shares(first).Zip(Shares(second))], Error).Contains(1)
            );
            if (truth == FirstTruth)
                yield return Cell("difference within", runs, (truth, law), SecondTruth, IsWithin);
        }
    }

    private static bool IsWithin(RunCount[] first, RunCount[] second)
    {
        double[] scaled = [.. Shares(first).Zip(Shares(second)).Select(pair => (1 + pair.First - pair.Second) / 2)];
        var interval = BoundedMean.Interval(scaled, Error);
        return 2 * interval.Lower - 1 >= -Within && 2 * interval.Upper - 1 <= Within;
    }

    private static PromiseCell Cell(
        string subject,
        int runs,
        (double Truth, RunLaw Law) first,
        double second,
        Mistake isWrong
    )
    {
        var fillFirst = first.Law.Runs(first.Truth, Sequences);
        var fillSecond = (second == first.Truth ? first.Law : RunLaw.Independent).Runs(second, Sequences);
        return new()
        {
            Subject = Invariant($"{subject}, error {Error}"),
            Variant = Invariant($"{runs} runs, truth {first.Truth:0.####}"),
            Situation = "wrong",
            Detail = Invariant($"{runs}"),
            Law = first.Law,
            Guarantee = Guarantee.Any,
            Promise = first.Law.AreRunsIndependent ? Error : null,
            Trial = random =>
            {
                RunCount[] one = new RunCount[runs],
                    other = new RunCount[runs];
                fillFirst(one, ref random);
                fillSecond(other, ref random);
                return isWrong(one, other) ? TrialOutcome.Wrong : TrialOutcome.Right;
            },
        };
    }

    private static double[] Shares(RunCount[] runs) => [.. runs.Select(run => run.Share)];
}
