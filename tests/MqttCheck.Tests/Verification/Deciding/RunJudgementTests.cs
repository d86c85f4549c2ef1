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
    public void The_worst_run_speaks_for_each_finding() =>
        Assert.That(
            RunJudgement.Findings([RecordedRun.Sound, RecordedRun.Late(2), RecordedRun.Late(3)]),
            Is.EqualTo(
                new[]
                {
                    "2 of 3 runs are invalid: The generator sent up to 3 ms late (99 % of requests), "
                        + "more than 10 % of the latency it reports (10 ms, 99 %).",
                }
            )
        );

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
        using var _ = Assert.EnterMultipleScope();
        Assert.That(
            text,
            Is.EqualTo("warm-up: stationary from the beginning in 1 of 4 runs, after 1.3 .. 2.5 s in 2, never in 1")
        );
        Assert.That(RunJudgement.WarmUp([]), Is.Null);
    }

    private static IEnumerable<RecordedRun> Runs(int all, int invalid, int unsettled) =>
        Enumerable
            .Range(0, all)
            .Select(run =>
                run < invalid ? RecordedRun.Late(2)
                : run >= all - unsettled ? RecordedRun.Unsettled
                : RecordedRun.Sound
            );
}
