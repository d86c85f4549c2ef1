using MathNet.Numerics.Distributions;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Auditing.Promises;

[TestFixture]
internal sealed class RunLawTests
{
    private const int Runs = 40_000,
        Sequences = 600;

    // Where a share of the runs is bad, some means would need other runs that are better than 1.
    private static IEnumerable<object[]> PossibleMeans() =>
        from law in RunLaw.All
        from mean in new[] { .75, .85 }
        where law.CanHave(mean)
        select new object[] { law, mean };

    // 40 000 runs; the mean lies within five standard errors, which a right one misses once in two million. Seed 61.
    [TestCaseSource(nameof(PossibleMeans))]
    public void Every_law_has_the_mean_it_is_asked_for(RunLaw law, double mean)
    {
        var shares = Shares(law, mean, 10);
        // Means of ten runs, because neighbours may be alike.
        var means = shares.Chunk(10).Select(chunk => chunk.Average()).ToArray();
        Assert.That(means.Average(), Is.EqualTo(mean).Within(5 * Deviation(means) / Math.Sqrt(means.Length)), law.Name);
    }

    // A variance of 40 000 numbers that are nearly normal, or less kurtotic than three times that: seven standard
    // errors of a normal one. Seed 61.
    [TestCase(1)]
    [TestCase(1.2)]
    [TestCase(8)]
    [TestCase(180)]
    public void Beta_binomial_runs_have_the_variance_they_are_named_for(double inflation)
    {
        var variance = Math.Pow(Deviation(Shares(RunLaw.BetaBinomial(inflation), .7, Runs)), 2);
        Assert.That(
            variance * Sequences / (.7 * .3),
            Is.EqualTo(inflation).Within(7 * inflation * Math.Sqrt(2.0 / Runs))
        );
    }

    // The correlation rho makes the variance 1 + (n - 1) rho times binomial: within 5 % at 40 000 runs. Seed 61.
    [TestCase(0)]
    [TestCase(.04)]
    [TestCase(.4)]
    [TestCase(.8)]
    public void Beta_laws_have_the_correlation_inside_runs_that_they_are_named_for(double rho)
    {
        var law = RunLaw.Correlated(rho);
        var variance = Math.Pow(Deviation(Shares(law, .7, Runs)), 2);
        Assert.That(variance * Sequences / (.7 * .3), Is.EqualTo(1 + (Sequences - 1) * rho).Within(5).Percent);
        Assert.That(law.IsModelled, Is.EqualTo(rho <= RunLikelihood.LargestCorrelation));
    }

    // 400 simulations of 100 runs; the correlation of neighbours within five standard errors. Seed 61.
    [TestCase(.5)]
    [TestCase(.8)]
    public void Neighbouring_runs_are_as_alike_as_they_are_named_for(double correlation)
    {
        var shares = Shares(RunLaw.AutoregressiveBetween(correlation), .75, 100).Select(share => share - .75).ToArray();
        var product = shares.Chunk(100).Average(run => run.Zip(run.Skip(1), (x, y) => x * y).Average());
        Assert.That(product / (.05 * .05), Is.EqualTo(correlation).Within(.05));
    }

    // Five standard errors of a share of 40 000. Seed 61.
    [Test]
    public void Rare_runs_are_as_rare_and_as_bad_as_they_are_named_for()
    {
        var law = RunLaw.RareRuns(.15, .2);
        var shares = Shares(law, .75, Runs);
        Assert.That(
            shares.Count(share => share < .5) / (double)Runs,
            Is.EqualTo(.15).Within(5 * Math.Sqrt(.15 * .85 / Runs))
        );
        Assert.That(
            (shares.Where(share => share < .5).Average(), shares.Where(share => share > .5).Average()),
            Is.EqualTo((.2, .72 / .85)).Within(.01)
        );
        Assert.That(law.CanHave(.9), Is.False, "the others would have to be better than 1");
        Assert.That(law.RareShare, Is.EqualTo(.15));
    }

    // The logarithm of the misses has the deviation of its name where hardly one is cut off: within 3 % (five standard
    // errors are 1.8 %, counting adds less than 1 %). Seed 61.
    [Test]
    public void Log_normal_misses_are_log_normal()
    {
        var random = RandomStream.For(61);
        var runs = new RunCount[Runs];
        RunLaw.LogNormalMisses(.8).Runs(.9, 100_000)(runs, ref random);
        Assert.That(
            Deviation([
                .. runs.Where(run => run.Successes is > 0)
                    .Select(run => Math.Log(1 - (double)run.Successes / run.Samples)),
            ]),
            Is.EqualTo(.8).Within(.024)
        );
    }

    // Every number of successes within five standard errors of its probability, for small, middle and large ones. 200
    // 000 draws. Seed 62.
    [TestCase(10, .3)]
    [TestCase(60, .95)]
    [TestCase(637, .85)]
    [TestCase(3, .001)]
    public void Binomial_numbers_have_their_probabilities(int trials, double probability)
    {
        const int Draws = 200_000;
        var random = RandomStream.For(62);
        var counts = new int[trials + 1];
        for (var i = 0; i < Draws; i++)
            counts[BinomialDraw.Next(trials, probability, ref random)]++;
        for (var k = 0; k <= trials; k++)
        {
            var expected = Binomial.PMF(probability, trials, k);
            Assert.That(
                counts[k] / (double)Draws,
                Is.EqualTo(expected).Within(5 * Math.Sqrt(expected / Draws) + 10.0 / Draws),
                $"{k} of {trials}"
            );
        }
    }

    [Test]
    public void The_same_stream_gives_the_same_runs()
    {
        var fill = RunLaw.RareRuns(.15, .2).Runs(.75, 100);
        var (first, second) = (new RunCount[5], new RunCount[5]);
        var (random, again) = (RandomStream.For(63), RandomStream.For(63));
        fill(first, ref random);
        fill(second, ref again);
        Assert.That(second, Is.EqualTo(first));
    }

    private static double[] Shares(RunLaw law, double mean, int runsEach)
    {
        var random = RandomStream.For(61);
        var fill = law.Runs(mean, Sequences);
        var runs = new RunCount[Runs];
        for (var from = 0; from < Runs; from += runsEach)
            fill(runs.AsSpan(from, runsEach), ref random);
        return Array.ConvertAll(runs, run => (double)run.Successes / run.Samples);
    }

    private static double Deviation(double[] values)
    {
        var mean = values.Average();
        return Math.Sqrt(values.Sum(value => (value - mean) * (value - mean)) / (values.Length - 1));
    }
}
