using MathNet.Numerics;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Designs;

/// <summary>
/// When to look at runs, and from which deviance on to reject, tried beside each other on the same runs: why
/// <see cref="RunLooks"/> and <see cref="RunLikelihood.DevianceBound"/> are as they are. <c>look-designs</c> prints the
/// tables of docs/evidence/looks.md.
/// </summary>
internal static class LookDesigns
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

    /// <summary>The design that was kept, and the one before it.</summary>
    public static (Design Before, Design Kept) Chosen => (s_designs[0], s_designs[^1]);

    /// <summary>Prints both tables, in minutes.</summary>
    public static int Run()
    {
        foreach (var inflation in s_inflations)
        {
            Console.WriteLine(Invariant($"k = {inflation}"));
            foreach (var (design, (share, runs)) in s_designs.Zip(Confirmed(inflation, 4000, s_designs)))
                Console.WriteLine(Invariant($"| {design.Name} | {share:0.000} | {runs:0.0} |"));
        }
        foreach (var threshold in new[] { .5, .75, .85, .9, .95 })
        foreach (var rho in new[] { .1, .4 })
            Console.WriteLine(
                Invariant($"| {threshold} | {rho} | ")
                    + string.Join(
                        " | ",
                        WronglyRejected(threshold, rho).Select(wrong => Invariant($"{wrong / SideError / Trials:0.00}"))
                    )
                    + " |"
            );
        return 0;
    }

    /// <summary>
    /// The share of right predictions that each design confirms, and the mean number of runs it takes, where runs vary
    /// so many times as much as chance makes them.
    /// </summary>
    public static (double Share, double Runs)[] Confirmed(double inflation, int trials, params Design[] designs)
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

    // How many simulations reject the threshold that their runs have, of each design.
    private static int[] WronglyRejected(double threshold, double rho)
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
        return wrong;
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

    /// <summary>
    /// A way to decide: the share of the error of each look, and the deviance that rejects. Without shares it is a
    /// mixture of likelihoods.
    /// </summary>
    public sealed record Design(string Name, Func<int, double>? Share, Func<int, double, double, bool, double>? Bound);
}
