using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

[TestFixture]
public sealed class RequirementTestTests
{
    private static readonly double[] s_moods = [1, 1.2, 8, -.5];

    [TestCase(.99, RequirementVerdict.Met)]
    [TestCase(.80, RequirementVerdict.Violated)]
    public void Five_quiet_runs_decide(double truth, RequirementVerdict expected)
    {
        var random = RandomStream.For(51);
        var test = new RequirementTest(new() { Probability = .95 });
        RequirementResult result = null!;
        for (var run = 1; run <= 5; run++)
        {
            result = test.AddRun(Run(truth, 1, 120, run, ref random));
            if (run < 5) Assert.That(result.Verdict, Is.EqualTo(RequirementVerdict.Withheld));
        }
        Assert.That(result.Verdict, Is.EqualTo(expected));
        Assert.That((result.DecidedAfterRuns, result.Samples), Is.EqualTo((5, 600)));
        Assert.That(Math.Abs(result.Evidence), Is.GreaterThanOrEqualTo(result.Bound));
    }

    // 200 tests each; a false alarm needs a true rate at the promise and a draw beyond the 99 % bound. Seed 52.
    [Test]
    public void Wrong_verdicts_stay_below_the_stated_error([ValueSource(nameof(s_moods))] double mood, [Values(.85, .95)] double required)
    {
        var options = new RequirementOptions { Probability = required, Error = .02 };
        var met = Study(options, required, mood, RequirementVerdict.Violated);
        Assert.That(BinomialIntervals.LowerBound(met, 200, .01), Is.LessThanOrEqualTo(options.Error), $"found violated {met} of 200 times");
        var violated = Study(options, required - options.EffectiveIndifference, mood, RequirementVerdict.Met);
        Assert.That(BinomialIntervals.LowerBound(violated, 200, .01), Is.LessThanOrEqualTo(options.Error), $"found met {violated} of 200 times");
    }

    [TestCase(.95, .05)]
    [TestCase(.5, .1)]
    [TestCase(.1, .05)]
    [TestCase(.999, .001)]
    public void Without_an_indifference_at_most_twice_the_allowed_misses_pass(double required, double expected) =>
        Assert.That(new RequirementOptions { Probability = required }.EffectiveIndifference, Is.EqualTo(expected).Within(1e-12));

    // Wald's test of .90 against .95 at .01 takes 272 samples on average if p = .95 (the table in docs/method.md): 2 * 272 / 5 = 109.
    [Test]
    public void Runs_are_as_long_as_twice_the_samples_of_independent_ones() =>
        Assert.That(RequirementTest.SamplesNeeded(new() { Probability = .95 }), Is.EqualTo(109).Within(1));

    [Test]
    public void Options_out_of_range_are_all_named()
    {
        var options = new RequirementOptions { Probability = 1, Error = .5, Indifference = 2, MinimumRuns = 2 };
        Assert.That(options.Validate("test"), Has.Count.EqualTo(4).And.All.StartsWith("test: "));
        Assert.That(() => new RequirementTest(options), Throws.TypeOf<InputException>());
    }

    private static int Study(RequirementOptions options, double truth, double mood, RequirementVerdict wrong)
    {
        var count = 0;
        for (ulong i = 0; i < 200; i++)
        {
            var random = RandomStream.For(52, i);
            var test = new RequirementTest(options);
            var verdict = RequirementVerdict.Withheld;
            for (var run = 1; run <= 7 && verdict == RequirementVerdict.Withheld; run++) verdict = test.AddRun(Run(truth, mood, 500, run, ref random)).Verdict;
            if (verdict == wrong) count++;
        }
        return count;
    }

    private static RunCount Run(double truth, double mood, int samples, int run, ref RandomStream random)
    {
        var outcomes = mood < 0
            ? SimulatedBroker.AutoregressiveRun(run, samples, truth, -mood, ref random)
            : SimulatedBroker.BetaBinomialRun(run, samples, truth, mood, ref random);
        return new(outcomes.Count(outcome => outcome.InTime(SimulatedBroker.ThresholdMilliseconds)), samples);
    }
}
