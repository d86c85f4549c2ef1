using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using static MqttCheck.Tests.Requirements.SimulatedBroker;

namespace MqttCheck.Tests.Verification;

/// <summary>The sentences of a verdict's reason that depend on the prediction's interval and on its sides.</summary>
public sealed class VerdictWordingTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 },
        s_clients = new() { Test = VerdictTest.Clients, MinimumRuns = 3 };

    // Its interval reaches .26 to both sides, more than .25. More time would not make it precise.
    [Test]
    public void A_vague_prediction_is_told_with_its_interval_and_without_the_budget()
    {
        var verdict = After(Predicted(.75, .26), s_five with { IntervalLevel = .95 }, Five(.85))
            .Conclude(budget: TimeSpan.FromSeconds(20));
        Assert.That(
            verdict.Reason,
            Is.EqualTo(
                "4250 of 5000 sequences in time (0.850) in 5 runs: the prediction is too vague to be confirmed; "
                    + "its own 95 % interval is [0.49, 1.01]. Explore longer, or nearer to this number of clients."
            )
        );
        Assert.That(verdict.RunsNeeded, Is.Null);
    }

    // The interval from .705 to .995, and its mirror image, leaves no side but the near one, and counts instead of .1.
    [TestCase(
        .85,
        ": not worse than the predicted 0.850: 0.705 or worse is rejected, no upper side: its own 90 % "
            + "interval [0.705, 0.995] leaves no value beyond it up to 0.99 to reject. The prediction's own 90 % "
            + "interval [0.705, 0.995] is wider than the indifference of 0.1, and counts instead."
    )]
    [TestCase(
        .15,
        ": not worse than the predicted 0.150: no lower side: its own 90 % interval [0.005, 0.295] leaves "
            + "no value beyond it down to 0.01 to reject, 0.295 or better is rejected. The prediction's own 90 % "
            + "interval [0.005, 0.295] is wider than the indifference of 0.1, and counts instead."
    )]
    public void A_side_that_the_interval_leaves_no_room_for_is_told_with_the_interval(double predicted, string said)
    {
        var reason = Reason(Predicted(predicted, .145), s_five with { IntervalLevel = .9 }, Five(predicted));
        Assert.That(reason, Does.Contain(said));
    }

    // 1 is more than .99, and 0 less than .01.
    [TestCase(.9, "no upper side: a prediction of 0.900 leaves no value of p + 0.1 up to 0.99 to reject. The variance")]
    [TestCase(.1, ": no lower side: a prediction of 0.100 leaves no value of p - 0.1 down to 0.01 to reject, 0.200 or")]
    public void A_side_that_the_indifference_leaves_no_room_for_is_told_with_it(double predicted, string said) =>
        Assert.That(Reason(Predicted(predicted), s_five, Five(predicted)), Does.Contain(said));

    [Test]
    public void An_interval_inside_of_the_indifference_is_not_mentioned() =>
        Assert.That(
            Reason(Predicted(.85, .05), s_five, Five(.85)),
            Does.StartWith(
                    "4250 of 5000 sequences in time (0.850) in 5 runs: as predicted, 0.850: 0.750 or worse is "
                        + "rejected, 0.950 or better is rejected. The variance between runs is "
                )
                .And.EndsWith(" with 90 % confidence).")
                .And.Not.Contain("wider than")
        );

    // Only the lower end, .725, is farther from .835 than the indifference; the runs lie near to it.
    [Test]
    public void An_interval_that_is_wide_to_one_side_is_told_where_it_leaves_the_verdict_open()
    {
        var point = new PredictedPoint("up1", 100, SimulatedBroker.ThresholdMilliseconds, .835, new(.725, .86));
        Assert.That(
            Reason(point, s_five, .735, .745, .735, .745, .735),
            Does.Contain(
                " The prediction is too vague to tell: its own interval [0.725, 0.86] reaches beyond the "
                    + "indifference of 0.1. Explore longer, or nearer to this number of clients."
            )
        );
    }

    // One run of twelve stands apart, below or above.
    [TestCase(.85, .51)]
    [TestCase(.15, .49)]
    public void Runs_that_stand_apart_are_told_on_either_side(double predicted, double apart)
    {
        var shares = Enumerable.Range(0, 12).Select(run => run == 5 ? apart : predicted).ToArray();
        Assert.That(
            Reason(
                Predicted(predicted),
                new()
                {
                    MinimumRuns = 12,
                    PlannedRuns = 12,
                    Error = .1,
                },
                shares
            ),
            Does.EndWith(
                " Some runs stand apart from the others: so few runs do not tell how often that happens. "
                    + "More runs help."
            )
        );
    }

    // In R: h <- c(420, 280, 495, 350, 480) / 500; k <- 500 * sum((h - mean(h))^2) / (mean(h) * (1 - mean(h))) / 4;
    // c(k, (k - 1) / 499) is 105.91, .21025.
    [Test]
    public void Runs_that_differ_much_are_told_with_inflation_and_correlation()
    {
        int[] hits = [420, 280, 495, 350, 480];
        var verdict = After(Predicted(.85), s_five, 5, run => Run(run, 500, i => i * 207 % 500 < hits[run])).Conclude();
        Assert.That(
            verdict.Reason,
            Does.Contain(
                " The runs differ 105.9 times more than chance makes them (correlation inside a run 0.21): "
                    + "more runs help, longer ones hardly do."
            )
        );
        Assert.That(verdict.Variation.InflationBound, Is.EqualTo(3.7607 * verdict.Variation.Inflation).Within(.1));
    }

    [TestCase(
        3,
        "0 of 100 clients accept the predicted 1.000, 0 reject it, 100 are undecided; 100% must accept. "
            + "Those take more sequences: allow more time."
    )]
    [TestCase(
        2,
        "0 of 100 clients accept the predicted 1.000, 0 reject it, 100 are undecided; 100% must accept; "
            + "a verdict takes at least 3 runs."
    )]
    public void Clients_that_are_undecided_are_told_with_what_they_need(int runs, string said)
    {
        var verdict = After(Predicted(1), s_clients, runs, run => Run(run, 500, _ => true)).Conclude();
        Assert.That(
            (verdict.Kind, verdict.Reason),
            Is.EqualTo(
                (VerdictKind.Withheld, $"{500 * runs} of {500 * runs} sequences in time (1.000) in {runs} runs: {said}")
            )
        );
    }

    // More time does not settle a broker, whichever test decides.
    [Test]
    public void Clients_are_told_when_the_broker_has_not_settled() =>
        Assert.That(
            After(Predicted(.85), s_clients, 3, run => Run(run, 500, i => i >= 250)).Conclude().Reason,
            Does.Contain(
                    " must accept; but inside the runs the share changes from 0.000 in the first half to 1.000 in "
                )
                .And.Not.Contain("allow more time")
        );

    // One of ten is more than a tenth of nine, in whole sequences.
    [TestCase(VerdictTest.Clients)]
    [TestCase(VerdictTest.TwoSided)]
    public void A_sequence_that_did_not_count_is_told_with_every_test(VerdictTest kind)
    {
        var test = new PredictionTest(Predicted(.85), s_five with { Test = kind });
        Assert.That(
            test.AddRun([
                .. Enumerable.Range(0, 9).Select(i => Of(1, i, true)),
                Of(1, 9, true) with
                {
                    Status = OutcomeStatus.Unfinished,
                },
            ]).Reason,
            Does.EndWith(
                " 1 sequence did not count, being issued after the first one that was unfinished when its run ended."
            )
        );
    }

    [Test]
    public void A_budget_that_held_just_the_smallest_number_of_runs_holds_no_more() =>
        Assert.That(
            After(Predicted(.85), s_five, .755, .75, .76, .745, .757)
                .Conclude(budget: TimeSpan.FromSeconds(1.5))
                .Reason,
            Does.EndWith(" The budget of 1.5 s holds no more runs.")
        );

    private static double[] Five(double share) => [.. Enumerable.Repeat(share, 5)];

    private static string Reason(PredictedPoint point, VerificationOptions options, params double[] shares) =>
        After(point, options, shares).Conclude().Reason;
}
