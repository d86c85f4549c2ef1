using MqttCheck.Latency.Quality;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Latency.Quality;

/// <summary>
/// How often the interval of the replayed cases holds the error of a further case, by simulation of trainings.
/// </summary>
public sealed class ReplayCoverageTests
{
    private const double Asked = .95;
    private const int Repetitions = 2500;

    // Of both the simulation here and the longer one that the expected shares are from: one run of all cells in more
    // than a thousand fails by chance (a normal quantile of 4).
    private const double Deviations = 4;

    private static readonly double[] s_probabilities = [.3, .5, .7, .85, .95, .99];

    // The expected shares are from 20 000 simulated trainings each: dotnet test --filter Expected_shares (seed 77),
    // which prints them. The errors' standard deviation is that of the normal law, of nine cases of ten for the
    // contaminated one; .03 is as large as the sampling error of a case.
    [TestCaseSource(nameof(Cells))]
    [Category("Whole")]
    public void Interval_of_a_further_case_holds_what_it_says(string law, int cases, double deviation, double expected)
    {
        Assert.That(expected, Is.GreaterThanOrEqualTo(LevelOf(cases) - .01), "the stated level less a hundredth");
        Assert.That(
            Covered(law, cases, deviation, LevelOf(cases), Repetitions, seed: 78),
            Is.EqualTo(expected).Within(Tolerance(expected))
        );
    }

    // What the test above is for: an interval of a level that is .04 too low.
    [TestCase("normal", 30, .1)]
    [TestCase("t5", 30, .1)]
    [TestCase("contaminated", 30, .1)]
    [Category("Whole")]
    public void A_level_that_is_too_low_is_noticed(string law, int cases, double deviation)
    {
        var expected = Cells()
            .Where(cell => (string)cell[0] == law && (int)cell[1] == cases && (double)cell[2] == deviation)
            .Select(cell => (double)cell[3])
            .Single();
        Assert.That(
            Covered(law, cases, deviation, LevelOf(cases) - .04, Repetitions, seed: 78),
            Is.LessThan(expected - Tolerance(expected))
        );
    }

    [Test, Explicit("Minutes: prints the expected shares of the test above.")]
    public void Expected_shares()
    {
        foreach (var cell in Cells())
        {
            var share = Covered(
                (string)cell[0],
                (int)cell[1],
                (double)cell[2],
                LevelOf((int)cell[1]),
                LongRepetitions,
                seed: 77
            );
            TestContext.Out.WriteLine(
                FormattableString.Invariant($"[\"{cell[0]}\", {cell[1]}, {cell[2]}, {share:0.0000}],")
            );
        }
    }

    private const int LongRepetitions = 20_000;

    // What a prediction from so many replayed cases states.
    private static double LevelOf(int cases) =>
        Forecast.LevelOf(Asked, new(0, [.. Enumerable.Repeat(new ReplayedCase(1, 1, 1, 1, []), cases)]));

    private static double Tolerance(double share) =>
        Deviations * Math.Sqrt(share * (1 - share) * (1.0 / Repetitions + 1.0 / LongRepetitions));

    private static IEnumerable<object[]> Cells() =>
        [
            ["normal", 8, .1, .7991],
            ["normal", 15, .03, .9037],
            ["normal", 15, .1, .9300],
            ["normal", 30, .03, .9631],
            ["normal", 30, .1, .9825],
            ["t5", 8, .1, .8068],
            ["t5", 15, .03, .8909],
            ["t5", 15, .1, .9128],
            ["t5", 30, .03, .9522],
            ["t5", 30, .1, .9669],
            ["contaminated", 8, .1, .8145],
            ["contaminated", 15, .03, .8999],
            ["contaminated", 15, .1, .9145],
            ["contaminated", 30, .03, .9469],
            ["contaminated", 30, .1, .9536],
        ];

    private static double Covered(string law, int cases, double deviation, double level, int repetitions, ulong seed)
    {
        var covered = 0;
        Parallel.For(
            0,
            repetitions,
            repetition =>
            {
                var random = RandomStream.For(seed, (ulong)repetition);
                var quality = new ReplayQuality(
                    0,
                    [.. Enumerable.Range(0, cases).Select(_ => Case(law, deviation, ref random))]
                );
                // The further case is one like the others, measured so long that sampling leaves nothing to chance.
                var further = Case(law, 0, ref random);
                var point = further.Points[random.NextInt(further.Points.Count)];
                var error = Math.Abs(deviation * Standard(law, ref random));
                if (quality.ErrorsAt(further.MeanActive, point.ThresholdMilliseconds).Within(error, 1, 0) <= level)
                    Interlocked.Increment(ref covered);
            }
        );
        return (double)covered / repetitions;
    }

    // Like cases of a minute of training on Mosquitto and the embedded broker: loads over a decade, six thresholds over
    // two, a sampling error as of 150 independent sequences that differs little from one threshold to the next, and one
    // error of the model at all thresholds.
    private static ReplayedCase Case(string law, double deviation, ref RandomStream random)
    {
        var active = 1 + .05 * Math.Pow(200, random.NextDouble());
        var fastest = Math.Pow(10, random.NextDouble());
        var standard = Standard(law, ref random);
        var sampling = NormalLaw.Standard(ref random);
        var points = new List<ReplayedPoint>();
        foreach (var probability in s_probabilities)
        {
            sampling = .8 * sampling + .6 * NormalLaw.Standard(ref random);
            var noise = Math.Sqrt(probability * (1 - probability) / 150);
            var error = deviation * Math.Sqrt(ReplayQuality.Shape(probability)) * standard + noise * sampling;
            points.Add(new(fastest * Math.Pow(2.5, points.Count), probability, error, noise));
        }
        return new(50, 1000, active, active, points);
    }

    private static double Standard(string law, ref RandomStream random) =>
        law switch
        {
            "normal" => NormalLaw.Standard(ref random),
            "t5" => NormalLaw.Standard(ref random) / Math.Sqrt(ChiSquared(5, ref random) / 5),
            "contaminated" => NormalLaw.Standard(ref random) * (random.NextDouble() < .1 ? 4 : 1),
            _ => throw new ArgumentOutOfRangeException(nameof(law)),
        };

    private static double ChiSquared(int degrees, ref RandomStream random)
    {
        var sum = 0.0;
        for (var i = 0; i < degrees; i++)
            sum += Math.Pow(NormalLaw.Standard(ref random), 2);
        return sum;
    }
}
