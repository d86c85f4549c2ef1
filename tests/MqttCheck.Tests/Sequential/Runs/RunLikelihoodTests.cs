using MathNet.Numerics;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Sequential.Runs;

[TestFixture]
public sealed class RunLikelihoodTests
{
    private static readonly RunCount[] s_quiet =
    [
        new(424, 500),
        new(430, 500),
        new(421, 500),
        new(427, 500),
        new(423, 500),
    ];
    private static readonly RunCount[] s_moody =
    [
        new(420, 500),
        new(480, 500),
        new(350, 500),
        new(495, 500),
        new(460, 500),
    ];

    // A C program: the sum of ln B(k + p c, n - k + (1 - p) c) - ln B(p c, (1 - p) c) with lgamma, c = 1 / rho - 1,
    // largest over ln rho in steps of 1e-4 from 1e-7 to .4 and over independence; at the observed share, minus at the
    // probability.
    [TestCase(.75, 10.1011)]
    [TestCase(.85, 0)]
    [TestCase(.95, 15.0617)]
    public void The_deviance_is_that_of_the_beta_binomial_law(double probability, double expected) =>
        Assert.That(RunLikelihood.Deviance(s_quiet, probability), Is.EqualTo(expected).Within(1e-3));

    [TestCase(.75, 10.1011)]
    [TestCase(.95, -15.0617)]
    public void The_sign_is_that_of_the_side_of_the_observed_share(double threshold, double expected) =>
        Assert.That(RunLikelihood.SignedDeviance(s_quiet, threshold), Is.EqualTo(expected).Within(1e-3));

    [Test]
    public void Runs_that_differ_have_a_wider_interval() =>
        Assert.That(
            RunLikelihood.Interval(s_moody, .025).HalfWidth,
            Is.GreaterThan(4 * RunLikelihood.Interval(s_quiet, .025).HalfWidth)
        );

    [Test]
    public void Runs_of_one_sequence_are_independent_outcomes()
    {
        RunCount[] runs = [.. Enumerable.Range(0, 100).Select(i => new RunCount(i < 85 ? 1 : 0, 1))];
        Assert.That(
            RunLikelihood.Deviance(runs, .75),
            Is.EqualTo(85 * Math.Log(.85 / .75) + 15 * Math.Log(.15 / .25)).Within(1e-9)
        );
    }

    // In R: t <- qt(1 - e, R - 1); R / 2 * log(1 + t^2 / (R - 1)). Three runs by hand: -3/2 ln(4 e (1 - e)).
    [TestCase(5, .025, 2.6850832589987177)]
    [TestCase(8, .005, 4.0456520640952984)]
    [TestCase(3, 1e-9, 29.005457219)]
    public void At_an_end_without_skewness_the_bound_is_that_of_students_t(int runs, double error, double bound)
    {
        Assert.That(RunLikelihood.DevianceBound(runs, error, 0, areAbove: true), Is.EqualTo(bound).Within(1e-8));
        Assert.That(RunLikelihood.DevianceBound(runs, error, 1, areAbove: false), Is.EqualTo(bound).Within(1e-8));
    }

    // 1 + 2 * .5^3 = 1.25, and 1 + 2 * .9^3 = 2.458.
    [TestCase(.5, 1.25)]
    [TestCase(.9, 2.458)]
    public void Above_a_high_threshold_the_error_counts_for_less(double threshold, double times)
    {
        var bound = RunLikelihood.DevianceBound(8, .005 / times, 0, areAbove: true);
        Assert.That(RunLikelihood.DevianceBound(8, .005, threshold, areAbove: true), Is.EqualTo(bound).Within(1e-9));
        Assert.That(
            RunLikelihood.DevianceBound(8, .005, 1 - threshold, areAbove: false),
            Is.EqualTo(bound).Within(1e-9)
        );
    }

    [Test]
    public void One_run_bounds_nothing()
    {
        Assert.That(
            () => RunLikelihood.DevianceBound(1, .01, .75, true),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
    }

    // What speaks for a probability speaks for the opposite one of the opposite outcomes.
    [TestCase(.7)]
    [TestCase(.85)]
    [TestCase(.97)]
    public void The_likelihood_does_not_know_hits_from_misses(double probability)
    {
        RunCount[] opposite = [.. s_moody.Select(run => new RunCount(run.Samples - run.Successes, run.Samples))];
        Assert.That(
            RunLikelihood.LogLikelihood(opposite, 1 - probability),
            Is.EqualTo(RunLikelihood.LogLikelihood(s_moody, probability)).Within(1e-6)
        );
    }

    // Nothing but hits: the share is kept off 1 by half an outcome, and the interval ends at 1.
    [Test]
    public void Runs_without_a_miss_have_an_interval_that_ends_at_1()
    {
        RunCount[] runs = [new(100, 100), new(100, 100), new(100, 100)];
        RunCount[] misses = [new(0, 100), new(0, 100), new(0, 100)];
        var (upper, lower) = (RunLikelihood.Interval(runs, .1), RunLikelihood.Interval(misses, .1));
        Assert.That(upper.Upper, Is.EqualTo(1));
        Assert.That(upper.Lower, Is.InRange(.5, .99));
        Assert.That(lower.Lower, Is.Zero);
        Assert.That(lower.Upper, Is.EqualTo(1 - upper.Lower).Within(1e-3));
    }

    // By hand: for 1/2 two outcomes of a run agree with probability (1 + rho) / 2, and each way has half of it. The
    // best rho is (alike - mixed) / (alike + mixed), kept in 0 .. the largest.
    [TestCase(20, 0, .4, .4)]
    [TestCase(20, 0, .2, .2)]
    [TestCase(20, 0, .05, .05)]
    [TestCase(26, 14, .4, .3)]
    [TestCase(56, 44, .4, .12)]
    [TestCase(10, 30, .4, 0)]
    public void Pairs_have_the_likelihood_of_their_best_correlation(int alike, int mixed, double largest, double rho)
    {
        RunCount[] runs =
        [
            .. Enumerable.Range(0, alike).Select(i => new RunCount(i % 2 == 0 ? 2 : 0, 2)),
            .. Enumerable.Repeat(new RunCount(1, 2), mixed),
        ];
        Assert.That(
            RunLikelihood.LogLikelihood(runs, .5, largest),
            Is.EqualTo(alike * Math.Log((1 + rho) / 4) + mixed * Math.Log((1 - rho) / 4)).Within(2e-5)
        );
    }

    // By hand: ten hits have the share 1, which is kept off 1 by half an outcome and counts as .95.
    [TestCase(10)]
    [TestCase(0)]
    public void Single_outcomes_that_are_all_alike_count_as_half_an_outcome_less(int hits)
    {
        RunCount[] runs = [.. Enumerable.Range(0, 10).Select(i => new RunCount(i < hits ? 1 : 0, 1))];
        Assert.That(RunLikelihood.Deviance(runs, .5), Is.EqualTo(10 * Math.Log(.95 / .5)).Within(1e-9));
    }

    // Bisection needs no rule for its steps; the ends are told to four digits.
    [Test]
    public void The_ends_of_the_interval_are_those_of_a_bisection([Values(.4, .1, .01, 1e-4)] double error)
    {
        using var _ = Assert.EnterMultipleScope();
        foreach (var runs in new[] { s_quiet, s_moody, [new(1, 40), new(0, 40), new(2, 40)] })
        {
            var share = (double)runs.Sum(run => run.Successes) / runs.Sum(run => run.Samples);
            var interval = RunLikelihood.Interval(runs, error);
            Assert.That((interval.Lower, interval.Upper), Is.EqualTo((Root(0, share), Root(1, share))).Within(1e-4));

            double Root(double outside, double inside)
            {
                for (var i = 0; i < 40; i++)
                {
                    var middle = (outside + inside) / 2;
                    if (
                        RunLikelihood.Deviance(runs, middle)
                        > RunLikelihood.DevianceBound(runs.Length, error, middle, outside < inside)
                    )
                        outside = middle;
                    else
                        inside = middle;
                }
                return inside;
            }
        }
    }

    // What equal neighbours share is computed once, and the gamma function by a series: the numbers must not tell.
    [Test]
    public void The_likelihood_is_that_of_every_run_by_itself(
        [Values(3, 8, 43)] int runs,
        [Values(30, 7000)] int length
    )
    {
        var random = RandomStream.For(91, (ulong)runs, (ulong)length);
        var fill = RunLaw.BetaBinomial(4).Runs(.93, length);
        using var _ = Assert.EnterMultipleScope();
        for (var i = 0; i < 20; i++)
        {
            var counts = new RunCount[runs];
            fill(counts, ref random);
            counts[1] = counts[0];
            counts[2] = new(length / 3, length / 2);
            foreach (var probability in new[] { .5, .83, .99 })
            foreach (var largest in new[] { .05, .4 })
                Assert.That(
                    RunLikelihood.LogLikelihood(counts, probability, largest),
                    Is.EqualTo(RunByRun(counts, probability, largest)).Within(1e-13 * runs * length + 1e-10)
                );
        }
    }

    // The same search over the correlation, with the gamma function of MathNet.
    private static double RunByRun(RunCount[] runs, double probability, double largest)
    {
        double to = Math.Log(largest),
            from = Math.Min(Math.Log(.1 / (runs.Max(run => run.Samples) - 1)), to - 1),
            step = (to - from) / 16;
        var best = runs.Sum(run =>
            run.Successes * Math.Log(probability) + (run.Samples - run.Successes) * Math.Log(1 - probability)
        );
        var at = Enumerable.Range(0, 17).Select(i => from + i * step).MaxBy(At);
        double ratio = (Math.Sqrt(5) - 1) / 2,
            low = Math.Max(from, at - step),
            high = Math.Min(to, at + step);
        double Left() => high - ratio * (high - low);
        double Right() => low + ratio * (high - low);
        for (var i = 0; i < 10; i++)
            (low, high) = At(Left()) > At(Right()) ? (low, Right()) : (Left(), high);
        return new[] { best, At(at), At(Left()), At(Right()) }.Max();

        double At(double logRho)
        {
            double both = Math.Exp(-logRho) - 1,
                a = probability * both,
                b = (1 - probability) * both;
            return runs.Sum(run => LogBeta(run.Successes + a, run.Samples - run.Successes + b) - LogBeta(a, b));
        }

        static double LogBeta(double a, double b) =>
            SpecialFunctions.GammaLn(a) + SpecialFunctions.GammaLn(b) - SpecialFunctions.GammaLn(a + b);
    }
}
