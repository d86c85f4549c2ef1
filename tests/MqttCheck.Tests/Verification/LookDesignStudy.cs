using System.Globalization;
using System.Text;
using MathNet.Numerics;
using MathNet.Numerics.Distributions;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Verification;

/// <summary>
/// When to look at runs, and from which deviance on to reject, tried beside each other on the same runs: why
/// <see cref="RunLooks"/> and <see cref="RunLikelihood.DevianceBound"/> are as they are. Prints the tables of
/// docs/evidence/looks.md.
/// </summary>
[TestFixture]
public sealed class LookDesignStudy
{
    private const double Predicted = .85,
        Worse = .75,
        Better = .95,
        SideError = .005;

    private const int Sequences = 179,
        MostRuns = 40,
        Trials = 20_000;

    private static readonly double[] s_inflations = [1.2, 4, 8, 20, 60];

    private static readonly RunLooks s_looks = new(8);

    private static readonly Design[] s_designs =
    [
        new("every run, 3/4 at the first look, bound of normal means (before)", Every, (r, e, _, _) => Normal(r, e)),
        new("looks, bound of normal means", s_looks.ErrorShare, (r, e, _, _) => Normal(r, e)),
        new("looks, at least ln(3/2 / error) of the look", s_looks.ErrorShare, (r, e, _, _) => Floor(r, e, e)),
        new(
            "looks, at least ln(3/2 / error) of the look above, normal below",
            s_looks.ErrorShare,
            (r, e, _, above) => above ? Floor(r, e, e) : Normal(r, e)
        ),
        new(
            "looks, at least ln(3/2 / error) of all above, normal below",
            s_looks.ErrorShare,
            (r, e, _, above) => above ? Floor(r, e, SideError) : Normal(r, e)
        ),
        new("mixture of likelihoods, every run (no error to share)", null, null),
        new("looks, error divided by 1 + 2 u^3 (kept)", s_looks.ErrorShare, RunLikelihood.DevianceBound),
    ];

    private static double Every(int runs) =>
        runs switch
        {
            < 8 => 0,
            8 => .75,
            _ => .25 / ((runs - 7.0) * (runs - 8)),
        };

    private static double Normal(int runs, double error) => RunLikelihood.DevianceBound(runs, error, 0, areAbove: true);

    private static double Floor(int runs, double error, double floor) =>
        Math.Max(Normal(runs, error), -Math.Log(2.0 / 3 * floor));

    // The kept design confirms right predictions of runs that differ a lot; one that looks after every run does not:
    // 200 simulations, seed 91. By the table, .16 and .81; a share of .5 is 8 standard errors from either.
    [Test]
    public void Looks_confirm_where_a_look_after_every_run_does_not()
    {
        var shares = Confirmed(20, 200, s_designs[0], s_designs[^1]);
        Assert.That(shares[0].Share, Is.LessThan(.5));
        Assert.That(shares[1].Share, Is.GreaterThan(.5));
    }

    [Test, Explicit("Prints a table, in minutes.")]
    public void Right_predictions_confirmed()
    {
        var table = new StringBuilder();
        foreach (var inflation in s_inflations)
        {
            table.AppendLine(CultureInfo.InvariantCulture, $"k = {inflation}");
            foreach (var (design, (share, runs)) in s_designs.Zip(Confirmed(inflation, 4000, s_designs)))
                table.AppendLine(CultureInfo.InvariantCulture, $"| {design.Name} | {share:0.000} | {runs:0.0} |");
        }
        TestContext.Out.WriteLine(table);
    }

    [Test, Explicit("Prints a table, in minutes.")]
    public void Thresholds_wrongly_rejected_from_above()
    {
        var table = new StringBuilder();
        foreach (var threshold in new[] { .5, .75, .85, .9, .95 })
        foreach (var rho in new[] { .1, .4 })
        {
            var wrong = new int[s_designs.Length];
            Parallel.For(
                0,
                Trials,
                trial =>
                {
                    var runs = Runs(threshold, rho, (ulong)trial);
                    for (var i = 0; i < s_designs.Length; i++)
                        if (Decides(runs, s_designs[i], [(threshold, true)]) is not null)
                            Interlocked.Increment(ref wrong[i]);
                }
            );
            table.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {threshold} | {rho} | {string.Join(" | ", wrong.Select(Ratio))} |"
            );
        }
        TestContext.Out.WriteLine(table);

        static string Ratio(int wrong) => (wrong / SideError / Trials).ToString("0.00", CultureInfo.InvariantCulture);
    }

    private static (double Share, double Runs)[] Confirmed(double inflation, int trials, params Design[] designs)
    {
        var rho = (inflation - 1) / (Sequences - 1);
        var (confirmed, made) = (new int[designs.Length], new int[designs.Length]);
        Parallel.For(
            0,
            trials,
            trial =>
            {
                var runs = Runs(Predicted, rho, (ulong)trial);
                for (var i = 0; i < designs.Length; i++)
                {
                    var decided = Decides(runs, designs[i], [(Worse, true), (Better, false)]);
                    if (decided is not null)
                        Interlocked.Increment(ref confirmed[i]);
                    Interlocked.Add(ref made[i], decided ?? MostRuns);
                }
            }
        );
        return [.. designs.Select((_, i) => ((double)confirmed[i] / trials, (double)made[i] / trials))];
    }

    private static RunCount[] Runs(double truth, double rho, ulong trial)
    {
        var runs = new RunCount[MostRuns];
        var random = RandomStream.For(91, trial);
        RunLaw.Correlated(rho).Runs(truth, Sequences)(runs, ref random);
        return runs;
    }

    // After how many runs all thresholds are rejected from the given side; null where they never are.
    private static int? Decides(RunCount[] runs, Design design, (double Threshold, bool Above)[] thresholds)
    {
        for (var made = 8; made <= MostRuns; made++)
        {
            var seen = runs.AsSpan(0, made);
            if (design.Share is not { } share)
            {
                if (MixtureRejects(seen, thresholds))
                    return made;
                continue;
            }
            if (share(made) is not (> 0 and var part))
                continue;
            var error = SideError * part;
            var rejects = true;
            foreach (var (threshold, above) in thresholds)
            {
                var evidence = RunLikelihood.SignedDeviance(seen, threshold);
                rejects &=
                    (above ? evidence : -evidence) >= design.Bound!(made, error, threshold, above)
                    && RareStateTest.Excludes(seen, threshold, error);
            }
            if (rejects)
                return made;
        }
        return null;
    }

    // A likelihood ratio with a mixture of correlations at the predicted probability, against the most likely
    // correlation at the threshold: at least 1 / error with a probability of at most the error, at all looks together.
    private static bool MixtureRejects(ReadOnlySpan<RunCount> runs, (double Threshold, bool Above)[] thresholds)
    {
        const int Points = 24;
        double from = Math.Log(.1 / (Sequences - 1)),
            step = (Math.Log(RunLikelihood.LargestCorrelation) - from) / (Points - 1);
        var mixture = new double[Points];
        for (var i = 0; i < Points; i++)
            mixture[i] = LogLikelihood(runs, Predicted, Math.Exp(from + i * step));
        var largest = mixture.Max();
        var numerator = largest + Math.Log(mixture.Average(one => Math.Exp(one - largest)));
        foreach (var (threshold, _) in thresholds)
        {
            if (
                numerator - RunLikelihood.LogLikelihood(runs, threshold) < -Math.Log(SideError)
                || !RareStateTest.Excludes(runs, threshold, SideError)
            )
                return false;
        }
        return true;
    }

    private static double LogLikelihood(ReadOnlySpan<RunCount> runs, double probability, double rho)
    {
        double concentration = 1 / rho - 1,
            a = probability * concentration,
            b = concentration - a,
            sum = 0;
        foreach (var run in runs)
            sum +=
                SpecialFunctions.BetaLn(a + run.Successes, b + run.Samples - run.Successes)
                - SpecialFunctions.BetaLn(a, b);
        return sum;
    }

    // Without shares of the error it is a mixture of likelihoods.
    private sealed record Design(string Name, Func<int, double>? Share, Func<int, double, double, bool, double>? Bound);
}
