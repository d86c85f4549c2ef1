using MqttCheck.App.Bench;
using MqttCheck.Cli.Bench;

namespace MqttCheck.Cli.Tests.Bench;

[TestFixture]
internal sealed class BenchKneeTests
{
    [Test]
    public void The_last_sustained_rate_is_the_knee() =>
        Assert.That(
            BenchKnee.Find([Run(1000, 1000, 1), Run(2000, 1995, 3), Run(4000, 3990, 9.9), Run(8000, 7990, 11)]),
            Is.EqualTo((4000.0, true))
        );

    [Test]
    public void A_rate_that_is_not_reached_is_beyond_it() =>
        Assert.That(
            BenchKnee.Find([Run(1000, 1000, 1), Run(2000, 1979, 1), Run(4000, 4000, 1)]),
            Is.EqualTo((1000.0, true))
        );

    [Test]
    public void When_all_are_sustained_it_lies_above() =>
        Assert.That(BenchKnee.Find([Run(1000, 1000, 1), Run(2000, 2000, 1)]), Is.EqualTo((2000.0, false)));

    [Test]
    public void When_none_is_sustained_there_is_none() =>
        Assert.That(BenchKnee.Find([Run(1000, 500, 1), Run(2000, 600, 1)]), Is.EqualTo(((double?)null, true)));

    [Test]
    public void An_invalid_run_does_not_decide() =>
        Assert.That(
            BenchKnee.Find([
                Run(1000, 1000, 1),
                Run(2000, 1500, 50) with
                {
                    IsValid = false,
                },
                Run(4000, 4000, 2),
                Run(8000, 5000, 90),
            ]),
            Is.EqualTo((4000.0, true))
        );

    [Test]
    public void The_lowest_valid_run_is_what_others_are_compared_with() =>
        Assert.That(
            BenchKnee.Find([Run(1000, 1000, 80) with { IsValid = false }, Run(2000, 2000, 1), Run(4000, 4000, 50)]),
            Is.EqualTo((2000.0, true))
        );

    [Test]
    public void When_all_are_invalid_it_is_not_known() =>
        Assert.That(BenchKnee.Find([Run(1000, 1000, 1) with { IsValid = false }]), Is.EqualTo(((double?)null, false)));

    [Test]
    public void The_words_say_what_was_left_out()
    {
        BenchRun[] runs = [Run(1000, 1000, 1), Run(2000, 1500, 50) with { IsValid = false, Findings = ["late"] }];
        var (knee, isBracketed) = BenchKnee.Find(runs);
        var document = new BenchDocument
        {
            ToolVersion = "1",
            Generated = DateTimeOffset.UnixEpoch,
            Seed = 1,
            Repeat = "",
            Runs = runs,
            IsSweep = true,
            Knee = knee,
            IsKneeBracketed = isBracketed,
        };
        Assert.That(
            BenchText.Knee(document),
            Does.StartWith("knee: above 1,000 messages/s").And.EndsWith("1 of 2 runs were invalid and are left out")
        );
        Assert.That(BenchText.Remark(runs[1], document), Is.EqualTo("invalid: generator late"));
    }

    [Test]
    public void Each_message_of_a_fan_out_counts_for_its_receivers() =>
        Assert.That(
            BenchKnee.Find([Run(10, 100, 1) with { Receivers = 10 }, Run(20, 100, 1) with { Receivers = 10 }]),
            Is.EqualTo((10.0, true))
        );

    private static BenchRun Run(double offered, double delivered, double p99) =>
        new()
        {
            Broker = "b",
            Workload = "w",
            Loop = "open",
            IsOpenLoop = true,
            OfferedPerSecond = offered,
            OutPerSecond = delivered,
            Latency = new(100, 1, .5, .8, p99, p99, p99),
            GeneratorCpuShare = .5,
        };
}
