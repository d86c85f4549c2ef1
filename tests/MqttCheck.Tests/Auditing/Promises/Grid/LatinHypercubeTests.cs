using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Auditing.Promises.Grid;

namespace MqttCheck.Tests.Auditing.Promises.Grid;

[TestFixture]
public sealed class LatinHypercubeTests
{
    [Test]
    public void Each_level_of_each_factor_comes_equally_often()
    {
        Prop.ForAll<PositiveInt, PositiveInt, ulong>(Holds).QuickCheckThrowOnFailure();

        static bool Holds(PositiveInt points, PositiveInt levels, ulong seed)
        {
            var drawn = LatinHypercube.Draw(points.Get, seed, levels.Get, 3);
            return drawn.Length == points.Get && IsEven(0, levels.Get) && IsEven(1, 3);

            bool IsEven(int factor, int count) =>
                Enumerable
                    .Range(0, count)
                    .Select(level => drawn.Count(point => point[factor] == level))
                    .All(times => times == points.Get / count || times == (points.Get + count - 1) / count);
        }
    }

    [Test]
    public void A_seed_draws_the_same_again_and_another_seed_something_else()
    {
        var one = LatinHypercube.Draw(60, 1, 7, 5);
        Assert.That(LatinHypercube.Draw(60, 1, 7, 5), Is.EqualTo(one));
        Assert.That(LatinHypercube.Draw(60, 2, 7, 5), Is.Not.EqualTo(one));
    }

    // Two factors of five levels, 2500 points: each of the 25 pairs comes about 100 times, within five standard
    // deviations of 10. Seed 5; wrong in one of 60 000 seeds.
    [Test]
    public void Factors_are_drawn_independently_of_each_other() =>
        Assert.That(
            LatinHypercube.Draw(2500, 5, 5, 5).CountBy(point => (point[0], point[1])).Select(pair => pair.Value),
            Has.Exactly(25).InRange(50, 150)
        );
}
