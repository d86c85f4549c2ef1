using MqttCheck.App.Clusters.Survival;
using MqttCheck.App.Progress;
using MqttCheck.Cli.Survives;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Tests.Terminal;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Tests.Survives;

/// <summary>The table from runs whose outcomes are given; faults are those that every engine knows.</summary>
[TestFixture]
internal sealed class SurvivalStageTests
{
    private static readonly Topology s_one = ClusterInput.Parse(
        """{ "name": "one", "system": "mosquitto-bridge", "nodes": [ { "name": "a" } ], "links": [] }"""u8,
        "test"
    );

    private readonly ManualTime _time = new();
    private readonly TestScreen _screen = new();

    [Test]
    public async Task A_loss_needs_one_run_and_the_other_cells_go_on_until_the_time_is_over()
    {
        var runs = new PlannedRuns(
            _time,
            (fault, _) => fault == "kill" ? PlannedRuns.Losing(20, 0, 0) : PlannedRuns.Whole
        );
        var answer = await RunAsync(runs, Request());
        var lost = Cell(answer, "kill", "qos1");
        Assert.That((lost.Verdict, lost.First!.Value.Lost, lost.FirstRun), Is.EqualTo((SurvivalVerdict.Lost, 20, 1)));
        Assert.That(Words(answer, lost), Does.StartWith("No: lost 20 of 100, in "));
        var kept = Cell(answer, "kill", "retained");
        Assert.That(kept.Verdict, Is.EqualTo(SurvivalVerdict.Survives));
        Assert.That(
            Words(answer, kept),
            Is.EqualTo(
                FormattableString.Invariant($"lost none in {kept.Runs} runs: at most ")
                    + FormattableString.Invariant($"{Math.Ceiling(answer.Plan.AtMost(kept.Runs) * 1000) / 10:0.#} %")
            )
        );
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Refuted));
    }

    [Test]
    public async Task The_time_is_used_as_planned_and_stays_below_the_budget()
    {
        var answer = await RunAsync(new PlannedRuns(_time, (_, _) => PlannedRuns.Whole), Request());
        Assert.That(answer.Taken / answer.Planned, Is.InRange(.8, 1.0));
        Assert.That(answer.Taken, Is.LessThan(TimeSpan.FromMinutes(15)));
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Success));
        Assert.That(_screen.Error, Does.Match(@"2 rows, about \d+ runs each of about 9 s: about 13\.5 min in all"));
    }

    // Nobody knows beforehand which faults lose something.
    [Test]
    public async Task The_first_runs_tell_how_long_it_takes_where_runs_lose_something()
    {
        var runs = new PlannedRuns(_time, (_, _) => PlannedRuns.Losing(3, 0, 0)) { Run = TimeSpan.FromSeconds(25) };
        var answer = await RunAsync(runs, Request() with { MostRuns = 5, Budget = null });
        Assert.That(
            _screen.Error,
            Does.Match(@"about 1\.6 min in all; .*; up to 3\.7 min where every run loses something")
        );
        Assert.That(_screen.Error, Does.Contain("one: the first runs took 52 s, so about 4.2 min in all"));
        Assert.That(answer.Taken / answer.Planned, Is.InRange(.9, 1.1));
    }

    // A run that loses something waits for it, and its brokers start anew.
    [Test]
    public async Task A_row_that_the_budget_has_no_time_for_is_not_decided()
    {
        var runs = new PlannedRuns(_time, (_, _) => PlannedRuns.Whole) { Run = TimeSpan.FromSeconds(100) };
        var answer = await RunAsync(runs, Request() with { Budget = new TimeBudget(TimeSpan.FromSeconds(90)) });
        Assert.That(runs.Made, Is.EqualTo(["kill"]));
        Assert.That(
            Words(answer, Cell(answer, "freeze", "qos1")),
            Is.EqualTo("not decided: the budget had no time left for it")
        );
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Withheld));
    }

    // Retained messages that were lost once would make each run wait for them.
    [Test]
    public async Task A_row_that_is_decided_leaves_its_time_to_the_others_and_what_was_lost_is_not_asked_again()
    {
        var runs = new PlannedRuns(
            _time,
            (fault, _) =>
                fault == "kill"
                    ? new(PlannedRuns.Outcome(1, 1, 1, 1, "shared subscription", "will"), null)
                    : PlannedRuns.Losing(0, 2, 0)
        );
        var answer = await RunAsync(runs, Request());
        Assert.That(runs.Made.Count(fault => fault == "kill"), Is.EqualTo(1));
        Assert.That(runs.Made.Count(fault => fault == "freeze"), Is.GreaterThan(80));
        Assert.That(runs.Kept.Take(3), Is.EqualTo([true, true, false]));
        Assert.That(Cell(answer, "freeze", "retained").Runs, Is.GreaterThan(80), "the planned outcome still has some");
    }

    [Test]
    public async Task A_probability_that_is_asked_for_takes_its_runs_and_no_more()
    {
        var runs = new PlannedRuns(_time, (_, _) => PlannedRuns.Whole);
        var answer = await RunAsync(runs, Request() with { AtMost = .5, Budget = null });
        var needed = answer.Plan.RunsFor(.5);
        Assert.That(runs.Made, Has.Count.EqualTo(2 * needed));
        Assert.That(answer.Table.All.Where(cell => cell.IsTried).Select(cell => cell.Runs), Is.All.EqualTo(needed));
        Assert.That(answer.Plan.AtMost(needed), Is.LessThanOrEqualTo(.5));
    }

    // Each run takes ten times as long as planned, so that time alone would say that all is done.
    [Test]
    public async Task Progress_counts_the_runs_where_they_take_longer_than_planned()
    {
        var runs = new PlannedRuns(_time, (_, _) => PlannedRuns.Whole) { Run = TimeSpan.FromSeconds(90) };
        var progress = new RecordedProgress();
        await SurvivalStage.RunAsync(
            new Workplace(progress, _time, CancellationToken.None, CancellationToken.None),
            runs,
            Request() with
            {
                MostRuns = 1,
                Budget = null,
            }
        );
        Assert.That(progress.Shares, Is.EqualTo([0, .5]));
    }

    [Test]
    public async Task An_interrupted_table_has_the_rows_so_far()
    {
        using var interruption = new Interruption();
        var runs = new PlannedRuns(
            _time,
            (_, round) =>
            {
                if (round == 2)
                    interruption.Interrupt();
                return round == 2 ? null : PlannedRuns.Whole;
            }
        );
        var answer = await SurvivalStage.RunAsync(
            new Workplace(_screen.Screen, _time, interruption.Orderly, interruption.AtOnce),
            runs,
            Request()
        );
        Assert.That((answer.Conclusion, answer.IsInterrupted), Is.EqualTo((Conclusion.Interrupted, true)));
        Assert.That(answer.Table.All.Where(cell => cell.IsTried).Select(cell => cell.Runs), Is.All.EqualTo(2));
    }

    [Test]
    public async Task A_broker_that_does_not_come_back_ends_its_row_with_the_reason()
    {
        var runs = new PlannedRuns(
            _time,
            (fault, _) => fault == "kill" ? new(null, "node a does not answer") : PlannedRuns.Whole
        );
        var answer = await RunAsync(runs, Request());
        Assert.That(runs.Made.Count(fault => fault == "kill"), Is.EqualTo(2));
        Assert.That(Words(answer, Cell(answer, "kill", "qos1")), Is.EqualTo("not decided: node a does not answer"));
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Withheld));
        Assert.That(SurvivesText.Answer(answer), Does.EndWith("and the broker is killed are open"));
    }

    [Test]
    public async Task What_this_machine_cannot_show_is_not_tried_and_withholds_the_answer()
    {
        var request = Request() with { Only = ["kill", "power-failure"], WhyNoDisk = () => "it needs root" };
        var runs = new PlannedRuns(_time, (_, _) => PlannedRuns.Whole);
        var answer = await RunAsync(runs, request);
        Assert.That(Words(answer, Cell(answer, "power-failure", "qos2")), Is.EqualTo("not tried: it needs root"));
        Assert.That(runs.Made, Does.Not.Contain("power"));
        Assert.That(answer.Conclusion, Is.EqualTo(Conclusion.Withheld));
    }

    // A broker that takes QoS 1 promises nothing at QoS 2, which is no reason to withhold anything.
    [Test]
    public async Task What_is_not_promised_counts_in_no_error_and_withholds_nothing()
    {
        var all = await RunAsync(new PlannedRuns(_time, (_, _) => PlannedRuns.Whole), Request());
        var less = await RunAsync(new PlannedRuns(_time, (_, _) => PlannedRuns.Whole) { MaximumQos = 1 }, Request());
        Assert.That(less.Plan.Cells, Is.EqualTo(all.Plan.Cells - 2));
        Assert.That(Cell(less, "kill", "qos2").Verdict, Is.EqualTo(SurvivalVerdict.NotPromised));
        Assert.That(less.Table.Columns.Select(column => column.Name), Does.Not.Contain("qos2"));
        Assert.That(less.Conclusion, Is.EqualTo(Conclusion.Success));
    }

    [Test]
    public async Task A_repeat_is_a_loss_at_QoS_2_and_none_at_QoS_1()
    {
        var runs = new PlannedRuns(_time, (_, _) => new(PlannedRuns.Outcome(0, 0, 0, repeated: 2), null));
        var answer = await RunAsync(runs, Request() with { MostRuns = 1, Budget = null });
        Assert.That(Cell(answer, "kill", "qos1").Verdict, Is.EqualTo(SurvivalVerdict.Survives));
        Assert.That(Words(answer, Cell(answer, "kill", "qos2")), Is.EqualTo("No: repeated 2 of 90, in 1 of 1 run"));
    }

    [Test]
    public async Task Wills_and_shared_subscriptions_have_their_monitors()
    {
        var runs = new PlannedRuns(_time, (_, _) => new(PlannedRuns.Outcome(0, 0, 0, 0, "will", "will"), null));
        var answer = await RunAsync(runs, Request() with { MostRuns = 1, Budget = null });
        Assert.That(Words(answer, Cell(answer, "kill", "wills")), Is.EqualTo("No: broken 2 times, in 1 of 1 run"));
        Assert.That(Cell(answer, "kill", "shared-subscriptions").Verdict, Is.EqualTo(SurvivalVerdict.Survives));
    }

    [Test]
    public void A_cluster_has_rows_for_one_node_most_and_all_and_a_partition()
    {
        var names = SurvivalRow.Of(ClusterInput.Topology("nats-3")).Select(row => row.Name).ToList();
        Assert.That(
            names,
            Is.SupersetOf(
                new[] { "kill-one", "kill-majority", "kill-all", "freeze-all", "power-failure-all", "partition" }
            )
        );
        Assert.That(
            SurvivalRow.Of(ClusterInput.Topology("bridge-pair")).Select(row => row.Name),
            Does.Not.Contain("kill-majority")
        );
        Assert.That(SurvivalRow.Of(s_one).Select(row => row.Name), Is.EqualTo(SurvivalRow.Kinds.SkipLast(1)));
    }

    private Task<SurvivalAnswer> RunAsync(PlannedRuns runs, SurvivalRequest request) =>
        SurvivalStage.RunAsync(
            new Workplace(_screen.Screen, _time, CancellationToken.None, CancellationToken.None),
            runs,
            request
        );

    // Power and disks need root and loop devices.
    private static SurvivalRequest Request() =>
        new()
        {
            Topology = s_one,
            Only = ["kill", "freeze"],
            Budget = SurvivalPlan.Usual,
        };

    private static SurvivalCell Cell(SurvivalAnswer answer, string row, string column) =>
        answer.Table.All.Single(cell => cell.Row.Name == row && cell.Column.Name == column);

    private static string Words(SurvivalAnswer answer, SurvivalCell cell) => SurvivesText.Words(cell, answer.Plan);

    private sealed class RecordedProgress : IWorkProgress
    {
        public List<double> Shares { get; } = [];

        public void Report(double share, string activity) => Shares.Add(share);

        public void Count(string words) { }

        public void Warn(params IEnumerable<string> texts) { }

        public void Note(string text) { }

        public void Detail(string text) { }

        public Task<TResult> ProgressAsync<TResult>(
            string title,
            Func<Action<double, string>, Task<TResult>> work,
            Func<TResult, string>? outcome = null
        ) => work(Report);
    }
}
