using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

/// <summary>What a stated error is worth: simulated verifications of right and wrong predictions on brokers of several moods.</summary>
[TestFixture]
public sealed class VerificationErrorTests
{
    // A negative inflation stands for autoregression inside a run, with that lag-1 correlation.
    private static readonly double[] s_moods = [1, 1.2, 8, 180, -.5];

    // A false alarm needs a true rate at the promise and a draw beyond the 99 % bound: at most 1 % per case if the promise is exactly used up; the rates seen are far below it. Seed 11.
    [TestCaseSource(nameof(s_moods))]
    public void Wrong_verdicts_stay_below_the_stated_error(double mood)
    {
        var options = new VerificationOptions { Error = .02 };
        var right = VerificationStudy.Of(.85, .85, mood, 500, options, 6, 150, 11);
        Assert.That(right.LowerBound(right.Worse + right.Better), Is.LessThanOrEqualTo(options.Error), $"right prediction: {right}");
        var bold = VerificationStudy.Of(.85, .75, mood, 500, options, 6, 150, 11);
        Assert.That(bold.LowerBound(bold.Confirmed + bold.Better), Is.LessThanOrEqualTo(options.Error), $"bold prediction: {bold}");
        var timid = VerificationStudy.Of(.85, .95, mood, 500, options, 6, 150, 11);
        Assert.That(timid.LowerBound(timid.Confirmed + timid.Worse), Is.LessThanOrEqualTo(options.Error), $"timid prediction: {timid}");
    }

    // 100 seeds each, with the planned number of sequences, inflation 1.2. Seed 12.
    [TestCase(.85, .70)]
    [TestCase(.85, 1)]
    [TestCase(.80, .95)]
    [TestCase(.70, .55)]
    public void A_prediction_that_is_wrong_by_15_percent_is_refuted(double predicted, double truth)
    {
        var options = new VerificationOptions();
        var sequences = VerificationPlan.SequencesNeeded(SimulatedBroker.Predicted(predicted), options, 5);
        var study = VerificationStudy.Of(predicted, truth, 1.2, sequences, options, 5, 100, 12);
        Assert.That(truth < predicted ? study.Worse : study.Better, Is.GreaterThanOrEqualTo(98), study.ToString());
    }

    [TestCase(.85, .83)]
    [TestCase(.85, .87)]
    [TestCase(.85, .85)]
    [TestCase(.70, .68)]
    [TestCase(.93, .92)]
    public void A_prediction_within_two_percent_is_confirmed_on_a_quiet_broker(double predicted, double truth)
    {
        var options = new VerificationOptions();
        var sequences = VerificationPlan.SequencesNeeded(SimulatedBroker.Predicted(predicted), options, 5);
        var study = VerificationStudy.Of(predicted, truth, 1.2, sequences, options, 5, 100, 13);
        Assert.That(study.Confirmed, Is.GreaterThanOrEqualTo(95), study.ToString());
    }

    // Three runs, as in a quick check: an error of .1, an indifference of .15.
    [Test]
    public void Three_runs_keep_their_promise_too([Values(1.2, 8, 60)] double inflation)
    {
        var options = new VerificationOptions { Error = .1, Indifference = .15, MinimumRuns = 3 };
        var sequences = VerificationPlan.SequencesNeeded(SimulatedBroker.Predicted(.85), options, 3);
        var right = VerificationStudy.Of(.85, .85, inflation, sequences, options, 3, 200, 14);
        Assert.That(right.LowerBound(right.Worse + right.Better), Is.LessThanOrEqualTo(.1), right.ToString());
        var bold = VerificationStudy.Of(.85, .70, inflation, sequences, options, 3, 200, 14);
        Assert.That(bold.LowerBound(bold.Confirmed + bold.Better), Is.LessThanOrEqualTo(.1), bold.ToString());
        if (inflation < 2) Assert.That(right.Confirmed, Is.GreaterThanOrEqualTo(190), right.ToString());
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

    /// <summary>The long version of the studies above: 1000 verifications each, written to standard output. Some minutes; run it by name.</summary>
    [Test, Explicit("some minutes")]
    public void Thousand_verifications_of_every_mood([Values(5, 10)] int budgetRuns, [Values(200, 500)] int sequences)
    {
        var options = new VerificationOptions();
        foreach (var truth in new[] { .85, .75, .95 })
        {
            foreach (var mood in s_moods)
            {
                if (mood >= sequences * RunLikelihood.LargestCorrelation) continue;
                var study = VerificationStudy.Of(.85, truth, mood, sequences, options, budgetRuns, 1000, 21);
                var wrong = study.Worse + study.Better + study.Confirmed - (truth < .85 ? study.Worse : truth > .85 ? study.Better : study.Confirmed);
                TestContext.Out.WriteLine(FormattableString.Invariant($"runs {budgetRuns} x {sequences}, truth {truth}, mood {mood}: {study}, wrong {wrong}"));
                Assert.That(study.LowerBound(wrong), Is.LessThanOrEqualTo(options.Error));
            }
        }
    }
}
