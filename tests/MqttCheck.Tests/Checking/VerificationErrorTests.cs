using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

/// <summary>What a stated error is worth: simulated verifications of right and wrong predictions with outcomes that depend on each other.</summary>
[TestFixture]
public sealed class VerificationErrorTests
{
    private const int Verifications = 1000, Threads = 2;

    private static readonly VerificationOptions s_quick = new() { Error = .1, Indifference = .15, MinimumRuns = 3 };

    private static IReadOnlyList<OutcomeDependence> Dependences => VerificationAudit.Dependences;

    // A false alarm needs a true rate at the promise and a draw beyond the 99 % bound: at most 1 % per case if the promise is exactly used up; the rates seen are far below it. Seed 11.
    [TestCaseSource(nameof(Dependences))]
    public void Wrong_verdicts_stay_below_the_stated_error_in_both_directions(OutcomeDependence dependence)
    {
        foreach (var (predicted, truths) in ((double, double[])[])[(.85, [.85, .75, .95]), (.95, [.95, .85])])
        {
            foreach (var truth in truths)
            {
                var tally = VerificationAudit.Run(SimulatedBroker.Predicted(predicted), new(), truth, dependence, 637, 5, Verifications, 11, Threads);
                Assert.That(tally.WrongAtLeast, Is.LessThanOrEqualTo(.01), $"{predicted} predicted, truth {truth}: {tally}");
                if (dependence.Inflation == VerificationPlan.QuietInflation) Assert.That(tally.Withheld, Is.LessThanOrEqualTo(Verifications / 10), $"{predicted} predicted, truth {truth}: {tally}");
            }
        }
    }

    // The same for three runs, as in a quick check: an error of .1, an indifference of .15. Seed 14.
    [TestCaseSource(nameof(Dependences))]
    public void Three_runs_keep_their_promise_too(OutcomeDependence dependence)
    {
        foreach (var truth in new[] { .85, .70, .99 })
        {
            var tally = VerificationAudit.Run(SimulatedBroker.Predicted(.85), s_quick, truth, dependence, 500, 3, Verifications, 14, Threads);
            Assert.That(tally.WrongAtLeast, Is.LessThanOrEqualTo(.1), $"truth {truth}: {tally}");
        }
    }

    // Going on while the budget lasts, with up to eight looks. Seed 21.
    [TestCaseSource(nameof(Dependences))]
    public void Looking_again_keeps_the_promise(OutcomeDependence dependence)
    {
        var tally = VerificationAudit.Run(SimulatedBroker.Predicted(.85), new() { Error = .02 }, .85, dependence, 400, 10, 150, 21, Threads);
        Assert.That(tally.WrongAtLeast, Is.LessThanOrEqualTo(.02), tally.ToString());
    }

    // As VerificationSchedule plans it: twelve short runs, half of the error for each of two points, two more looks. Seed 23.
    [TestCaseSource(nameof(Dependences))]
    public void Many_short_runs_keep_the_promise(OutcomeDependence dependence)
    {
        var options = new VerificationOptions { MinimumRuns = 12, Points = 2 };
        var point = SimulatedBroker.Predicted(.85);
        // Runs of fewer than 180 sequences cannot have 180 times the binomial variance.
        var sequences = dependence.Inflation > 8 ? 500 : VerificationPlan.SequencesNeeded(point, options, 12);
        foreach (var truth in new[] { .85, .75, .95 })
        {
            var tally = VerificationAudit.Run(point, options, truth, dependence, sequences, 14, 300, 23, Threads);
            Assert.That(tally.WrongAtLeast, Is.LessThanOrEqualTo(.005), $"truth {truth}: {tally}");
        }
    }

    // Without a trend, 4000 verifications of each plan: five long runs, twelve short ones, three quick ones. Seed 24.
    [TestCase(5, 1, false)]
    [TestCase(12, 2, false)]
    [TestCase(3, 1, true)]
    public void A_quiet_broker_seems_to_drift_in_one_of_a_hundred_verifications_at_most(int runs, int points, bool quick)
    {
        var options = (quick ? s_quick : new()) with { MinimumRuns = runs, Points = points };
        var sequences = VerificationPlan.SequencesNeeded(SimulatedBroker.Predicted(.85), options, runs);
        var drifts = 0;
        for (ulong number = 0; number < 4000; number++)
        {
            var random = RandomStream.For(24, number);
            var counts = new List<RunCount>();
            for (var run = 0; run < runs; run++)
                counts.Add(RunCount.Of(SimulatedBroker.BetaBinomialRun(run, sequences, .85, VerificationPlan.QuietInflation, ref random), SimulatedBroker.ThresholdMilliseconds));
            if (RunDrift.Of(counts).Matters(options.Indifference / 2)) drifts++;
        }
        Assert.That(drifts, Is.LessThanOrEqualTo(40), $"of 4000, with {sequences} sequences a run");
        TestContext.Out.WriteLine($"{drifts} of 4000");
    }

    // The one-sided test has the whole error on its side. Seed 22.
    [TestCaseSource(nameof(Dependences))]
    public void The_one_sided_test_keeps_its_promise(OutcomeDependence dependence)
    {
        var options = new VerificationOptions { Test = VerdictTest.OneSided, Error = .02 };
        foreach (var truth in new[] { .85, .75 })
        {
            var tally = VerificationAudit.Run(SimulatedBroker.Predicted(.85), options, truth, dependence, 500, 5, 500, 22, Threads);
            Assert.That(tally.WrongAtLeast, Is.LessThanOrEqualTo(.02), $"truth {truth}: {tally}");
        }
        Assert.That(VerificationAudit.Run(SimulatedBroker.Predicted(.5), options, .95, OutcomeDependence.None, 500, 5, 50, 22).Confirmed, Is.EqualTo(50), "a timid prediction");
    }

    // 100 seeds each, with the planned number of sequences, variance 1.2 times binomial. Seed 12.
    [TestCase(.85, .70)]
    [TestCase(.85, 1)]
    [TestCase(.80, .95)]
    [TestCase(.70, .55)]
    [TestCase(.50, .65)]
    [TestCase(.93, .78)]
    [TestCase(.98, .83)]
    [TestCase(1, .85)]
    public void A_prediction_that_is_wrong_by_15_percent_is_refuted(double predicted, double truth)
    {
        var options = new VerificationOptions();
        var tally = Quiet(predicted, truth, options, 100, 12);
        Assert.That(truth < predicted ? tally.Worse : tally.Better, Is.GreaterThanOrEqualTo(98), tally.ToString());
    }

    [TestCase(.85, .83)]
    [TestCase(.85, .87)]
    [TestCase(.85, .85)]
    [TestCase(.70, .68)]
    [TestCase(.50, .52)]
    [TestCase(.90, .92)]
    [TestCase(.90, .88)]
    [TestCase(.93, .95)]
    [TestCase(.93, .91)]
    [TestCase(.97, .99)]
    [TestCase(.98, 1)]
    [TestCase(.99, .97)]
    [TestCase(1, .98)]
    [TestCase(1, 1)]
    public void A_prediction_within_two_percent_is_confirmed_on_a_quiet_broker(double predicted, double truth)
    {
        var tally = Quiet(predicted, truth, new(), 100, 13);
        Assert.That(tally.Confirmed, Is.GreaterThanOrEqualTo(95), tally.ToString());
    }

    [TestCase(.85)]
    [TestCase(.70)]
    [TestCase(.95)]
    public void On_a_quiet_broker_at_most_a_tenth_is_withheld(double predicted)
    {
        var five = Quiet(predicted, predicted, new(), 200, 16);
        Assert.That(five.Withheld, Is.LessThanOrEqualTo(20), five.ToString());
        var three = Quiet(predicted, predicted, s_quick, 200, 17);
        Assert.That(three.Withheld, Is.LessThanOrEqualTo(20), three.ToString());
    }

    // Eight points on the same runs, all predictions right: some verdict wrong in at most the stated share of 40 families. Seed 15.
    [Test]
    public void A_family_of_points_keeps_one_error()
    {
        var options = new VerificationOptions { Error = .05, Points = 8, MinimumRuns = 6 };
        double[] probabilities = [.60, .65, .70, .75, .80, .85, .88, .90];
        var wrong = 0;
        for (ulong family = 0; family < 40; family++)
        {
            var random = RandomStream.For(15, family);
            var tests = Array.ConvertAll(probabilities, p => new PredictionTest(SimulatedBroker.Predicted(p) with { ThresholdMilliseconds = 1000 * p }, options));
            var verdicts = new Verdict[tests.Length];
            for (var run = 1; run <= 6; run++)
            {
                // Uniform latencies: a threshold of 1000 p ms is met with probability p.
                Outcome[] outcomes = [.. Enumerable.Range(0, 250).Select(i => SimulatedBroker.Of(run, i, true))];
                for (var i = 0; i < outcomes.Length; i++) outcomes[i] = outcomes[i] with { Latencies = new(1000 * random.NextDouble(), 0, 0) };
                for (var i = 0; i < tests.Length; i++) verdicts[i] = tests[i].AddRun(outcomes);
            }
            if (verdicts.Any(verdict => verdict.Kind is VerdictKind.Worse or VerdictKind.Better)) wrong++;
        }
        Assert.That(BinomialIntervals.LowerBound(wrong, 40, .01), Is.LessThanOrEqualTo(.05));
    }

    [Test]
    public void The_audit_is_the_same_with_any_number_of_threads()
    {
        VerificationTally Run(int threads) => VerificationAudit.Run(SimulatedBroker.Predicted(.85), new(), .85, OutcomeDependence.BetweenRuns(8), 200, 6, 40, 18, threads);
        Assert.That(Run(2), Is.EqualTo(Run(1)));
    }

    // The variance of a run's successes over the binomial one; 2000 runs of 200, five standard errors of a variance of normal numbers. Seed 19.
    [TestCase(1.2)]
    [TestCase(8)]
    public void Moody_runs_have_the_variance_they_are_named_for(double inflation)
    {
        var random = RandomStream.For(19);
        var hits = new double[2000];
        for (var i = 0; i < hits.Length; i++) hits[i] = OutcomeDependence.BetweenRuns(inflation).Run(1, 200, .7, 50, ref random).Count(outcome => outcome.InTime(50));
        var mean = hits.Average();
        Assert.That(hits.Average(value => (value - mean) * (value - mean)) / (200 * .7 * .3), Is.EqualTo(inflation).Within(5 * inflation * Math.Sqrt(2.0 / hits.Length)));
    }

    // Seed 20; 100 000 outcomes, five standard errors.
    [Test]
    public void Neighbours_are_as_alike_as_they_are_named_for()
    {
        var random = RandomStream.For(20);
        var outcomes = OutcomeDependence.InsideRuns(.5).Run(1, 100_000, .7, 50, ref random);
        var hits = Array.ConvertAll(outcomes, outcome => outcome.InTime(50) ? 1 - .7 : -.7);
        Assert.That(hits.Zip(hits.Skip(1), (x, y) => x * y).Average() / (.7 * .3), Is.EqualTo(.5).Within(5 * Math.Sqrt(3.0 / hits.Length)));
    }

    private static VerificationTally Quiet(double predicted, double truth, VerificationOptions options, int verifications, ulong seed)
    {
        var point = SimulatedBroker.Predicted(predicted);
        var sequences = VerificationPlan.SequencesNeeded(point, options, options.MinimumRuns);
        return VerificationAudit.Run(point, options, truth, OutcomeDependence.BetweenRuns(VerificationPlan.QuietInflation), sequences, options.MinimumRuns, verifications, seed);
    }
}
