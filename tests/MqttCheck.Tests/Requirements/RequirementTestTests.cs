using MqttCheck.Auditing;
using MqttCheck.Auditing.Promises;
using MqttCheck.Requirements;
using MqttCheck.Sequential.Runs;
using MqttCheck.Statistics;
using MqttCheck.Verification;

namespace MqttCheck.Tests.Requirements;

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
            if (run == runs)
                Assert.That(Math.Abs(result.Evidence), Is.GreaterThanOrEqualTo(result.Bound));
        }
        Assert.That(
            (result.DecidedAfterRuns, result.Samples, result.AreRareBadRunsExcluded),
            Is.EqualTo((runs, 720, true))
        );
    }

    // A broker with .9 whose samples of one run are correlated by .36 has every other run without a miss. Student's t
    // alone accepts five such runs.
    [Test]
    public void Runs_without_a_miss_do_not_exclude_rare_bad_runs_unless_there_are_enough()
    {
        var options = new RequirementOptions { Probability = .95, MinimumRuns = 5 };
        RequirementResult Perfect(RequirementOptions asked, int runs)
        {
            var test = new RequirementTest(asked, new(5, 5, 5, 1));
            RequirementResult result = null!;
            for (var run = 0; run < runs; run++)
                result = test.AddRun(new(100, 100));
            return result;
        }
        var five = Perfect(options, 5);
        Assert.That((five.Verdict, five.AreRareBadRunsExcluded), Is.EqualTo((RequirementVerdict.Withheld, false)));
        Assert.That(Math.Abs(five.Evidence), Is.GreaterThan(five.Bound));
        Assert.That(Perfect(options, 20).Verdict, Is.EqualTo(RequirementVerdict.Met));
        Assert.That(
            RequirementPlan.For(options with { LargestCorrelation = .05 }, 100, 1).FirstMetLook,
            Is.LessThan(RequirementPlan.For(options with { MinimumRuns = 3 }, 100, 1).FirstMetLook)
        );
    }

    // A false alarm needs a true rate at the promise and a draw beyond the 99 % bound: at most 1 % per study if the
    // promise is exactly used up. Seed 52.
    [Test]
    [Category("Whole")]
    public void Wrong_verdicts_stay_below_the_stated_error_at_the_planned_length(
        [Values(.5, .85, .9, .95)] double required
    ) => Study(new() { Probability = required }, 60, 300, 52);

    [Test]
    [Category("Whole")]
    public void Short_runs_and_a_larger_error_keep_the_promise_too() =>
        Study(new() { Probability = .95, Error = .05 }, 30, 300, 53);

    // The same with 1000 measurements and requirements near 1 and 0; each takes some tens of seconds. Seed 54.
    [Test, Explicit]
    public void Wrong_verdicts_stay_below_the_stated_error_in_a_thousand_measurements(
        [Values(.1, .5, .85, .9, .95, .99)] double required,
        [Values(60, 400)] int samplesPerRound
    ) => Study(new() { Probability = required }, samplesPerRound, 1000, 54);

    private static void Study(RequirementOptions options, int samplesPerRound, int measurements, ulong seed)
    {
        var plan = RequirementPlan.For(options, samplesPerRound, 1);
        var planned = plan.Rounds * samplesPerRound;
        TestContext.Out.WriteLine($"p {options.Probability}, error {options.Error}: {plan}");
        Assert.Multiple(() =>
        {
            // At the planned length, moreover, the correlation that 180 means in runs of 500.
            OutcomeDependence[] dependences =
            [
                OutcomeDependence.None,
                OutcomeDependence.BetweenRuns(1.2),
                OutcomeDependence.BetweenRuns(8),
                OutcomeDependence.BetweenRuns(180),
                OutcomeDependence.InsideRuns(.5),
                OutcomeDependence.BetweenRuns(1 + .36 * (planned - 1)),
            ];
            foreach (var dependence in dependences)
            {
                var samples = dependence.Inflation == 180 ? Math.Max(planned, SmallestMoodyRun) : planned;
                foreach (
                    var (truth, wrong) in ((double, RequirementVerdict)[])
                        [
                            (options.Probability, RequirementVerdict.Violated),
                            (options.Probability - options.EffectiveIndifference, RequirementVerdict.Met),
                        ]
                )
                {
                    if (dependence.Inflation >= samples)
                        continue;
                    int errors = 0,
                        withheld = 0,
                        runs = 0;
                    for (ulong i = 0; i < (ulong)measurements; i++)
                    {
                        var random = RandomStream.For(seed, i);
                        var test = new RequirementTest(options, plan);
                        var verdict = RequirementVerdict.Withheld;
                        for (var run = 1; run <= plan.Runs + 3 && verdict == RequirementVerdict.Withheld; run++, runs++)
                        {
                            verdict = test.Decide(Run(dependence, truth, samples, run, ref random));
                            if (run == plan.Runs && verdict == RequirementVerdict.Withheld)
                                withheld++;
                        }
                        if (verdict == wrong)
                            errors++;
                    }
                    var seen =
                        $"truth {truth:0.###}, {dependence.Name}: wrong {errors}, withheld {withheld} "
                        + $"of {measurements}, {(double)runs / measurements:0.0} runs of {samples}";
                    TestContext.Out.WriteLine(seen);
                    Assert.That(
                        BinomialIntervals.LowerBound(errors, measurements, .01),
                        Is.LessThanOrEqualTo(options.Error),
                        seen
                    );
                    if (dependence.Inflation == VerificationPlan.QuietInflation)
                        Assert.That(withheld, Is.LessThanOrEqualTo(measurements / 10), seen);
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
        // Seed 55, 200 measurements: .90 at least are promised; fewer than .84 has a probability below .5 % then.
        foreach (var truth in new[] { required, required - options.EffectiveIndifference })
        {
            var (share, meanRuns) = Power(options, plan, truth);
            Assert.That(share, Is.GreaterThanOrEqualTo(.84), $"truth {truth}: {plan}, {meanRuns} runs");
        }

        int Runs(RunCount run)
        {
            var test = new RequirementTest(options, plan);
            for (var runs = 1; ; runs++)
                if (test.Decide(run) != RequirementVerdict.Withheld)
                    return runs;
        }
    }

    // How often simulated brokers get their verdict within the planned number of runs of 60 samples a round, and after
    // how many.
    private static (double Share, double MeanRuns) Power(RequirementOptions options, RequirementPlan plan, double truth)
    {
        const int Measurements = 200;
        var law = RunLaw.BetaBinomial(1.2);
        var fill = law.Runs(truth, Math.Max(law.FewestSequences, 60 * plan.Rounds));
        var right = truth >= options.Probability ? RequirementVerdict.Met : RequirementVerdict.Violated;
        int found = 0,
            made = 0;
        for (ulong number = 0; number < Measurements; number++)
        {
            var random = RandomStream.For(55, number);
            var runs = new RunCount[plan.Runs];
            fill(runs, ref random);
            var test = new RequirementTest(options, plan);
            var verdict = RequirementVerdict.Withheld;
            foreach (var run in runs)
            {
                made++;
                verdict = test.Decide(run);
                if (verdict != RequirementVerdict.Withheld)
                    break;
            }
            if (verdict == right)
                found++;
        }
        return ((double)found / Measurements, (double)made / Measurements);
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
            );
            Assert.That(
                error,
                Does.Contain(
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

    // Seed 56, 400 measurements a cell: the promise of .05 is kept if no lower 99.9 % bound lies above it; where it is
    // exactly used up that is so in all but 1 of 1000 cells.
    [Test]
    public void Without_an_assumption_no_law_of_independent_runs_breaks_the_promise()
    {
        var audit = new RequirementAudit(
            Guarantee.Any,
            [
                (
                    new()
                    {
                        Probability = .8,
                        Indifference = .2,
                        Error = .05,
                    },
                    20
                ),
            ]
        );
        Assert.That(audit.Cells.Count(cell => cell.Promise == .05), Is.GreaterThanOrEqualTo(18));
        Assert.Multiple(() =>
        {
            foreach (
                var (cell, number) in audit
                    .Cells.Select((cell, number) => (cell, number))
                    .Where(pair => pair.cell.Promise == .05)
            )
            {
                var count = PromiseTable.Simulate(cell, 56, (ulong)number, 0, 400, threads: 2);
                Assert.That(
                    BinomialIntervals.LowerBound(count.Wrong, count.Trials, .001),
                    Is.LessThanOrEqualTo(.05),
                    $"{cell.Variant}, {cell.Law}: {count}"
                );
            }
        });
    }

    // Of a broker with .2 in 15 % of its runs the model's test passes far more than 1 of 100, and at most what no test
    // sees: the audit must show that. Seed 57.
    [Test]
    public void The_audit_sees_what_rare_bad_runs_do_to_the_model()
    {
        var audit = new RequirementAudit(Guarantee.Model, [(new() { Probability = .9 }, 60)]);
        var (cell, number) = audit
            .Cells.Select((cell, number) => (cell, number))
            .First(pair => pair.cell.Law!.RareShare == .15);
        var count = PromiseTable.Simulate(cell, 57, (ulong)number, 0, 400, threads: 2);
        Assert.That(BinomialIntervals.LowerBound(count.Wrong, count.Trials, .001), Is.GreaterThan(.01));
        Assert.That(BinomialIntervals.LowerBound(count.Wrong, count.Trials, .001), Is.LessThan(cell.Allowed!.Value));
        Assert.That(cell.Floor, Is.EqualTo(Math.Pow(.85, 5)).Within(1e-9));
    }

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

    private static RunCount Run(
        OutcomeDependence dependence,
        double truth,
        int samples,
        int run,
        ref RandomStream random
    ) =>
        RunCount.Of(
            dependence.Run(run, samples, truth, SimulatedBroker.ThresholdMilliseconds, ref random),
            SimulatedBroker.ThresholdMilliseconds
        );
}
