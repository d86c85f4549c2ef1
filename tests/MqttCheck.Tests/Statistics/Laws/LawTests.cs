using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Statistics.Laws;

[TestFixture]
public sealed class LawTests
{
    private static IEnumerable<Law> Continuous() =>
        [
            new UniformLaw(1, 9),
            new ExponentialLaw(5),
            new LogNormalLaw(5, .5),
            new NormalLaw(5, 1),
            new EmpiricalLaw([0, 1, 3, 10, 40]),
            new MixtureLaw([new(.9, new UniformLaw(0, 2)), new(.3, new LogNormalLaw(40, .2))]),
        ];

    private static IEnumerable<Law> WithAtoms() =>
        [
            new ConstantLaw(3),
            new NormalLaw(1, 2),
            new NormalLaw(3, 0),
            new LogNormalLaw(3, 0),
            new UniformLaw(2, 2),
            new EmpiricalLaw([1, 2, 2, 2, 3, 3]),
            new MixtureLaw([new(2, new ConstantLaw(1)), new(1, new ExponentialLaw(4))]),
        ];

    // Kolmogorov-Smirnov by the bound of Dvoretzky, Kiefer, Wolfowitz and Massart, valid for laws with atoms too:
    // false alarm at most 1e-6 per law, seed 1.
    [TestCaseSource(nameof(Continuous)), TestCaseSource(nameof(WithAtoms))]
    public void Draws_follow_the_distribution_function(Law law)
    {
        const int draws = 100_000;
        var random = RandomStream.For(1);
        var sorted = new double[draws];
        for (var i = 0; i < draws; i++)
            sorted[i] = law.Draw(ref random);
        Array.Sort(sorted);
        Assert.That(sorted[0], Is.GreaterThanOrEqualTo(0));
        var distance = 0.0;
        for (var i = 0; i < draws; i++)
        {
            // At ties only the last one carries the step of the empirical function, and the left limit belongs to the
            // first one.
            if (i == draws - 1 || sorted[i + 1] > sorted[i])
                distance = Math.Max(distance, Math.Abs((i + 1.0) / draws - law.CumulativeProbability(sorted[i])));
            if (i == 0 || sorted[i - 1] < sorted[i])
                distance = Math.Max(
                    distance,
                    Math.Abs((double)i / draws - law.CumulativeProbability(Math.BitDecrement(sorted[i])))
                );
        }
        Assert.That(distance, Is.LessThan(Math.Sqrt(Math.Log(2 / 1e-6) / (2 * draws))));
    }

    [TestCaseSource(nameof(Continuous)), TestCaseSource(nameof(WithAtoms))]
    public void A_scaled_law_draws_the_same_values_multiplied_by_the_factor(Law law)
    {
        foreach (var factor in new[] { 0.01, 1, 7.5 })
        {
            var scaled = law.Scaled(factor);
            var (first, second) = (RandomStream.For(3), RandomStream.For(3));
            for (var i = 0; i < 1000; i++)
                Assert.That(scaled.Draw(ref second), Is.EqualTo(factor * law.Draw(ref first)).Within(1e-9).Percent);
            Assert.That(scaled.Mean, Is.EqualTo(factor * law.Mean).Within(1e-9).Percent);
        }
    }

    [Test]
    public void A_mixture_takes_two_numbers_whichever_component_is_chosen()
    {
        var law = new MixtureLaw([new(1, new ConstantLaw(1)), new(1, new ExponentialLaw(4))]);
        for (ulong seed = 0; seed < 20; seed++)
        {
            RandomStream used = RandomStream.For(seed),
                expected = used;
            law.Draw(ref used);
            expected.NextUInt64();
            expected.NextUInt64();
            Assert.That(used.NextUInt64(), Is.EqualTo(expected.NextUInt64()));
        }
    }

    [TestCase(0, 0)]
    [TestCase(.125, .5)]
    [TestCase(.5, 3)]
    [TestCase(1, 10)]
    public void A_quantile_table_interpolates_linearly(double probability, double expected) =>
        Assert.That(new EmpiricalLaw([0, 1, 3, 3, 10]).Quantile(probability), Is.EqualTo(expected));

    [Test]
    public void The_law_of_a_sample_has_its_quantiles() =>
        Assert.That(
            EmpiricalLaw.Of([5, 1, 3, 2, 4], 8),
            Is.EqualTo(new EmpiricalLaw([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]))
        );

    [Test]
    public void Laws_that_make_no_sense_are_refused()
    {
        var one = new ConstantLaw(1);
        (Func<Law> Make, string Reason)[] cases =
        [
            (() => new EmpiricalLaw([1]), "at least two values"),
            (() => new EmpiricalLaw([2, 1]), "never descending; 1 follows 2"),
            (() => new EmpiricalLaw([0, double.NaN]), "NaN follows 0"),
            (() => new EmpiricalLaw([0, double.PositiveInfinity]), "finite"),
            (() => new EmpiricalLaw([-1, 1]), "-1 follows 0"),
            (() => EmpiricalLaw.Of([], 4), "at least one value"),
            (() => EmpiricalLaw.Of([1], 0), "pieces"),
            (() => new MixtureLaw([]), "at least one component"),
            (() => new MixtureLaw([new(double.NaN, one)]), "positive and finite, not NaN"),
            (() => new MixtureLaw([new(0, one)]), "positive and finite, not 0"),
            (() => new MixtureLaw([new(double.PositiveInfinity, one)]), "positive and finite"),
            (() => new MixtureLaw([new(1, new MixtureLaw([new(1, one)]))]), "inside a mixture"),
            (() => new MixtureLaw([new(1e308, one), new(1e308, one)]), "sum of the weights"),
        ];
        foreach (var (make, reason) in cases)
            Assert.That(make, Throws.InstanceOf<ArgumentException>().With.Message.Contains(reason));
    }

    [TestCase(-.001)]
    [TestCase(1.001)]
    [TestCase(double.NaN)]
    public void A_quantile_table_knows_probabilities_alone(double probability) =>
        Assert.That(
            () => new EmpiricalLaw([1, 2]).Quantile(probability),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains("must be in 0 .. 1")
        );

    // Every pair of different laws, and each law beside one that was made again.
    [Test]
    public void Laws_are_equal_exactly_if_their_texts_are()
    {
        Law[] laws = [.. Continuous(), .. WithAtoms()];
        Law[] again = [.. Continuous(), .. WithAtoms()];
        using var _ = Assert.EnterMultipleScope();
        foreach (var law in laws)
        {
            foreach (var other in again)
            {
                Assert.That(law.Equals(other), Is.EqualTo(law.ToString() == other.ToString()), $"{law} {other}");
                if (law.Equals(other))
                    Assert.That(other?.GetHashCode(), Is.EqualTo(law.GetHashCode()));
            }
            Assert.That(law.Equals(null), Is.False);
        }
    }

    // In R: plnorm(x, log(5), .5), pnorm(x, 5, 1), pnorm(0, -1, 2), pexp(x, 1/5); the others by hand.
    private static IEnumerable<TestCaseData> Distributions() =>
        [
            new(new LogNormalLaw(5, .5), 7, .7495086913868111),
            new(new LogNormalLaw(5, .5), 1, .00064347101291387),
            new(new LogNormalLaw(5, .5), 0, 0),
            new(new LogNormalLaw(5, 0), 5, 1),
            new(new LogNormalLaw(5, 0), 4.999, 0),
            new(new NormalLaw(5, 1), 6.5, .93319279873114191),
            new(new NormalLaw(-1, 2), 0, .69146246127401301),
            new(new NormalLaw(5, 1), -.001, 0),
            new(new NormalLaw(5, 0), 5, 1),
            new(new NormalLaw(5, 0), 4.999, 0),
            new(new ExponentialLaw(5), 7, .75340303605839354),
            new(new ExponentialLaw(5), 0, 0),
            new(new ExponentialLaw(5), -1, 0),
            new(new UniformLaw(1, 9), 3, .25),
            new(new UniformLaw(1, 9), 1, 0),
            new(new UniformLaw(1, 9), 9, 1),
            new(new UniformLaw(1, 9), .5, 0),
            new(new UniformLaw(2, 2), 2, 1),
            new(new EmpiricalLaw([0, 1, 3, 3, 10]), 2, .375),
            new(new EmpiricalLaw([0, 1, 3, 3, 10]), 3, .75),
            new(new EmpiricalLaw([1, 2, 2, 4]), Math.BitDecrement(1.0), 0),
            new(new EmpiricalLaw([1, 2, 2, 4]), 1, 0),
            new(new EmpiricalLaw([1, 2, 2, 4]), 4, 1),
            new(new EmpiricalLaw([1, 1, 3]), 1, .5),
            new(new EmpiricalLaw([1, 1, 3]), 2, .75),
            new(new ConstantLaw(3), 3, 1),
            new(new ConstantLaw(3), 2.999, 0),
            new(new MixtureLaw([new(1, new ConstantLaw(1)), new(3, new UniformLaw(0, 4))]), 2, .25 + .375),
        ];

    [TestCaseSource(nameof(Distributions))]
    public void The_distribution_function_has_its_known_values(Law law, double x, double probability) =>
        Assert.That(law.CumulativeProbability(x), Is.EqualTo(probability).Within(1e-12));

    // In R: m * pnorm(m / s) + s * dnorm(m / s) for what lies above 0 of a normal law, and 5 * exp(.5^2 / 2).
    private static IEnumerable<TestCaseData> Means() =>
        [
            new(new NormalLaw(1, 2), 1.39559311480261217),
            new(new NormalLaw(-1, 2), .39559311480261211),
            new(new NormalLaw(-1, 0), 0),
            new(new NormalLaw(3, 0), 3),
            new(new NormalLaw(0, 0), 0),
            new(new LogNormalLaw(5, .5), 5.6657422653341314),
            new(new LogNormalLaw(3, 0), 3),
            new(new ConstantLaw(3), 3),
            new(new EmpiricalLaw([0, 1, 3, 3, 10]), (.5 + 2 + 3 + 6.5) / 4),
            new(new UniformLaw(1, 9), 5),
            new(new ExponentialLaw(5), 5),
            new(new MixtureLaw([new(1, new ConstantLaw(1)), new(3, new UniformLaw(0, 4))]), .25 + .75 * 2),
        ];

    [TestCaseSource(nameof(Means))]
    public void The_mean_has_its_known_value(Law law, double mean) =>
        Assert.That(law.Mean, Is.EqualTo(mean).Within(1e-12));

    // The first component has the numbers from 0 up to its share, without it: at one half the second one begins.
    [Test]
    public void A_number_at_the_border_of_two_components_chooses_the_second()
    {
        // The step rotates the sum of the first and the fourth word by 23: this one gives 2^63, the half.
        var half = new RandomStream(0, 0, 0, 1ul << 40);
        var copy = half;
        Assert.That(copy.NextDouble(), Is.EqualTo(.5));
        Assert.That(
            new MixtureLaw([new(1, new ConstantLaw(1)), new(1, new ConstantLaw(2))]).Draw(ref half),
            Is.EqualTo(2)
        );
    }

    // .1 + .2 + .3 is rounded up, and less the three weights nothing is left of the largest number.
    [Test]
    public void The_largest_number_chooses_the_last_component_however_weights_are_rounded()
    {
        var largest = new RandomStream(0, 0, 0, ulong.MaxValue);
        var copy = largest;
        Assert.That(copy.NextDouble(), Is.EqualTo(1 - Math.Pow(2, -53)));
        var law = new MixtureLaw([
            new(.1, new ConstantLaw(1)),
            new(.2, new ConstantLaw(2)),
            new(.3, new ConstantLaw(3)),
        ]);
        Assert.That(law.Draw(ref largest), Is.EqualTo(3));
    }
}
