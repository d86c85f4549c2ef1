using MqttCheck.App.Bench;
using MqttCheck.Cli.Bench;

namespace MqttCheck.Cli.Tests.Bench;

[TestFixture]
internal sealed class BenchKneeTests
{
    private static TestCaseData[] Sweeps =>
        [
            Sweep(
                "The last sustained rate is the knee",
                4000,
                true,
                [Run(1000, 1000, 1), Run(2000, 1995, 3), Run(4000, 3990, 9.9), Run(8000, 7990, 11)]
            ),
            Sweep(
                "A rate that is not reached is beyond it",
                1000,
                true,
                [Run(1000, 1000, 1), Run(2000, 1979, 1), Run(4000, 4000, 1)]
            ),
            Sweep("All are sustained: it lies above", 2000, false, [Run(1000, 1000, 1), Run(2000, 2000, 1)]),
            Sweep("None is sustained: there is none", null, true, [Run(1000, 500, 1), Run(2000, 600, 1)]),
            Sweep(
                "An invalid run does not decide",
                4000,
                true,
                [
                    Run(1000, 1000, 1),
                    Run(2000, 1500, 50) with
                    {
                        IsValid = false,
                    },
                    Run(4000, 4000, 2),
                    Run(8000, 5000, 90),
                ]
            ),
            Sweep(
                "The lowest valid run is what others are compared with",
                2000,
                true,
                [Run(1000, 1000, 80) with { IsValid = false }, Run(2000, 2000, 1), Run(4000, 4000, 50)]
            ),
            Sweep("All are invalid: it is not known", null, false, [Run(1000, 1000, 1) with { IsValid = false }]),
            Sweep(
                "Each message of a fan-out counts for its receivers",
                10,
                true,
                [Run(10, 100, 1) with { Receivers = 10 }, Run(20, 100, 1) with { Receivers = 10 }]
            ),
        ];

    [TestCaseSource(nameof(Sweeps))]
    public void The_knee_is_the_last_rate_that_is_sustained(double? knee, bool isBracketed, BenchRun[] runs) =>
        Assert.That(BenchKnee.Find(runs), Is.EqualTo((knee, isBracketed)));

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

    private static TestCaseData Sweep(string name, double? knee, bool isBracketed, BenchRun[] runs) =>
        new TestCaseData(knee, isBracketed, runs).SetArgDisplayNames(name);

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
