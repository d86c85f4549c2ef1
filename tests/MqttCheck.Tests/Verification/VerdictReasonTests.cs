using MqttCheck.Clients;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Requirements;
using MqttCheck.Verification;
using static MqttCheck.Tests.Requirements.SimulatedBroker;

namespace MqttCheck.Tests.Verification;

public sealed class VerdictReasonTests
{
    private static readonly VerificationOptions s_five = new() { MinimumRuns = 5 };

    [Test]
    public void One_run_of_one_sequence_is_told_in_the_singular()
    {
        var test = new PredictionTest(Predicted(.85), s_five);
        Assert.That(
            test.AddRun([Of(1, 0, true)]).Reason,
            Is.EqualTo(
                "1 of 1 sequence in time (1.000) in 1 run; a verdict takes at least 5 runs, because "
                    + "the sequences of one run are not independent."
            )
        );
    }

    [Test]
    public void Runs_that_ended_before_their_first_sequence_are_told()
    {
        var test = new PredictionTest(Predicted(.85), s_five);
        var verdict = test.AddRun([Unfinished(0), Of(1, 1, true)]);
        Assert.That(
            verdict.Reason,
            Is.EqualTo("None of 2 sequences could be counted: each run ended before its first sequence did.")
        );
        Assert.That(verdict.Observed, Is.Null);
        Assert.That(verdict.Unseen, Is.Null);
        Assert.That(verdict.DecidedAfterSamples, Is.Null);
        Assert.That(
            (verdict.Variation, verdict.Lower, verdict.Upper),
            Is.EqualTo((new RunVariation(1, null, 0), (VerdictSide?)null, (VerdictSide?)null))
        );
    }

    // More than a tenth of what counted.
    [TestCase(20, 2, false)]
    [TestCase(20, 3, true)]
    public void Many_sequences_that_did_not_count_are_told(int counted, int notCounted, bool told)
    {
        var test = new PredictionTest(Predicted(.85), s_five);
        var reason = test.AddRun([
            .. Enumerable.Range(0, counted).Select(i => Of(1, i, true)),
            .. Enumerable.Range(counted, notCounted).Select(Unfinished),
        ]).Reason;
        Assert.That(
            reason,
            told
                ? Does.EndWith(
                    " 3 sequences did not count, being issued after the "
                        + "first one that was unfinished when its run ended."
                )
                : Does.Not.Contain("did not count")
        );
    }

    // A small steady change and a truth between the prediction and what is worse.
    [Test]
    public void An_open_verdict_names_its_thresholds_and_a_small_drift()
    {
        var reason = Reason(.85, s_five, .765, .76, .755, .75, .745);
        Assert.That(
            reason,
            Does.Match(
                @"^3775 of 5000 sequences in time \(0\.755\) in 5 runs: with an error of 0\.01 the truth may lie "
                    + @"anywhere in \[0\.7\d+, 0\.[78]\d+\], which is too wide to tell what is as predicted from "
                    + @"0\.750 or worse or 0\.950 or better\. The broker slowed down from run to run \(correlation "
                    + @"with the run's number -1\.00\): let it settle first\."
            )
        );
    }

    [TestCase(.97, " from 0.870 or worse.")]
    [TestCase(.03, " from 0.130 or better.")]
    public void An_open_verdict_names_the_sides_that_there_are(double predicted, string thresholds)
    {
        var middle = predicted > .5 ? .87 : .13;
        Assert.That(
            Reason(predicted, s_five, middle, middle + .01, middle - .01, middle + .01, middle - .01),
            Does.Contain("which is too wide to tell what is as predicted" + thresholds)
        );
    }

    [Test]
    public void Runs_that_drift_are_told_with_change_and_correlation() =>
        Assert.That(
            Reason(.85, s_five, .81, .83, .85, .87, .89),
            Is.EqualTo(
                "4250 of 5000 sequences in time (0.850) in 5 runs; but the broker became faster from run to run: "
                    + "the share changes by +0.080 over the runs (correlation with the run's number 1.00), "
                    + "and what is seen depends on when one looks. Let it settle first."
            )
        );

    // The interval of a right prediction reaches farther than the indifference on the upper side.
    [Test]
    public void A_better_broker_is_told_with_the_end_of_the_interval_that_it_passed()
    {
        var options = s_five with { IntervalLevel = .95 };
        var verdict = After(Predicted(.6, .2), options, .93, .93, .93, .93, .93).Conclude();
        Assert.That(
            verdict.Reason,
            Does.Contain(
                ": better than the predicted 0.600: 0.800 or worse is rejected, the upper end of its own 95 % interval."
                    + " The variance between runs is 1.0 times binomial (at most 1.0 with 90 % confidence)."
            )
        );
        Assert.That((verdict.DecidedAfterRuns, verdict.DecidedAfterSamples), Is.EqualTo((5, 5000L)));
    }

    [TestCase(
        1,
        "100 of 100 clients accept the predicted 1.000, 0 reject it, 0 are undecided; 50% must accept; "
            + "a verdict takes at least 3 runs."
    )]
    [TestCase(
        3,
        "100 of 100 clients accept the predicted 1.000, 0 reject it, 0 are undecided; 50% must accept. "
            + "The error of 0.01 is that of each client, not of this verdict."
    )]
    public void The_test_of_clients_is_told_with_its_share(int runs, string said) =>
        Assert.That(
            After(Predicted(1), s_halfOfClients, runs, run => Run(run, 4400, _ => true)).Conclude().Reason,
            Does.EndWith(said)
        );

    // As soon as the undecided clients cannot change it: two of four must accept, and three have rejected.
    [TestCase(2, VerdictKind.Withheld)]
    [TestCase(3, VerdictKind.Worse)]
    public void Clients_that_cannot_accept_any_more_decide_at_once(int rejecting, VerdictKind expected) =>
        Assert.That(
            After(Predicted(1), s_halfOfClients, 3, run => Run(run, 4, i => i >= rejecting)).Conclude().Kind,
            Is.EqualTo(expected)
        );

    private static readonly VerificationOptions s_halfOfClients = new()
    {
        Test = VerdictTest.Clients,
        MinimumRuns = 3,
        AcceptingShare = .5,
    };

    private static string Reason(double predicted, VerificationOptions options, params double[] shares) =>
        After(Predicted(predicted), options, shares).Conclude().Reason;

    private static Outcome Unfinished(int index) => Of(1, index, true) with { Status = OutcomeStatus.Unfinished };
}
