using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Latency.Quality;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Latency.Quality;

/// <summary>Intervals of the next error, from the errors of replayed cases.</summary>
public sealed class ReplayErrorLawTests
{
    // Of the posterior of 46 scales s, .005 to 1 in equal ratios (half a weight at both ends), of Student's law with 3
    // degrees of freedom: the h with sum(q * (2 * F(h / s) - 1)) = level, with F(t) = 1/2 + (u / (1 + u^2) + atan u) /
    // pi, u = t / sqrt 3, by bisection in Python. The mixtures of 9 and 45 normal laws differ from Student's law by up
    // to .03 of it.
    [TestCase(0, .95, .93668)]
    [TestCase(0, .9, .56209)]
    [TestCase(6, .95, .19256)]
    [TestCase(15, .95, .17095)]
    [TestCase(15, .9, .12488)]
    [TestCase(60, .95, .16190)]
    public void Interval_is_that_of_the_posterior_predictive_law(int errors, double level, double expected)
    {
        var law = Law(Enumerable.Repeat((0.05, 0.0, 1.0, 1.0), errors));
        Assert.That(law.HalfWidth(level, 1, 0), Is.EqualTo(expected).Within(3).Percent);
    }

    // As above, with 19 errors of .05 and one of .6 where the shape is .8: .18915 by Student's law itself. The nine
    // normal laws that stand for it in the likelihood end at 2.8 scales, so an error of twelve scales widens the
    // interval more, to .2351; 20 errors of .05 give .1678, and a normal law with the deviation of the 20 errors would
    // give .28.
    [Test]
    public void One_disturbed_case_of_twenty_widens_the_interval_less_than_its_share_of_the_variance()
    {
        var law = Law(Enumerable.Repeat((0.05, 0.0, 0.8, 1.0), 19).Append((0.6, 0.0, 0.8, 1.0)));
        Assert.That(law.HalfWidth(.95, .8, 0), Is.EqualTo(.2351).Within(1).Percent);
    }

    [Test]
    public void Normal_errors_that_come_to_it_dominate_where_they_are_large()
    {
        var law = Law(Enumerable.Repeat((0.001, 0.0, 1.0, 1.0), 20));
        Assert.That(law.HalfWidth(.95, 1, .1 * .1), Is.EqualTo(1.96 * .1).Within(3).Percent);
    }

    [Test]
    public void Wider_for_a_higher_level_more_sampling_and_larger_errors() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(100).WithReplay(20260101, 9),
            Prop.ForAll<ushort>(seed =>
            {
                var random = RandomStream.For(seed, 7);
                var errors = new (double Error, double Noise, double Shape, double Weight)[12];
                for (var i = 0; i < errors.Length; i++)
                    errors[i] = (.05 * NormalLaw.Standard(ref random), .03, .7, 1);
                var law = Law(errors);
                var larger = Law(errors.Select(one => (1.5 * one.Error, one.Noise, one.Shape, one.Weight)));
                var half = law.HalfWidth(.9, .7, 1e-4);
                return Math.Abs(law.Within(half, .7, 1e-4) - .9) < 1e-6
                    && law.HalfWidth(.95, .7, 1e-4) > half
                    && law.HalfWidth(.9, .7, 4e-4) > half
                    && larger.HalfWidth(.9, .7, 1e-4) >= half;
            })
        );

    // By the rank of the further error among n + 1: 9 of ten is the 9th of 9, and the 18th of 19.
    [TestCase(.9, 9, 9)]
    [TestCase(.9, 15, 15)]
    [TestCase(.9, 19, 18)]
    [TestCase(.8, 8, 8)]
    [TestCase(.95, 39, 38)]
    [TestCase(.95, 9, 9)]
    [TestCase(.5, 9, 5)]
    public void Interval_would_have_held_as_many_cases_as_the_rank_of_a_further_one_needs(
        double level,
        int cases,
        int rank
    )
    {
        // All of them beyond the level, in disorder.
        var contents = Enumerable.Range(1, cases).Select(i => .96 + i / 1000.0).ToArray();
        var law = Law(Enumerable.Repeat((0.05, 0.0, 1.0, 1.0), 9), [.. contents.Reverse()]);
        var bare = Law(Enumerable.Repeat((0.05, 0.0, 1.0, 1.0), 9));
        Assert.That(
            (law.LawLevel(level), law.HalfWidth(level, 1, 0)),
            Is.EqualTo((contents[rank - 1], bare.HalfWidth(contents[rank - 1], 1, 0)))
        );
    }

    [Test]
    public void Law_keeps_its_level_where_it_would_have_held_enough_cases() =>
        Assert.That(
            Law(Enumerable.Repeat((0.05, 0.0, 1.0, 1.0), 9), Enumerable.Repeat(.7, 9)).LawLevel(.9),
            Is.EqualTo(.9)
        );

    private static ReplayErrorLaw Law(
        IEnumerable<(double Error, double Noise, double Shape, double Weight)> errors,
        IEnumerable<double>? contents = null
    ) =>
        ReplayErrorLaw.Of(
            [.. errors.Select(one => ReplayErrorLaw.Likelihood(one.Error, one.Noise, one.Shape))],
            [.. errors.Select(one => one.Weight)],
            contents?.ToArray()
        );
}
