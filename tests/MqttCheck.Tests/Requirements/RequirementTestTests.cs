using MqttCheck.Auditing;
using MqttCheck.Auditing.Promises;
using MqttCheck.Clients;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Tests.Auditing.Promises;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Requirements;

[TestFixture]
public sealed class RequirementTestTests
{
    private static readonly RequirementPlan s_plan = new(3, 5, 8, 1);

    // Seed 51.
    [TestCase(.999, RequirementVerdict.Met, 5)]
    [TestCase(.40, RequirementVerdict.Violated, 3)]
    public void A_clear_case_is_decided_at_the_first_look(double truth, RequirementVerdict expected, int runs)
    {
        var random = RandomStream.For(51);
        var drawn = new RunCount[6];
        RunLaw.Independent.Runs(truth, 120)(drawn, ref random);
        var test = new RequirementTest(new() { Probability = .9 }, s_plan);
        var results = drawn.Select(test.AddRun).ToArray();
        Assert.That(results.Take(runs - 1).Select(one => one.Verdict), Is.All.EqualTo(RequirementVerdict.Withheld));
        Assert.That(results.Skip(runs - 1).Select(one => one.Verdict), Is.All.EqualTo(expected));
        Assert.That(Math.Abs(results[runs - 1].Evidence), Is.GreaterThanOrEqualTo(results[runs - 1].Bound));
        Assert.That(
            (results[^1].DecidedAfterRuns, results[^1].Samples, results[^1].AreRareBadRunsExcluded),
            Is.EqualTo((runs, 720, true))
        );
    }

    // A broker with .9 whose samples of one run are correlated by .36 has every other run without a miss. Student's t
    // alone accepts five such runs.
    [Test]
    public void Runs_without_a_miss_do_not_exclude_rare_bad_runs_unless_there_are_enough()
    {
        var options = new RequirementOptions { Probability = .95, MinimumRuns = 5 };
        var test = new RequirementTest(options, new(5, 5, 5, 1));
        var results = Enumerable.Repeat(new RunCount(100, 100), 20).Select(test.AddRun).ToArray();
        var five = results[4];
        Assert.That((five.Verdict, five.AreRareBadRunsExcluded), Is.EqualTo((RequirementVerdict.Withheld, false)));
        Assert.That(Math.Abs(five.Evidence), Is.GreaterThan(five.Bound));
        Assert.That(results[^1].Verdict, Is.EqualTo(RequirementVerdict.Met));
        Assert.That(
            RequirementPlan.For(options with { LargestCorrelation = .05 }, 100, 1).FirstMetLook,
            Is.LessThan(RequirementPlan.For(options with { MinimumRuns = 3 }, 100, 1).FirstMetLook)
        );
    }

    [Test]
    public void Looks_share_the_error([Values(3, 5, 8)] int firstMetLook)
    {
        var plan = new RequirementPlan(3, firstMetLook, 8, 1);
        foreach (var verdict in new[] { RequirementVerdict.Met, RequirementVerdict.Violated })
            Assert.That(Enumerable.Range(1, 10_000).Sum(runs => plan.ErrorShare(runs, verdict)), Is.InRange(.999, 1));
    }

    // 60 clients: about as long as 5 runs of 2 sequences for .95 (15 rounds with their overhead) and of 1 sequence for
    // .9 (10 rounds) if the broker is always in time.
    [TestCase(.9, 12)]
    [TestCase(.95, 20)]
    public void A_broker_that_is_always_in_time_is_measured_in_a_few_rounds(double required, int rounds)
    {
        var plan = RequirementPlan.For(new() { Probability = required }, 60, 1);
        Assert.That(plan.FirstMetLook * (plan.Rounds + 1), Is.LessThanOrEqualTo(rounds), plan.ToString());
        Assert.That(plan.FirstViolatedLook, Is.EqualTo(3), plan.ToString());
        Assert.That(RequirementPlan.For(new() { Probability = required }, 60, 1, rounds: 7).Rounds, Is.EqualTo(7));
        Assert.That(
            RequirementPlan.For(new() { Probability = required, MinimumRuns = 30 }, 60, 1).FirstViolatedLook,
            Is.EqualTo(30)
        );
    }

    // awk 'BEGIN{for(n=1;;n++){w=0;split("0.99 0.6 0.75 0.12 0.5 0.1 0.3 0.08 0.15 0.05 0.06 0.03 0.02 0.02",b,"
    // ");for(i=1;i<14;i+=2)w+=b[i+1]*exp(n*log(1+b[i]/7.5));if(w>=100){print n;exit}}}' prints 41: runs of .85 against
    // .75. No bet takes fewer than ln(100) / ln(.85 / .75) = 36.8.
    [Test]
    public void Without_an_assumption_a_steady_broker_meets_its_requirement_in_the_number_of_runs_that_bets_take()
    {
        var options = new RequirementOptions
        {
            Probability = .85,
            Indifference = .1,
            Guarantee = Guarantee.Any,
        };
        var test = new RequirementTest(options, s_plan);
        var runs = 0;
        while (test.Decide(new(850, 1000)) == RequirementVerdict.Withheld)
            runs++;
        Assert.That(runs + 1, Is.EqualTo(41));
    }

    [TestCase(.9)]
    [TestCase(.95)]
    public void Without_an_assumption_the_plan_says_how_many_runs_it_takes(double required)
    {
        var options = new RequirementOptions { Probability = required, Guarantee = Guarantee.Any };
        var plan = RequirementPlan.For(options, 60, 1);
        var (always, never) = (Runs(new(60, 60)), Runs(new(0, 60)));
        Assert.That((plan.FirstMetLook, plan.FirstViolatedLook), Is.EqualTo((always, never)), plan.ToString());

        int Runs(RunCount run)
        {
            var test = new RequirementTest(options, plan);
            for (var runs = 1; ; runs++)
                if (test.Decide(run) != RequirementVerdict.Withheld)
                    return runs;
        }
    }

    [Test]
    public void What_a_result_promises_is_said_with_its_assumption_and_with_what_its_runs_cannot_exclude()
    {
        foreach (var guarantee in Enum.GetValues<Guarantee>())
        {
            var options = new RequirementOptions { Probability = .9, Guarantee = guarantee };
            var test = new RequirementTest(options, s_plan);
            var result = test.AddRun(new(60, 60));
            for (var run = 1; result.Verdict == RequirementVerdict.Withheld; run++)
                result = test.AddRun(new(60, 60));
            var runs = result.DecidedAfterRuns!.Value;
            Assert.That(result.Options.Guarantee, Is.EqualTo(guarantee));
            var error = RequirementPromise.Error(options);
            Assert.That(
                error,
                Does.StartWith(
                        "a test passes although the truth is 0.8 or less, or fails "
                            + "although it is 0.9 or more, with a probability of at most 0.01, "
                    )
                    .And.Contain(
                        guarantee == Guarantee.Any
                            ? "whatever law all runs follow, those that do not count taken at their worst, if"
                            : "if runs are independent of each other and vary around one level"
                    )
            );
            var open = RequirementPromise.NotExcluded(result);
            // 1 - .01^(1/5) = .602.
            Assert.That(
                (runs, open),
                Is.EqualTo(
                    guarantee == Guarantee.Any
                        ? (23, "Not covered: a broker whose state carries over from one run to the next.")
                        : (
                            5,
                            "Not excluded after 5 runs: another state of the broker, "
                                + "in up to 60 % of the runs, that none of these showed."
                        )
                )
            );
        }
    }

    // A promise that is exactly used up is found broken in one of a thousand cells. Each with its seed, of so many
    // measurements. The power of the plan is among what is promised.
    [TestCase(Guarantee.Any, .8, .05, .2, 20, 56ul, 400)]
    [TestCase(Guarantee.Any, .95, .01, null, 60, 55ul, 200, Category = "Whole")]
    [TestCase(Guarantee.Model, .5, .01, null, 60, 52ul, 300, Category = "Whole")]
    [TestCase(Guarantee.Model, .85, .01, null, 60, 52ul, 300, Category = "Whole")]
    [TestCase(Guarantee.Model, .9, .01, null, 60, 52ul, 300, Category = "Whole")]
    [TestCase(Guarantee.Model, .95, .01, null, 60, 52ul, 300, Category = "Whole")]
    [TestCase(Guarantee.Model, .95, .05, null, 30, 53ul, 300, Category = "Whole")]
    public void No_law_of_runs_that_a_promise_is_made_for_breaks_it(
        Guarantee guarantee,
        double required,
        double error,
        double? indifference,
        int samplesPerRound,
        ulong seed,
        int measurements
    )
    {
        var options = new RequirementOptions
        {
            Probability = required,
            Indifference = indifference,
            Error = error,
        };
        var audit = new RequirementAudit(guarantee, [(options, samplesPerRound)]);
        Assert.That(audit.Cells.Count(cell => cell.Promise == error), Is.GreaterThanOrEqualTo(10));
        Assert.That(SimulatedPromises.Broken(audit, seed, measurements), Is.Empty);
    }

    // Five runs without a miss are the first that meet a requirement.
    [Test]
    public void Of_rare_bad_runs_as_many_are_excused_as_the_first_look_does_not_see() =>
        Assert.That(
            new RequirementAudit(Guarantee.Model, [(new() { Probability = .9 }, 60)])
                .Cells.First(cell => cell.Law!.RareShare == .15)
                .Floor,
            Is.EqualTo(Math.Pow(.85, 5)).Within(1e-9)
        );

    [TestCase(.95, .05)]
    [TestCase(.5, .1)]
    [TestCase(.1, .05)]
    [TestCase(.999, .001)]
    public void Without_an_indifference_at_most_twice_the_allowed_misses_pass(double required, double expected) =>
        Assert.That(
            new RequirementOptions { Probability = required }.EffectiveIndifference,
            Is.EqualTo(expected).Within(1e-12)
        );

    [Test]
    public void Options_out_of_range_are_all_named()
    {
        var options = new RequirementOptions
        {
            Probability = 1,
            Error = .5,
            Indifference = 2,
            MinimumRuns = 2,
            LargestCorrelation = .5,
        };
        Assert.That(options.Validate("test"), Has.Count.EqualTo(5).And.All.StartsWith("test: "));
        Assert.That(() => new RequirementTest(options, s_plan), Throws.TypeOf<InputException>());
    }
}
