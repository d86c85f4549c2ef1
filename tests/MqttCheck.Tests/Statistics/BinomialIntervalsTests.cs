using MathNet.Numerics.Distributions;
using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Statistics;

[TestFixture]
public sealed class BinomialIntervalsTests
{
    // scipy.stats.binomtest(k, n).proportion_ci(1 - alpha, method='exact')
    [TestCase(95, 100, .05, .88717, .98357)]
    [TestCase(0, 100, .05, 0, .03622)]
    [TestCase(100, 100, .01, .94840, 1)]
    [TestCase(990, 1000, .01, .97872, .99627)]
    public void Clopper_Pearson_has_its_known_values(
        int successes,
        int trials,
        double alpha,
        double lower,
        double upper
    ) => AssertInterval(BinomialIntervals.ClopperPearson(successes, trials, alpha), lower, upper);

    // scipy.stats.binomtest(k, n).proportion_ci(1 - alpha, method='wilson')
    [TestCase(95, 100, .05, .88825, .97846)]
    [TestCase(10, 20, .05, .29930, .70070)]
    public void Wilson_has_its_known_values(int successes, int trials, double alpha, double lower, double upper) =>
        AssertInterval(BinomialIntervals.WilsonApproximate(successes, trials, alpha), lower, upper);

    [TestCase(95, 100, .05, .83974, .99342)]
    [TestCase(990, 1000, .01, .96968, .99830)]
    public void The_anytime_mixture_has_its_known_values(
        int successes,
        int trials,
        double alpha,
        double lower,
        double upper
    ) => AssertInterval(BinomialIntervals.AnytimeMixture(successes, trials, alpha), lower, upper);

    [Test]
    public void Without_trials_nothing_is_known()
    {
        Assert.That(
            (BinomialIntervals.ClopperPearson(0, 0, .05), BinomialIntervals.AnytimeMixture(0, 0, .05)),
            Is.EqualTo((new Interval(0, 1), new Interval(0, 1)))
        );
    }

    // At the bound the tail of the binomial distribution is alpha / 2, by definition; also for a million trials.
    [TestCase(1, 2)]
    [TestCase(7, 10)]
    [TestCase(1, 1000)]
    [TestCase(999, 1000)]
    [TestCase(50_000, 100_000)]
    [TestCase(999_000, 1_000_000)]
    [TestCase(1, 1_000_000)]
    public void Clopper_Pearson_solves_its_equation(int successes, int trials)
    {
        var interval = BinomialIntervals.ClopperPearson(successes, trials, .01);
        Assert.That(
            1 - Tail(successes - 1, interval.Lower),
            Is.EqualTo(.005).Within(1e-6),
            "upper tail at the lower bound"
        );
        Assert.That(Tail(successes, interval.Upper), Is.EqualTo(.005).Within(1e-6), "lower tail at the upper bound");

        // P(at most k successes), summed in the logarithm, which needs no incomplete beta function.
        double Tail(int k, double p)
        {
            double sum = 0;
            for (var i = Math.Max(0, k - 30_000); i <= k; i++)
                sum += Math.Exp(Binomial.PMFLn(p, trials, i));
            return sum;
        }
    }

    // Computed, not simulated: how often looking after each of 500 fair trials leaves the truth out at some time.
    [Test]
    public void The_anytime_interval_survives_looking_after_every_trial()
    {
        Assert.That(Missed((k, n) => BinomialIntervals.MixtureLogEvidence(k, n, .5) > Math.Log(20)), Is.AtMost(.05));
        Assert.That(Missed((k, n) => !BinomialIntervals.ClopperPearson(k, n, .05).Contains(.5)), Is.AtLeast(.14));

        static double Missed(Func<long, long, bool> leavesOut) =>
            SprtAudit
                .Compute((k, n) => leavesOut(k, n) ? SprtDecision.AcceptH1 : SprtDecision.Undecided, .5, 500)
                .AcceptH1;
    }

    // By hand: the set where 11 (1-p)^10 is at least .05 ends at 1 - (.05 / 11)^(1/10).
    [Test]
    public void Nothing_but_failures_or_successes_reaches_the_end()
    {
        var end = 1 - Math.Pow(.05 / 11, .1);
        var (failures, successes) = (
            BinomialIntervals.AnytimeMixture(0, 10, .05),
            BinomialIntervals.AnytimeMixture(10, 10, .05)
        );
        Assert.That(failures.Lower, Is.Zero);
        Assert.That((failures.Upper, successes.Lower), Is.EqualTo((end, 1 - end)).Within(1e-12));
        Assert.That(successes.Upper, Is.EqualTo(1));
    }

    [Test]
    public void A_refusal_names_the_value_that_was_given()
    {
        Assert.That(
            () => BinomialIntervals.UpperBound(11, 10, .05),
            Throws
                .InstanceOf<ArgumentOutOfRangeException>()
                .With.Property(nameof(ArgumentOutOfRangeException.ActualValue))
                .EqualTo(11)
                .And.Message.Contains("0 .. 10 trials")
        );
        Assert.That(
            () => BinomialIntervals.LowerBound(1, 10, 1),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in (0, 1)")
        );
        Assert.That(
            () => BinomialIntervals.WilsonApproximate(0, 0, .05),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
    }

    [TestCase(-1, 10, .05)]
    [TestCase(0, -1, .05)]
    [TestCase(11, 10, .05)]
    [TestCase(1, 10, 0)]
    [TestCase(1, 10, double.NaN)]
    public void Impossible_counts_and_levels_are_refused(int successes, int trials, double alpha)
    {
        Assert.That(
            () => BinomialIntervals.ClopperPearson(successes, trials, alpha),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
        Assert.That(
            () => BinomialIntervals.AnytimeMixture(successes, trials, alpha),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
    }

    [TestCase(-1, 10, .05)]
    [TestCase(11, 10, .05)]
    [TestCase(1, 10, 0)]
    [TestCase(1, 10, 1)]
    public void Wilson_refuses_what_the_exact_interval_refuses(int successes, int trials, double alpha) =>
        Assert.That(
            () => BinomialIntervals.WilsonApproximate(successes, trials, alpha),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in")
        );

    // The formula gives 0 and 1 to rounding only, and a share below 0 is none.
    [Test]
    public void Wilson_ends_exactly_at_no_and_at_every_success()
    {
        using var _ = Assert.EnterMultipleScope();
        for (var trials = 1; trials <= 200; trials++)
        {
            Assert.That(BinomialIntervals.WilsonApproximate(0, trials, .05).Lower, Is.Zero, $"{trials} trials");
            Assert.That(
                BinomialIntervals.WilsonApproximate(trials, trials, .05).Upper,
                Is.EqualTo(1.0),
                $"{trials} trials"
            );
        }
    }

    // Where every trial succeeds the bound is the root of alpha, exact however small alpha is.
    [TestCase(1, 1e-30, 1e-30)]
    [TestCase(2, 1e-30, 1e-15)]
    public void The_lower_bound_of_nothing_but_successes_is_a_root(int trials, double alpha, double expected) =>
        Assert.That(BinomialIntervals.LowerBound(trials, trials, alpha), Is.EqualTo(expected).Within(1e-9).Percent);

    private static void AssertInterval(Interval interval, double lower, double upper)
    {
        Assert.That((interval.Lower, interval.Upper), Is.EqualTo((lower, upper)).Within(5.1e-6));
    }

    // By hand: -ln((n + 1) C(n, k) p^k (1-p)^(n-k)), which is -ln 11 where k = 0 and p = 0, or k = n and p = 1.
    [TestCase(0, 10, 0, -2.3978952727983707)]
    [TestCase(10, 10, 1, -2.3978952727983707)]
    [TestCase(1, 10, 0, double.PositiveInfinity)]
    [TestCase(9, 10, 1, double.PositiveInfinity)]
    [TestCase(1, 2, .5, -.40546510810816438)]
    public void The_evidence_of_the_mixture_follows_its_formula(
        int successes,
        int trials,
        double probability,
        double expected
    ) =>
        Assert.That(
            BinomialIntervals.MixtureLogEvidence(successes, trials, probability),
            Is.EqualTo(expected).Within(1e-12)
        );
}
