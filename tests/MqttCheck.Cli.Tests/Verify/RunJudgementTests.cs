using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Cli.Calibrate;
using MqttCheck.Cli.Verify;
using MqttCheck.Comparison;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Tests.Verify;

public sealed class RunJudgementTests
{
    [TestCase(0, 3, false)]
    [TestCase(1, 3, false)]
    [TestCase(2, 4, true)]
    [TestCase(1, 1, true)]
    [TestCase(0, 0, false)]
    public void Half_of_the_runs_invalid_is_too_many(int invalid, int all, bool expected) =>
        Assert.That(
            RunJudgement.AreInvalid([.. Enumerable.Range(0, all).Select(run => Run(run < invalid ? 2000 : 10))]),
            Is.EqualTo(expected)
        );

    // Invalid runs and runs that never became stationary count together; a single one of the latter may be chance.
    [TestCase(0, 1, 2, null)]
    [TestCase(0, 2, 3, "2 of 3 runs never became stationary")]
    [TestCase(0, 2, 5, null)]
    [TestCase(0, 3, 5, "3 of 5 runs never became stationary")]
    [TestCase(1, 2, 5, "1 of 5 runs are invalid")]
    [TestCase(1, 1, 4, null)]
    public void Runs_that_never_became_stationary_count_like_invalid_ones(
        int invalid,
        int unsettled,
        int all,
        string? expected
    )
    {
        var why = RunJudgement.WhyInvalid([
            .. Enumerable
                .Range(0, all)
                .Select(run => Run(run < invalid ? 2000 : 10, run >= all - unsettled ? double.NaN : 0)),
        ]);
        Assert.That(why, expected is null ? Is.Null : Does.StartWith(expected!));
    }

    [TestCase(1, 3, false, ExitCode.Success)]
    [TestCase(2, 3, false, ExitCode.Withheld)]
    [TestCase(2, 3, true, ExitCode.Interrupted)]
    public void Calibration_with_invalid_runs_is_no_success(int invalid, int all, bool interrupted, int expected) =>
        Assert.That(
            CalibrateStage.ExitCodeOf(
                [.. Enumerable.Range(0, all).Select(run => Run(run < invalid ? 2000 : 10))],
                interrupted
            ),
            Is.EqualTo(expected)
        );

    [Test]
    public void The_worst_run_speaks_for_each_finding()
    {
        var findings = RunJudgement.Findings([Run(10), Run(2000), Run(3000)]);
        Assert.That(
            findings,
            Is.EqualTo(
                new[]
                {
                    "2 of 3 runs are invalid: The generator sent up to 3 ms late (99 % of requests), more than 10 % of the latency it reports (10 ms, 99 %).",
                }
            )
        );
    }

    [Test]
    public void Warm_ups_are_told_together()
    {
        var text = RunJudgement.WarmUp([Run(0, 0), Run(0, 1.26), Run(0, 2.5), Run(0, double.NaN)]);
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            text,
            Is.EqualTo("warm-up: stationary from the beginning in 1 of 4 runs, after 1.3 .. 2.5 s in 2, never in 1")
        );
        Assert.That(RunJudgement.WarmUp([]), Is.Null);
    }

    [TestCase(1, TwoSampleVerdict.FirstFaster)]
    [TestCase(2, TwoSampleVerdict.Withheld)]
    public void Comparison_gives_no_verdict_where_half_of_the_runs_of_one_broker_are_invalid(
        int invalid,
        TwoSampleVerdict expected
    )
    {
        var setup = new ComparedSetup(ProfileFile.Read("up1"), 50, 1, [10]);
        var other = setup with { Clients = 100 };
        var test = new TwoSampleResult
        {
            Options = new(),
            Verdict = TwoSampleVerdict.FirstFaster,
            First = [],
            Second = [],
            IsPaired = true,
            Difference = .2,
            StandardError = .01,
            Interval = new(.1, .3),
            VerdictInterval = new(.1, .3),
            Reason = "The first is faster.",
        };
        var cases = new[] { Case(setup), Case(setup), Case(setup), Case(setup), Case(other) };
        var result = new ComparisonResult(
            [new(setup, 10, 0, 1, test), new(other, 10, 0, 1, test), new(setup, 10, null, 0, test)],
            [cases, cases],
            [
                [Run(0), Run(0), Run(0), Run(0), Run(0)],
                [.. Enumerable.Range(0, 4).Select(run => Run(run < invalid ? 2000 : 0)), Run(0)],
            ],
            Interrupted: false
        );
        var judged = RunJudgement.Judge(result).Points;
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            judged.Select(point => point.Result.Verdict),
            Is.EqualTo(new[] { expected, TwoSampleVerdict.FirstFaster, TwoSampleVerdict.FirstFaster })
        );
        if (expected == TwoSampleVerdict.Withheld)
            Assert.That(
                judged[0].Result.Reason,
                Does.StartWith("2 of 4 runs are invalid").And.EndWith("Otherwise it would be: The first is faster.")
            );
    }

    private static RunCase Case(ComparedSetup setup) =>
        new()
        {
            Run = 0,
            Purpose = RunPurpose.Verify,
            Clients = setup.Clients,
            Population = setup.Population,
        };

    private static FleetRunResult Run(double lagMicroseconds, double since = 0) =>
        new()
        {
            Run = 0,
            Outcomes = [],
            ExchangesByOutcome = new long[6],
            Publications = 0,
            Deliveries = 0,
            Lost = 0,
            Duplicates = 0,
            Redeliveries = 0,
            Strays = 0,
            Health = new()
            {
                Loop = LoadLoop.Closed,
                LatencyP99Milliseconds = 10,
                LagP99Microseconds = lagMicroseconds,
            },
            WarmUp = new(double.IsNaN(since) ? StationarityState.Never : StationarityState.Reached, since),
            StartNanoseconds = 0,
            Duration = TimeSpan.Zero,
            Interrupted = false,
            SessionsLeft = 0,
            FirstFailures = [],
        };
}
