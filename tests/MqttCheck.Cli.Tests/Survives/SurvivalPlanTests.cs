using FsCheck;
using FsCheck.Fluent;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Tests.Survives;

/// <summary>How many runs are made, against the definition.</summary>
[TestFixture]
internal sealed class SurvivalPlanTests
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithMaxTest(300);

    private static readonly Arbitrary<(int Cells, double Error, double AtMost)> s_asked = Arb.From(
        from cells in Gen.Choose(1, 60)
        from error in Gen.Choose(1, 499)
        from atMost in Gen.Choose(1, 999)
        select (cells, error / 1000.0, atMost / 1000.0)
    );

    [Test]
    public void The_runs_are_the_fewest_whose_bound_is_small_enough() =>
        Prop.ForAll(
                s_asked,
                asked =>
                {
                    var plan = Plan(asked.Cells, asked.Error);
                    var runs = plan.RunsFor(asked.AtMost);
                    return Bound(runs) <= asked.AtMost + 1e-12 && (runs == 1 || Bound(runs - 1) > asked.AtMost - 1e-12);

                    double Bound(int n) => 1 - Math.Pow(asked.Error / asked.Cells, 1.0 / n);
                }
            )
            .Check(s_config);

    [Test]
    public void The_bound_is_1_minus_the_nth_root_of_the_error_of_the_cell() =>
        Prop.ForAll(
                s_asked,
                asked =>
                    Math.Abs(
                        Plan(asked.Cells, asked.Error).AtMost(17) - (1 - Math.Pow(asked.Error / asked.Cells, 1 / 17.0))
                    ) < 1e-9
            )
            .Check(s_config);

    // A cell says too little for some number of runs without a loss only if it does for the smallest such number. So
    // many runs without a loss have a probability of at most its error, whenever the runs end.
    [Test]
    public void No_rule_of_stopping_makes_a_cell_wrong_more_often_than_its_error() =>
        Prop.ForAll(
                s_asked,
                asked =>
                {
                    var plan = Plan(asked.Cells, asked.Error);
                    var first = Enumerable.Range(1, 100_000).First(runs => plan.AtMost(runs) < asked.AtMost);
                    return Math.Pow(1 - asked.AtMost, first) <= plan.CellError * (1 + 1e-9);
                }
            )
            .Check(s_config);

    [Test]
    public void The_errors_of_all_cells_together_are_the_stated_one() =>
        Assert.That(24 * Plan(24, .05).CellError, Is.EqualTo(.05).Within(1e-12));

    // A share of the usual budget is left for what takes longer than planned, and of a given one what clients take.
    [TestCase(true, 600)]
    [TestCase(false, 900)]
    public void A_budget_holds_the_runs_that_are_planned_in_it(bool isGiven, int seconds)
    {
        var (plan, budget) = (Plan(24, .05), new TimeBudget(TimeSpan.FromSeconds(seconds), isGiven));
        var runs = plan.RunsWithin(budget);
        Assert.That(plan.TimeOf(runs), Is.LessThanOrEqualTo(SurvivalPlan.Plannable(budget)));
        Assert.That(plan.TimeOf(runs + 1), Is.GreaterThan(SurvivalPlan.Plannable(budget)));
        Assert.That(SurvivalPlan.Plannable(budget), Is.LessThan(budget.Time));
    }

    [Test]
    public void A_budget_that_cannot_suffice_is_refused_with_one_that_can()
    {
        var plan = Plan(24, .05);
        var refused = Assert.Throws<InputException>(() => plan.RunsOf(new(TimeSpan.FromMinutes(5)), .05))!;
        Assert.That(
            refused.Message,
            Does.Match(@"^--budget: 300s cannot suffice: 'at most 5 %' takes 121 runs of each of 4 rows, .* allowed: ")
        );
        var enough = TimeSpan.FromMinutes(
            double.Parse(
                refused.Message.Split("allowed: --budget ")[1].Split('m')[0],
                System.Globalization.CultureInfo.InvariantCulture
            )
        );
        Assert.That(plan.RunsOf(new(enough), .05), Is.EqualTo(121));
    }

    [Test]
    public void A_budget_below_one_run_of_each_row_is_refused() =>
        Assert.That(
            () => Plan(24, .05).RunsOf(new(TimeSpan.FromSeconds(20)), null),
            Throws.TypeOf<InputException>().With.Message.Contains("1 run of each of 4 rows")
        );

    private static SurvivalPlan Plan(int cells, double error) =>
        new(4, cells, error, TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(3));
}
