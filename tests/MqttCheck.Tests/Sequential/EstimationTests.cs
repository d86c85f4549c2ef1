using MqttCheck.Sequential;
using MqttCheck.Sequential.Characteristics;

namespace MqttCheck.Tests.Sequential;

[TestFixture]
public sealed class EstimationTests
{
    // Half width .05, error .01; exact expected numbers, rounded up.
    [TestCase(.5, 682, 1058)]
    [TestCase(.9, 327, 486)]
    [TestCase(.95, 220, 318)]
    [TestCase(.99, 127, 172)]
    public void Adaptive_rules_take_their_known_numbers_of_samples(double probability, int clopperPearson, int chen)
    {
        Assert.That(
            Math.Ceiling(
                EstimationAudit.Compute(new SequentialClopperPearsonRule(.05, .01), probability).ExpectedSamples
            ),
            Is.EqualTo(clopperPearson)
        );
        Assert.That(
            Math.Ceiling(EstimationAudit.Compute(new ChenRule(.05, .01), probability).ExpectedSamples),
            Is.EqualTo(chen)
        );
        Assert.That(
            EstimationAudit.Compute(new OkamotoRule(.05, .01), probability).ExpectedSamples,
            Is.EqualTo(1060).Within(1e-6)
        );
    }

    // The dynamic programme leaves out improbable states and works in place; a plain recursion over all states does
    // neither.
    [Test]
    public void The_audit_agrees_with_a_recursion_over_all_states([Values(.05, .5, .93, .999)] double probability)
    {
        foreach (
            var rule in new IEstimationRule[]
            {
                new ChenRule(.1, .05),
                new SequentialClopperPearsonRule(.1, .05),
                new AnytimeMixtureRule(.15, .05),
            }
        )
        {
            double error = 0,
                expected = 0;
            double[] mass = [1];
            for (var n = 1; mass.Any(value => value > 0); n++)
            {
                expected += mass.Sum();
                var next = new double[n + 1];
                for (var k = 0; k <= n; k++)
                {
                    next[k] = (k < n ? mass[k] * (1 - probability) : 0) + (k > 0 ? mass[k - 1] * probability : 0);
                    if (!rule.IsEnough(k, n))
                        continue;
                    if (Math.Abs((double)k / n - probability) > rule.Epsilon * (1 + 1e-12))
                        error += next[k];
                    next[k] = 0;
                }
                mass = next;
            }
            var audit = EstimationAudit.Compute(rule, probability);
            Assert.That(audit.Error, Is.EqualTo(error).Within(1e-12), rule.Name);
            Assert.That(audit.ExpectedSamples, Is.EqualTo(expected).Within(1e-8), rule.Name);
        }
    }

    [TestCase(0, .01, "epsilon")]
    [TestCase(.5, .01, "epsilon")]
    [TestCase(double.NaN, .01, "epsilon")]
    [TestCase(.05, 0, "delta")]
    [TestCase(.05, .5, "delta")]
    public void Promises_out_of_range_are_refused_by_every_rule(double epsilon, double delta, string name)
    {
        Func<IEstimationRule>[] rules =
        [
            () => new OkamotoRule(epsilon, delta),
            () => new AnytimeMixtureRule(epsilon, delta),
            () => new ChenRule(epsilon, delta),
            () => new SequentialClopperPearsonRule(epsilon, delta),
        ];
        using var _ = Assert.EnterMultipleScope();
        foreach (var rule in rules)
            Assert.That(
                rule,
                Throws
                    .InstanceOf<ArgumentOutOfRangeException>()
                    .With.Property(nameof(ArgumentException.ParamName))
                    .EqualTo(name)
                    .And.Message.Contains("must be in (0, .5)")
            );
    }

    // By hand: after 16 successes of 16 the uniform mixture has 17 times the likelihood of 1; one success less is not
    // enough for ln 20 at .75: 17 * .75^16 = .170.
    [Test]
    public void The_mixture_rule_looks_at_both_ends_of_the_interval()
    {
        var rule = new AnytimeMixtureRule(.25, .05);
        Assert.That((rule.IsEnough(16, 16), rule.IsEnough(0, 16)), Is.EqualTo((false, false)));
        Assert.That(rule.IsEnough(24, 24), Is.True, "25 * .75^24 = .0251");
        Assert.That(rule.IsEnough(0, 24), Is.True);
        Assert.That(rule.IsEnough(12, 24), Is.False, "25 C(24, 12) (.25 * .75)^12 = .127");
    }

    [Test]
    public void Every_rule_has_a_name_of_its_own_and_promises_what_was_asked_for()
    {
        IEstimationRule[] rules =
        [
            new OkamotoRule(.05, .01),
            new AnytimeMixtureRule(.05, .01),
            new ChenRule(.05, .01),
            new SequentialClopperPearsonRule(.05, .01),
        ];
        Assert.That(rules.Select(rule => rule.Name), Is.Unique.And.All.Not.Empty);
        Assert.That(
            rules.Select(rule => (rule.Epsilon, rule.Delta, rule.IsGuarantee)),
            Is.All.EqualTo((.05, .01, true))
        );
    }

    // In R: pbinom(0, n, .1) <= .025 from n = 36 on, with .45 from n = 7 on, before the smallest sample.
    [TestCase(.1, 35, false)]
    [TestCase(.1, 36, true)]
    [TestCase(.45, 14, false)]
    [TestCase(.45, 15, true)]
    public void Clopper_and_Pearson_are_asked_after_fifteen_samples(double epsilon, int samples, bool isEnough)
    {
        var rule = new SequentialClopperPearsonRule(epsilon, .05);
        Assert.That((rule.IsEnough(0, samples), rule.IsEnough(samples, samples)), Is.EqualTo((isEnough, isEnough)));
    }

    [TestCase(-.001)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void An_audit_at_what_is_no_probability_is_refused(double probability)
    {
        Action[] audits =
        [
            () => EstimationAudit.Compute(new OkamotoRule(.1, .1), probability),
            () => SprtAudit.Compute(new SprtPlan(.5, .9, .1, .1), probability),
            () => SprtAudit.Compute(new TwoSidedPlan(.5, .2, .1), probability),
        ];
        foreach (var audit in audits)
            Assert.That(
                audit,
                Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in 0 .. 1")
            );
    }

    [TestCase(0)]
    [TestCase(1)]
    public void A_sure_outcome_is_estimated_without_error(double probability) =>
        Assert.That(
            EstimationAudit.Compute(new OkamotoRule(.1, .05), probability),
            Is.EqualTo(new EstimationCharacteristics(0, 185))
        );

    // By hand: 200 ln 40 = 737.8, times 1/4 - (1/2 - 1/15)^2 = .0622 at the ends and 1/4 - (1/15)^2 = .2456 at 1/2.
    [TestCase(0, 45, false)]
    [TestCase(0, 46, true)]
    [TestCase(45, 45, false)]
    [TestCase(46, 46, true)]
    [TestCase(90, 180, false)]
    [TestCase(91, 182, true)]
    public void Chen_asks_for_less_near_both_ends(int successes, int samples, bool isEnough) =>
        Assert.That(new ChenRule(.1, .05).IsEnough(successes, samples), Is.EqualTo(isEnough));

    // The end of the interval then lies exactly epsilon from the share, which is no farther.
    [Test]
    public void Clopper_and_Pearson_stop_where_the_end_is_as_far_as_allowed()
    {
        var delta = 2 * new SingleSamplingPlan(15, 0).Characteristics(.3).AcceptH0;
        Assert.That(new SequentialClopperPearsonRule(.3, delta).IsEnough(0, 15), Is.True);
        Assert.That(new SequentialClopperPearsonRule(.3, delta * .999).IsEnough(0, 15), Is.False);
    }

    // In doubles .8 - .7 exceeds .1 by rounding. In R: 1 - (pbinom(8, 10, .7) - pbinom(5, 10, .7)).
    [Test]
    public void An_estimate_that_is_off_by_the_half_width_itself_is_no_error()
    {
        var audit = EstimationAudit.Compute((_, samples) => samples >= 10, .1, .7);
        Assert.That(audit.Error, Is.EqualTo(.2995766785).Within(1e-9));
        Assert.That(audit.ExpectedSamples, Is.EqualTo(10).Within(1e-12));
    }
}
