using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics.Laws;
using MqttCheck.Tests.Simulation;

namespace MqttCheck.Tests.Properties;

/// <summary>
/// Latencies are log-normal with sigma .5 and medians of 1 ms and 1.1 ms: P(ten messages below 2 ms) is .421217 and
/// .297250. Every interval is at 99 %, with a fixed seed.
/// </summary>
[TestFixture]
internal sealed class PropertyComparisonTests
{
    private static readonly LatencyModel s_fast = new LawLatencyModel(new LogNormalLaw(1, .5));
    private static readonly LatencyModel s_slow = new LawLatencyModel(new LogNormalLaw(1.1, .5));
    private static readonly Population s_up1 = Population.Of(TestProfiles.Up1);

    // Phi(ln(2) / .5)^10 - Phi(ln(2 / 1.1) / .5)^10.
    private static readonly double s_truth =
        Math.Pow(MathNet.Numerics.Distributions.Normal.CDF(0, 1, Math.Log(2) / .5), 10)
        - Math.Pow(MathNet.Numerics.Distributions.Normal.CDF(0, 1, Math.Log(2 / 1.1) / .5), 10);

    private static PairedAnswer Compare(
        string property,
        LatencyModel first,
        LatencyModel second,
        ulong seed = 3,
        int replications = 1060
    ) =>
        PropertyComparison.Compare(
            TraceProperty.Parse(property),
            first,
            second,
            s_up1,
            5,
            new() { Seed = seed, Replications = replications }
        );

    // Phi(ln(2 / 1.1) / .5)^10.
    [Test]
    public void The_interval_covers_the_known_difference_and_common_numbers_narrow_it()
    {
        var pair = Compare("P>=0.5[ G<=10msg latency < 2ms ]", s_fast, s_slow);
        Assert.That(pair.Interval!.Contains(s_truth), Is.True, $"{pair.Interval}");
        Assert.That(pair.IsFirstBetter, Is.True);
        // The same normal draws make both models late together: the correlation of two indicators with shares of .42
        // and .30, one inside of the other, is sqrt(.297 * .579 / (.421 * .703)) = .76.
        Assert.That(pair.Narrowing, Is.LessThan(.6));
        Assert.That(
            Compare("P<=0.5[ G<=10msg latency < 2ms ]", s_fast, s_slow).IsFirstBetter,
            Is.False,
            "where less is asked for, less is better"
        );
        Assert.That(
            Compare("P[ G<=10msg latency < 2ms ]", s_fast, s_slow).IsFirstBetter,
            Is.Null,
            "nobody said which is better"
        );
    }

    // exp(.125) (1 - 1.1) = -.1133148.
    [Test]
    public void Expectations_are_compared_too()
    {
        var pair = Compare("E[ mean latency ]", s_fast, s_slow);
        Assert.That(pair.Interval!.Contains(-.1133148), Is.True, $"{pair.Interval}");
        Assert.That(pair.IsFirstBetter, Is.True, "shorter is better");
        Assert.That(pair.Narrowing, Is.LessThan(.2), "the second is 1.1 times the first, draw by draw");
        Assert.That(Compare("Q0.95[ max latency ] < 2ms", s_fast, s_slow).IsFirstBetter, Is.True);
    }

    [Test]
    public void A_model_does_not_differ_from_itself()
    {
        var pair = Compare("P>=0.5[ G<=10msg latency < 2ms ]", s_fast, s_fast);
        Assert.That(
            (pair.Difference, pair.IsFirstBetter, pair.Narrowing),
            Is.EqualTo(((double?)0, (bool?)null, (double?)0))
        );
    }

    [Test]
    public void A_difference_names_the_groups_that_it_is_about()
    {
        var pair = PropertyComparison.Compare(
            TraceProperty.Parse("P>=0.9[ G latency(subscribe) < 1h ]"),
            s_fast,
            s_slow,
            TwoGroups.Population,
            10,
            new() { Replications = 4 }
        );
        Assert.That(
            pair.Judged.InWords,
            Is.EqualTo("judged on 8 of 80 traces (10.0%; sensors none of 72, dashboards all 8)"),
            "4 replications of each model"
        );
    }

    // 300 comparisons of 60 pairs at 90 %: at most 30 miss on average, 46 or more with a probability of .002; the
    // bounds are conservative. Seeds 1 .. 300.
    [Test]
    [Category("Whole")]
    public void Intervals_of_differences_keep_their_promise()
    {
        var missed = Enumerable
            .Range(1, 300)
            .Count(seed =>
                !PropertyComparison
                    .Compare(
                        TraceProperty.Parse("P[ G<=10msg latency < 2ms ]"),
                        s_fast,
                        s_slow,
                        s_up1,
                        3,
                        new()
                        {
                            Seed = (ulong)seed,
                            Replications = 60,
                            Error = .1,
                        }
                    )
                    .Interval!.Contains(s_truth)
            );
        Assert.That(missed, Is.LessThan(46));
    }

    [TestCase("Q0.95[ max latency ]")]
    [TestCase("D[ max latency ]")]
    [TestCase("P[ G acknowledgement < 2ms ]")]
    [TestCase("P[ latency(publish) < 2ms ]")]
    public void What_has_no_paired_difference_is_refused(string property) =>
        Assert.That(
            () => Compare(property, s_fast, s_slow, replications: 5),
            Throws.TypeOf<InputException>().With.Message.Contains("allowed")
        );
}
