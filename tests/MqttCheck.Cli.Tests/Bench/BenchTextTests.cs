using MqttCheck.Cli.Bench;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Tests.Bench;

[TestFixture]
internal sealed class BenchTextTests
{
    [Test]
    public void The_bars_of_the_histogram_are_all_of_the_messages()
    {
        var counts = new DurationCounts();
        for (var index = 0; index < 1000; index++)
            counts.Add(200_000 + index * 1_000);
        var lines = BenchText.Histogram(counts);
        var shares = lines
            .Skip(1)
            .Select(line =>
                double.Parse(line[(line.LastIndexOf(' ') + 1)..^1], System.Globalization.CultureInfo.InvariantCulture)
            );
        Assert.That(shares.Sum(), Is.EqualTo(100).Within(.1));
        Assert.That(lines, Has.Count.LessThan(27));
    }

    [Test]
    public void Durations_from_nanoseconds_to_an_hour_still_make_a_short_histogram()
    {
        var counts = new DurationCounts();
        counts.Add(5);
        counts.Add(DurationCounts.LongestNanoseconds);
        Assert.That(BenchText.Histogram(counts), Has.Count.LessThan(36));
    }

    [Test]
    public void Nothing_makes_no_histogram() => Assert.That(BenchText.Histogram(new DurationCounts()), Is.Empty);
}
