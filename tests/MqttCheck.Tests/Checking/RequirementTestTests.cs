using MqttCheck.Checking;
using MqttCheck.Statistics;

namespace MqttCheck.Tests.Checking;

[TestFixture]
public sealed class RequirementTestTests
{
    // With fewer samples there are no runs of 180 times the binomial variance.
    private const int SmallestMoodyRun = 500;

    private static readonly RequirementPlan s_plan = new(3, 5, 8, 1);

    [TestCase(.999, RequirementVerdict.Met, 5)]
    [TestCase(.40, RequirementVerdict.Violated, 3)]
    public void A_clear_case_is_decided_at_the_first_look(double truth, RequirementVerdict expected, int runs)
    {
        var random = RandomStream.For(51);
        var test = new RequirementTest(new() { Probability = .9 }, s_plan);
        RequirementResult result = null!;
        for (var run = 1; run <= 6; run++)
        {
            result = test.AddRun(Run(OutcomeDependence.None, truth, 120, run, ref random));
            Assert.That(result.Verdict, Is.EqualTo(run < runs ? RequirementVerdict.Withheld : expected));
            if (run == runs) Assert.That(Math.Abs(result.Evidence), Is.GreaterThanOrEqualTo(result.Bound));
        }
        Assert.That((result.DecidedAfterRuns, result.Samples, result.AreRareBadRunsExcluded), Is.EqualTo((runs, 720, true)));
    }

    // A broker with .9 whose samples of one run are correlated by .36 has every other run without a miss. Student's t alone accepts five such runs.
    [Test]
    public void Runs_without_a_miss_do_not_exclude_rare_bad_runs_unless_there_are_enough()
    {
        var options = new RequirementOptions { Probability = .95, MinimumRuns = 5 };
        RequirementResult Perfect(RequirementOptions asked, int runs)
        {
            var test = new RequirementTest(asked, new(5, 5, 5, 1));
            RequirementResult result = null!;
            for (var run = 0; run < runs; run++) result = test.AddRun(new(100, 100));
            return result;
        }
        var five = Perfect(options, 5);
        Assert.That((five.Verdict, five.AreRareBadRunsExcluded), Is.EqualTo((RequirementVerdict.Withheld, false)));
        Assert.That(Math.Abs(five.Evidence), Is.GreaterThan(five.Bound));
        Assert.That(Perfect(options, 20).Verdict, Is.EqualTo(RequirementVerdict.Met));
        Assert.That(RequirementPlan.For(options with { LargestCorrelation = .05 }, 100, 1).FirstMetLook, Is.LessThan(RequirementPlan.For(options with { MinimumRuns = 3 }, 100, 1).FirstMetLook));
    }

    // A false alarm needs a true rate at the promise and a draw beyond the 99 % bound: at most 1 % per study if the promise is exactly used up. Seed 52.
    [Test]
    public void Wrong_verdicts_stay_below_the_stated_error_at_the_planned_length([Values(.5, .85, .9, .95)] double required) =>
        Study(new() { Probability = required }, 60, 300, 52);

    [Test]
    public void Short_runs_and_a_larger_error_keep_the_promise_too() => Study(new() { Probability = .95, Error = .05 }, 30, 300, 53);

    // The same with 1000 measurements and requirements near 1 and 0; each takes some tens of seconds. Seed 54.
    [Test, Explicit]
    public void Wrong_verdicts_stay_below_the_stated_error_in_a_thousand_measurements(
        [Values(.1, .5, .85, .9, .95, .99)] double required, [Values(60, 400)] int samplesPerRound) =>
        Study(new() { Probability = required }, samplesPerRound, 1000, 54);

    private static void Study(RequirementOptions options, int samplesPerRound, int measurements, ulong seed)
    {
        var plan = RequirementPlan.For(options, samplesPerRound, 1);
        var planned = plan.Rounds * samplesPerRound;
        TestContext.Out.WriteLine($"p {options.Probability}, error {options.Error}: {plan}");
        Assert.Multiple(() =>
        {
            // At the planned length, moreover, the correlation that 180 means in runs of 500.
            OutcomeDependence[] dependences =
                [OutcomeDependence.None, OutcomeDependence.BetweenRuns(1.2), OutcomeDependence.BetweenRuns(8), OutcomeDependence.BetweenRuns(180), OutcomeDependence.InsideRuns(.5), OutcomeDependence.BetweenRuns(1 + .36 * (planned - 1))];
            foreach (var dependence in dependences)
            {
                var samples = dependence.Inflation == 180 ? Math.Max(planned, SmallestMoodyRun) : planned;
                foreach (var (truth, wrong) in ((double, RequirementVerdict)[])[(options.Probability, RequirementVerdict.Violated), (options.Probability - options.EffectiveIndifference, RequirementVerdict.Met)])
                {
                    if (dependence.Inflation >= samples) continue;
                    int errors = 0, withheld = 0, runs = 0;
                    for (ulong i = 0; i < (ulong)measurements; i++)
                    {
                        var random = RandomStream.For(seed, i);
                        var test = new RequirementTest(options, plan);
                        var verdict = RequirementVerdict.Withheld;
                        for (var run = 1; run <= plan.Runs + 3 && verdict == RequirementVerdict.Withheld; run++, runs++)
                        {
                            verdict = test.Decide(Run(dependence, truth, samples, run, ref random));
                            if (run == plan.Runs && verdict == RequirementVerdict.Withheld) withheld++;
                        }
                        if (verdict == wrong) errors++;
                    }
                    var seen = $"truth {truth:0.###}, {dependence.Name}: wrong {errors}, withheld {withheld} of {measurements}, {(double)runs / measurements:0.0} runs of {samples}";
                    TestContext.Out.WriteLine(seen);
                    Assert.That(BinomialIntervals.LowerBound(errors, measurements, .01), Is.LessThanOrEqualTo(options.Error), seen);
                    if (dependence.Inflation == VerificationPlan.QuietInflation) Assert.That(withheld, Is.LessThanOrEqualTo(measurements / 10), seen);
                }
            }
        });
    }

    [Test]
    public void Looks_share_the_error([Values(3, 5, 8)] int firstMetLook)
    {
        var plan = new RequirementPlan(3, firstMetLook, 8, 1);
        foreach (var verdict in new[] { RequirementVerdict.Met, RequirementVerdict.Violated })
            Assert.That(Enumerable.Range(1, 10_000).Sum(runs => plan.ErrorShare(runs, verdict)), Is.InRange(.999, 1));
    }

    // 60 clients: about as long as 5 runs of 2 sequences for .95 (15 rounds with their overhead) and of 1 sequence for .9 (10 rounds) if the broker is always in time.
    [TestCase(.9, 12)]
    [TestCase(.95, 20)]
    public void A_broker_that_is_always_in_time_is_measured_in_a_few_rounds(double required, int rounds)
    {
        var plan = RequirementPlan.For(new() { Probability = required }, 60, 1);
        Assert.That(plan.FirstMetLook * (plan.Rounds + 1), Is.LessThanOrEqualTo(rounds), plan.ToString());
        Assert.That(plan.FirstViolatedLook, Is.EqualTo(3), plan.ToString());
        Assert.That(RequirementPlan.For(new() { Probability = required }, 60, 1, rounds: 7).Rounds, Is.EqualTo(7));
        Assert.That(RequirementPlan.For(new() { Probability = required, MinimumRuns = 30 }, 60, 1).FirstViolatedLook, Is.EqualTo(30));
    }

    [TestCase(.95, .05)]
    [TestCase(.5, .1)]
    [TestCase(.1, .05)]
    [TestCase(.999, .001)]
    public void Without_an_indifference_at_most_twice_the_allowed_misses_pass(double required, double expected) =>
        Assert.That(new RequirementOptions { Probability = required }.EffectiveIndifference, Is.EqualTo(expected).Within(1e-12));

    [Test]
    public void Options_out_of_range_are_all_named()
    {
        var options = new RequirementOptions { Probability = 1, Error = .5, Indifference = 2, MinimumRuns = 2, LargestCorrelation = .5 };
        Assert.That(options.Validate("test"), Has.Count.EqualTo(5).And.All.StartsWith("test: "));
        Assert.That(() => new RequirementTest(options, s_plan), Throws.TypeOf<InputException>());
    }

    private static RunCount Run(OutcomeDependence dependence, double truth, int samples, int run, ref RandomStream random) =>
        RunCount.Of(dependence.Run(run, samples, truth, SimulatedBroker.ThresholdMilliseconds, ref random), SimulatedBroker.ThresholdMilliseconds);
}
