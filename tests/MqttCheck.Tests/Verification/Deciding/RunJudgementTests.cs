using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Verification.Deciding;

[TestFixture]
internal sealed class RunJudgementTests
{
    [Test]
    public void A_late_run_does_not_count_and_one_that_never_settled_does()
    {
        RunUse[] uses =
        [
            RunJudgement.UseOf(RecordedRun.Sound),
            RunJudgement.UseOf(RecordedRun.Unsettled),
            RunJudgement.UseOf(RecordedRun.Late(2)),
            RunJudgement.UseOf(RecordedRun.Late(2) with { SettledAfter = double.NaN }),
        ];
        Assert.That(uses, Is.EqualTo(new[] { RunUse.Sound, RunUse.Unsettled, RunUse.Invalid, RunUse.Invalid }));
        Assert.That(uses.Select(use => use.Counts()), Is.EqualTo(new[] { true, true, false, false }));
    }

    [TestCase(0, 3, false)]
    [TestCase(1, 3, false)]
    [TestCase(2, 4, true)]
    [TestCase(1, 1, true)]
    [TestCase(0, 0, false)]
    public void Half_of_the_runs_invalid_is_too_many(int invalid, int all, bool expected) =>
        Assert.That(RunJudgement.AreInvalid(Runs(all, invalid, 0)), Is.EqualTo(expected));

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
        var why = RunJudgement.WhyInvalid(Runs(all, invalid, unsettled));
        Assert.That(why, expected is null ? Is.Null : Does.StartWith(expected!));
    }

    [Test]
    public void Warm_ups_are_told_together()
    {
        var text = RunJudgement.WarmUp([
            RecordedRun.Sound,
            RecordedRun.Sound with
            {
                SettledAfter = 1.26,
            },
            RecordedRun.Sound with
            {
                SettledAfter = 2.5,
            },
            RecordedRun.Unsettled,
        ]);
        Assert.That(
            text,
            Is.EqualTo("warm-up: stationary from the beginning in 1 of 4 runs, after 1.3 .. 2.5 s in 2, never in 1")
        );
        Assert.That(RunJudgement.WarmUp([]), Is.Null);
    }

    // Whatever the order of the runs, and whatever else they say of themselves.
    [TestCaseSource(nameof(Remarks))]
    public void The_worst_run_speaks_for_a_remark(RunHealth slight, RunHealth bad)
    {
        var expected = bad.Findings.Single().Text;
        RunHealth[][] orders =
        [
            [slight, bad],
            [bad, slight],
        ];
        foreach (var order in orders)
            Assert.That(
                RunJudgement.Findings(order.Select(health => new MadeRun(health))),
                Is.EqualTo(new[] { $"2 of 2 runs {(bad.IsValid ? "have a remark" : "are invalid")}: {expected}" })
            );
    }

    private static IEnumerable<TestCaseData> Remarks()
    {
        var sound = RecordedRun.Sound.Health;
        var late = sound with { LagP99Microseconds = 3000, LatencyP99Milliseconds = 20 };
        var unsure = sound with { ClockBoundMilliseconds = 2, LatencyMedianMilliseconds = 5 };
        return
        [
            new(late, sound with { LagP99Microseconds = 2000 }),
            new(sound with { GeneratorCpuShare = .85 }, sound with { GeneratorCpuShare = .95 }),
            new(unsure, unsure with { ClockBoundMilliseconds = 3 }),
            new(sound with { StolenShare = .03 }, sound with { StolenShare = .2 }),
            new(sound with { DelayedAcknowledgementShare = .002 }, sound with { DelayedAcknowledgementShare = .1 }),
            new(sound with { HeldAnswerShare = .2 }, sound with { HeldAnswerShare = .9 }),
            new(sound with { PendingBytesMaximum = 10 }, sound with { PendingBytesMaximum = 1000 }),
        ];
    }

    [Test]
    public void What_invalidates_comes_first_and_one_run_has_a_remark()
    {
        var stolen = RecordedRun.Sound.Health with { StolenShare = .03 };
        var findings = RunJudgement.Findings([new MadeRun(stolen), RecordedRun.Late(2), RecordedRun.Unsettled]);
        Assert.That(findings, Has.Count.EqualTo(3));
        Assert.That(findings[0], Does.StartWith("1 of 3 runs are invalid: The generator sent up to 2 ms late"));
        Assert.That(findings[1], Does.StartWith("1 of 3 runs has a remark: The host of this virtual machine gave 3"));
        Assert.That(
            findings[2],
            Is.EqualTo(
                "1 of 3 runs never became stationary: their latencies went on changing through more than half "
                    + "of the run."
            )
        );
    }

    [Test]
    public void Runs_too_short_to_tell_have_no_warm_up_and_are_no_part_of_it()
    {
        var unknown = new MadeRun(RecordedRun.Sound.Health) { WarmUp = WarmUp.Unknown };
        Assert.That(RunJudgement.WarmUp([unknown]), Is.Null);
        Assert.That(
            (RunJudgement.WarmUp([unknown, RecordedRun.Sound]), RunJudgement.UseOf(unknown)),
            Is.EqualTo(("warm-up: stationary from the beginning in 1 of 1 runs", RunUse.Sound))
        );
    }

    private sealed record MadeRun(RunHealth Health) : IMadeRun
    {
        public IReadOnlyList<Outcome> Outcomes => [];

        public WarmUp WarmUp { get; init; } = new(StationarityState.Reached, 0);
    }

    private static IEnumerable<RecordedRun> Runs(int all, int invalid, int unsettled) =>
        Enumerable
            .Range(0, all)
            .Select(run =>
                run < invalid ? RecordedRun.Late(2)
                : run >= all - unsettled ? RecordedRun.Unsettled
                : RecordedRun.Sound
            );

    // The first run has a remark that invalidates nothing; of the late ones the later one is the worst.
    [Test]
    public void The_worst_invalid_run_says_why_nothing_must_be_concluded()
    {
        var stolen = RecordedRun.Sound.Health with { StolenShare = .03 };
        Assert.That(
            RunJudgement.WhyInvalid([
                new MadeRun(stolen),
                RecordedRun.Late(2),
                RecordedRun.Late(3),
                RecordedRun.Late(2.5),
            ]),
            Does.StartWith("3 of 4 runs are invalid: The generator sent up to 3 ms late")
        );
    }

    // A test may refuse runs for a reason of its own, which their health does not name.
    [Test]
    public void Runs_refused_for_another_reason_are_told_without_one()
    {
        var sound = RecordedRun.Sound;
        Assert.That(
            RunJudgement.WhyInvalid([new JudgedRun(sound.Health, sound.WarmUp, RunUse.Invalid)]),
            Is.EqualTo("1 of 1 runs are invalid.")
        );
    }

    // Runs of a log from elsewhere were not judged: they neither count nor invalidate.
    [Test]
    public void Runs_of_a_log_that_were_not_judged_say_nothing()
    {
        RunCase[] cases = [Case(null), Case(null), Case(RecordedRun.Late(2)), Case(RecordedRun.Unsettled)];
        Assert.That(RunJudgement.WhyInvalid(cases), Does.StartWith("1 of 2 runs are invalid: The generator sent"));
        Assert.That(RunJudgement.WhyInvalid(cases[..2]), Is.Null);
        Assert.That(RunJudgement.WhyInvalid([.. cases, Case(RecordedRun.Sound)]), Is.Null, "one of three");
        var findings = RunJudgement.Findings(
            new RunInformation
            {
                ToolVersion = "1",
                Seed = 1,
                Started = DateTimeOffset.UnixEpoch,
                Broker = LoggedBroker.Unknown,
                Machine = MachineInformation.Unknown,
                Cases = cases,
            }
        );
        Assert.That(findings, Has.Count.EqualTo(2));
        Assert.That(findings[0], Does.StartWith("1 of 2 runs are invalid: "));
        Assert.That(findings[1], Does.StartWith("1 of 2 runs never became stationary: "));

        static RunCase Case(RecordedRun? run) =>
            new()
            {
                Run = 1,
                Purpose = RunPurpose.Explore,
                Clients = 1,
                Health = run?.Health,
                WarmUp = run?.WarmUp ?? WarmUp.Unknown,
            };
    }
}
