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

    [TestCase(0, .01)]
    [TestCase(.5, .01)]
    [TestCase(.05, .5)]
    [TestCase(.05, double.NaN)]
    public void Impossible_promises_are_refused(double epsilon, double delta) =>
        Assert.That(
            () => new SequentialClopperPearsonRule(epsilon, delta),
            Throws.InstanceOf<ArgumentOutOfRangeException>()
        );
}
