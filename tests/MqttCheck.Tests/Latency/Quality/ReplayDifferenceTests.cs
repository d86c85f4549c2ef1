using MqttCheck.Latency.Quality;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Latency.Quality;

/// <summary>How often the interval of a difference holds the difference of two further errors.</summary>
public sealed class ReplayDifferenceTests
{
    private const int Repetitions = 1000;
    private const double Level = .9;
    private const double Noise = .02;

    // The loads lie evenly on the logarithmic scale, .1 + 1.3^i open exchanges besides the own.
    private static double Active(double place) => 1 + Math.Pow(1.3, place);

    // Errors are what all share (.1), a walk along the loads, and what a case has alone. The walk makes far loads
    // differ more. Cases: 15; the loads asked about are so many places apart. A holding of exactly .9 fails with
    // probability .0001 each (3.7 deviations of 1000). Seed 50.
    [Category("Whole")]
    [TestCase(0, .03, 1)]
    [TestCase(.02, .02, 1)]
    [TestCase(.02, .02, 3)]
    [TestCase(.03, 0, 2)]
    [TestCase(0, 0, 1)]
    public void A_difference_of_errors_of_neighbours_is_held_at_the_level(double walk, double own, int apart)
    {
        const int Cases = 15;
        var held = 0;
        var widths = 0.0;
        for (var repetition = 0; repetition < Repetitions; repetition++)
        {
            var random = RandomStream.For(50, (ulong)repetition);
            var errors = new double[2 * Cases + 2];
            var level = .1 * Normal(ref random);
            for (var place = 0; place < errors.Length; place++)
            {
                level += walk / Math.Sqrt(2) * Normal(ref random);
                errors[place] = level + own * Normal(ref random);
            }
            var cases = new List<ReplayedCase>();
            for (var i = 0; i < Cases; i++)
            {
                var point = new ReplayedPoint(10, .5, errors[2 * i] + Noise * Normal(ref random), Noise);
                cases.Add(new(10, 100, Active(2 * i), Active(2 * i), [point]));
            }
            // Both loads lie between those of the cases.
            var quality = new ReplayQuality(.05, cases);
            var (one, other) = (13, 13 + 2 * apart);
            var half = quality.DifferencesAt(Active(one), Active(other), 10)!.HalfWidth(Level, 1, 0);
            widths += half / Repetitions;
            held += Math.Abs(errors[other] - errors[one]) <= half ? 1 : 0;
        }
        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{walk} {own} {apart}: {held}, half width {widths:0.000}")
        );
        Assert.That(held, Is.GreaterThan(Repetitions * Level - 3.7 * Math.Sqrt(Repetitions * Level * (1 - Level))));
        // All errors share .1, which does not widen it: taken as independent, two would give .23 and more.
        Assert.That(widths, Is.LessThan(.2));
    }

    [Test]
    public void Loads_further_apart_than_the_cases_have_no_law_of_differences()
    {
        ReplayedCase[] cases =
        [
            .. Enumerable.Range(0, 12).Select(i => new ReplayedCase(1, 1, Active(i), Active(i), [new(10, .5, 0, .02)])),
        ];
        Assert.That(new ReplayQuality(.05, cases).DifferencesAt(1, 1e6, 10), Is.Null);
    }

    private static double Normal(ref RandomStream random) =>
        MathNet.Numerics.Distributions.Normal.InvCDF(0, 1, random.NextOpenDouble());
}
