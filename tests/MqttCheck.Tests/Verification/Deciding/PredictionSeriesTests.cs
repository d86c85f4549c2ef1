using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Tests.Verification.Deciding;

[TestFixture]
internal sealed class PredictionSeriesTests
{
    private static readonly VerificationOptions s_three = new() { MinimumRuns = 3, PlannedRuns = 3 };
    private static readonly TimeSpan s_budget = TimeSpan.FromSeconds(10);

    [Test]
    public void Each_run_serves_every_point_and_the_listener_is_told()
    {
        var told = new List<(bool, double)>();
        var series = new PredictionSeries<RecordedRun>(
            [SimulatedBroker.Predicted(.85), SimulatedBroker.Predicted(.3)],
            s_three,
            turn => Run(turn.Number)
        )
        {
            Added = (counts, share) => told.Add((counts, share)),
        };
        Assert.That((series.LeastRuns, series.MostInvalidRuns, series.ExpectedRuns), Is.EqualTo((3, 3, 3)));
        var tally = new RunTally<RecordedRun>();
        for (var run = 0; run < 3; run++)
        {
            Assert.That(series.IsDecided, Is.False);
            var round = series.Make(new(run, run, run, 0, 0));
            series.Add(tally.Add(round, RunJudgement.UseOf, TimeSpan.FromSeconds(1))!, (run + 1) / 4.0);
        }
        series.Add([new(RecordedRun.Late(2), false)], 1);
        using var _ = Assert.EnterMultipleScope();
        Assert.That(series.IsDecided, Is.True);
        Assert.That(
            series.Latest.Select(verdict => (verdict.Kind, verdict.Samples)),
            Is.EqualTo(new[] { (VerdictKind.Confirmed, 6000L), (VerdictKind.Better, 6000L) })
        );
        Assert.That(told, Is.EqualTo(new[] { (true, .25), (true, .5), (true, .75), (false, 1.0) }));
        Assert.That(
            series.Conclude(tally, interrupted: false, s_budget).Select(verdict => verdict.Kind),
            Is.EqualTo(new[] { VerdictKind.Confirmed, VerdictKind.Better })
        );
    }

    [Test]
    public void Runs_that_nothing_must_be_concluded_from_withhold_the_verdict_and_say_what_it_would_be()
    {
        var verdict = Concluded(s_three, 3, run => Run(run) with { SettledAfter = double.NaN });
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld));
        Assert.That(
            verdict.Reason,
            Does.StartWith("3 of 3 runs never became stationary: ")
                .And.Contain(". Otherwise it would be: 5100 of 6000 sequences in time")
        );
    }

    // Eight good runs of the statistician's law, and five bad ones that were judged invalid.
    [Test]
    public void A_verdict_that_rests_on_which_runs_count_is_withheld_and_says_both_answers()
    {
        var verdict = Concluded(new(), 15, run => run % 3 == 2 ? Run(run, 800) with { LagMilliseconds = 2 } : Run(run));
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Withheld));
        Assert.That(
            verdict.Reason,
            Does.Contain("The runs that count say: confirmed; all runs, with what the others showed, say: withheld.")
        );
        Assert.That(
            verdict.InvalidRuns,
            Does.StartWith("5 of 15 runs do not count: The generator sent up to 2 ms late")
        );
    }

    [Test]
    public void A_decided_verdict_names_the_runs_that_do_not_count()
    {
        var verdict = Concluded(s_three, 4, run => Run(run) with { LagMilliseconds = run == 1 ? 2 : .01 });
        Assert.That(
            (verdict.Kind, verdict.DecidedAfterRuns, verdict.InvalidRuns?[..26]),
            Is.EqualTo((VerdictKind.Confirmed, (int?)3, "1 of 4 runs does not count"))
        );
    }

    // No number of runs confirms a prediction that is too vague.
    [Test]
    public void A_vague_prediction_needs_no_more_runs() =>
        Assert.That(
            new PredictionSeries<RecordedRun>([SimulatedBroker.Predicted(.5, .4)], s_three, _ => Run(0)).IsDecided,
            Is.True
        );

    [Test]
    public void An_interruption_leaves_a_partial_verdict()
    {
        var series = new PredictionSeries<RecordedRun>([SimulatedBroker.Predicted(.85)], s_three, _ => Run(0));
        Assert.That(
            series.Conclude(new RunTally<RecordedRun>(), interrupted: true, s_budget).Single().Kind,
            Is.EqualTo(VerdictKind.Partial)
        );
    }

    // 207 has no common divisor with 2000, so hits are spread evenly over the run.
    private static RecordedRun Run(int number, int hits = 1700) =>
        RecordedRun.Sound with
        {
            Outcomes = [.. Enumerable.Range(0, 2000).Select(i => SimulatedBroker.Of(number, i, i * 207 % 2000 < hits))],
        };

    // .85 is as predicted for the first point and lies near the border of what is worse, .84, for the second.
    [Test]
    public void A_series_goes_on_while_one_of_its_points_is_open()
    {
        var series = new PredictionSeries<RecordedRun>(
            [SimulatedBroker.Predicted(.85), SimulatedBroker.Predicted(.94)],
            s_three,
            turn => Run(turn.Number)
        );
        for (var run = 0; run < 3; run++)
            series.Add([new(Run(run), true)], 0);
        Assert.That(
            series.Latest.Select(verdict => verdict.Kind),
            Is.EqualTo(new[] { VerdictKind.Confirmed, VerdictKind.Withheld })
        );
        Assert.That(series.IsDecided, Is.False);
    }

    [Test]
    public void The_end_of_the_budget_is_told_to_those_that_stay_open() =>
        Assert.That(
            Concluded(s_three, 1, run => Run(run)).Reason,
            Does.EndWith(" The budget of 10 s was used up before that: allow more time.")
        );

    private static Verdict Concluded(VerificationOptions options, int runs, Func<int, RecordedRun> made)
    {
        var series = new PredictionSeries<RecordedRun>(
            [SimulatedBroker.Predicted(.85)],
            options,
            turn => made(turn.Number)
        );
        var tally = new RunTally<RecordedRun>();
        for (var run = 0; run < runs; run++)
            series.Add(tally.Add(series.Make(new(run, run, run, 0, 0)), RunJudgement.UseOf, TimeSpan.Zero)!, 0);
        return series.Conclude(tally, interrupted: false, s_budget).Single();
    }
}
