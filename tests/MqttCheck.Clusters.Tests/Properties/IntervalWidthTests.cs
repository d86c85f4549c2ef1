using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Clusters.Tests.Properties;

/// <summary>Makes the table of docs/evidence/cluster-intervals.md again.</summary>
[TestFixture]
internal sealed class IntervalWidthTests
{
    private const int Experiments = 101;

    // Seed 51. The error is .05, as in live runs of one property.
    [TestCase("`lost`, Poisson, 5 in the mean", 2000)]
    [TestCase("`lost`, 50 in a fifth of the runs", 2000)]
    [TestCase("`reordered`, always 0", 2000)]
    [TestCase("`lost per publication`, .02 +- .01", 1)]
    [TestCase("`repair`, 5 s +- 1 s, in s", 40)]
    [TestCase("`caught up`, uniform in 0 to 20 s, in s", 20)]
    public void The_page_has_the_medians_of_both_ends(string quantity, double largest)
    {
        int[] counts = [5, 20, 100, 1000];
        var row =
            Invariant($"| {quantity} | {largest} | ")
            + string.Join(" | ", counts.Select(runs => Median(quantity, largest, runs)))
            + " |";
        TestContext.Out.WriteLine(row);
        Assert.That(File.ReadAllText(RepositoryFiles.At("docs/evidence/cluster-intervals.md")), Does.Contain(row));
    }

    private static string Median(string quantity, double largest, int runs)
    {
        var intervals = new Interval[Experiments];
        for (var experiment = 0; experiment < Experiments; experiment++)
        {
            var random = RandomStream.For(51, (ulong)experiment);
            var values = new double[runs];
            for (var run = 0; run < runs; run++)
                values[run] = Math.Clamp(Draw(quantity, ref random) / largest, 0, 1);
            intervals[experiment] = BoundedMean.Interval(values, .05);
        }
        double Middle(Func<Interval, double> end) => largest * intervals.Select(end).Order().ElementAt(Experiments / 2);
        return Invariant($"{Rounded(Middle(one => one.Lower))} to {Rounded(Middle(one => one.Upper))}");
    }

    private static string Rounded(double value) =>
        value >= 100 ? Invariant($"{value:0}")
        : value >= 10 ? Invariant($"{value:0.0}")
        : Invariant($"{value:0.###}");

    private static double Draw(string quantity, ref RandomStream random) =>
        quantity.Split(',')[0..2] switch
        {
            ["`lost`", " Poisson"] => Poisson(5, ref random),
            ["`lost`", _] => random.NextDouble() < .2 ? 50 : 0,
            ["`reordered`", _] => 0,
            ["`repair`", _] => 5 + NormalQuantile.At(random.NextOpenDouble()),
            ["`caught up`", _] => 20 * random.NextDouble(),
            _ => .02 + .01 * NormalQuantile.At(random.NextOpenDouble()),
        };

    private static int Poisson(double mean, ref RandomStream random)
    {
        var (count, product) = (0, random.NextOpenDouble());
        for (; product > Math.Exp(-mean); count++)
            product *= random.NextOpenDouble();
        return count;
    }
}
