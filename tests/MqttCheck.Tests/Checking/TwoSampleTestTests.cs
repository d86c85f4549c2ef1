using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

[TestFixture]
public sealed class TwoSampleTestTests
{
    [Test]
    public void Equal_runs_show_that_there_is_no_difference()
    {
        var test = new TwoSampleTest(new());
        TwoSampleResult result = null!;
        for (var run = 1; run <= 8; run++)
        {
            result = test.AddPair(new(340, 400), new(340 + run % 2, 400));
            if (run < 8) Assert.That((result.Verdict, result.Reason.Contains("at least 8 runs", StringComparison.Ordinal)), Is.EqualTo((TwoSampleVerdict.Withheld, true)));
        }
        Assert.That(result.Verdict, Is.EqualTo(TwoSampleVerdict.NoDifference), result.Reason);
        Assert.That(result.DecidedAfterRuns, Is.EqualTo(8));
        Assert.That(result.Difference, Is.EqualTo(-.00125).Within(1e-12));
        Assert.That(result.Reason, Does.Contain("no difference of 0.1 or more"));
    }

    // R: n <- 300; sqrt(2 * .85 * .15 / n / 8) = .01031; that is the smallest standard error credited, up to half a sequence.
    [Test]
    public void A_spread_below_that_of_independent_sequences_is_not_credited()
    {
        var test = new TwoSampleTest(new());
        for (var run = 1; run <= 8; run++) test.AddPair(new(255, 300), new(255, 300));
        Assert.That(test.Conclude().StandardError, Is.EqualTo(.01031).Within(2e-5));
    }

    [TestCase(320, 250, TwoSampleVerdict.FirstFaster, "the first is faster")]
    [TestCase(250, 320, TwoSampleVerdict.SecondFaster, "the second is faster")]
    public void A_clear_difference_is_found_and_its_sign_is_right(int first, int second, TwoSampleVerdict expected, string words)
    {
        var test = new TwoSampleTest(new() { MinimumRuns = 4 });
        TwoSampleResult result = null!;
        for (var run = 1; run <= 4; run++) result = test.AddPair(new(first + run, 400), new(second - run, 400));
        Assert.That(result.Verdict, Is.EqualTo(expected), result.Reason);
        Assert.That(result.Reason, Does.Contain(words));
    }

    [Test]
    public void A_mood_that_both_share_falls_out_of_the_difference()
    {
        var paired = new TwoSampleTest(new());
        int[] mood = [380, 200, 320, 390, 150, 300, 250, 360];
        foreach (var hits in mood) paired.AddPair(new(hits, 400), new(hits - 80, 400));
        Assert.That(paired.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.FirstFaster), paired.Conclude().Reason);

        var independent = new TwoSampleTest(new(), [.. mood.Select(hits => new RunCount(hits, 400))]);
        foreach (var hits in mood) independent.AddRun(new(hits - 80, 400));
        Assert.That(independent.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.Withheld));
        Assert.That(independent.Conclude().Reason, Does.Contain("more runs help, longer ones hardly do"));
    }

    [Test]
    public void Runs_without_a_miss_do_not_show_that_a_rarely_failing_broker_is_equal()
    {
        var test = new TwoSampleTest(new() { Indifference = .05 });
        for (var run = 1; run <= 8; run++) test.AddPair(new(400, 400), new(400, 400));
        Assert.That(test.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.Withheld), test.Conclude().Reason);
        Assert.That(test.Conclude().Reason, Does.Contain("do not exclude that one of the two fails rarely"));
    }

    [Test]
    public void A_verdict_once_given_stays()
    {
        var test = new TwoSampleTest(new() { MinimumRuns = 4 });
        for (var run = 1; run <= 4; run++) test.AddPair(new(390, 400), new(200, 400));
        var result = test.AddPair(new(0, 400), new(400, 400));
        Assert.That((result.Verdict, result.DecidedAfterRuns, result.First.Count), Is.EqualTo((TwoSampleVerdict.FirstFaster, 4, 5)));
    }

    [Test]
    public void Without_enough_runs_there_is_no_verdict()
    {
        var test = new TwoSampleTest(new());
        Assert.That(test.Conclude().Reason, Is.EqualTo("No run of both was observed."));
        test.AddPair(new(9, 10), new(1, 10));
        Assert.That(test.Conclude().Verdict, Is.EqualTo(TwoSampleVerdict.Withheld));
        Assert.That(test.Conclude(interrupted: true).Verdict, Is.EqualTo(TwoSampleVerdict.Partial));
        Assert.That((test.Conclude().Interval.Lower, test.Conclude().Interval.Upper), Is.EqualTo((-1.0, 1.0)));
    }

    [Test]
    public void Options_out_of_range_are_all_named()
    {
        var options = new TwoSampleOptions { Error = 0, Comparisons = 0, Indifference = .5, MinimumRuns = 2 };
        Assert.That(options.Validate("compare"), Has.Count.EqualTo(4).And.All.StartsWith("compare: "));
        Assert.That(() => new TwoSampleTest(options), Throws.TypeOf<InputException>());
        Assert.That(() => new TwoSampleTest(new(), [new(1, 2)]), Throws.TypeOf<InputException>());
        Assert.That(() => new TwoSampleTest(new()).AddRun(new(1, 2)), Throws.InvalidOperationException);
        Assert.That(() => new TwoSampleTest(new(), [new(1, 2), new(1, 2), new(1, 2)]).AddPair(new(1, 2), new(1, 2)), Throws.InvalidOperationException);
    }

    // Two equal, quiet brokers, planned runs: seed 31, 100 comparisons.
    [Test]
    public void Planned_runs_show_two_quiet_brokers_to_be_equal([Values(.5, .85, .95)] double probability)
    {
        var options = new TwoSampleOptions();
        var study = TwoSampleStudy.Of(probability, probability, 1.2, TwoSamplePlan.SequencesNeeded(probability, options), options, 8, 100, 31);
        Assert.That(study.Equal, Is.GreaterThanOrEqualTo(88), study.ToString());
    }
}
