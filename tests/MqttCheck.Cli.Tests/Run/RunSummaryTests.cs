using MqttCheck.Cli.Run;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Tests.Run;

[TestFixture]
internal sealed class RunSummaryTests
{
    private static readonly PredictedPoint Point = new("up1", 200, 16, .874, new(.82, .93));

    [TestCase(VerdictKind.Confirmed, "confirmed  up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs")]
    [TestCase(VerdictKind.NotWorse, "not worse  up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs")]
    [TestCase(VerdictKind.Worse, "worse      up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs")]
    [TestCase(VerdictKind.Better, "better     up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs")]
    [TestCase(VerdictKind.Withheld, "withheld   up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs")]
    [TestCase(VerdictKind.Partial, "partial    up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs")]
    public void A_verdict_is_one_line(VerdictKind kind, string expected) =>
        Assert.That(RunSummary.Line(Verdict(kind)), Is.EqualTo(expected));

    [Test]
    public void Without_a_sequence_nothing_was_measured() =>
        Assert.That(
            RunSummary.Line(Verdict(VerdictKind.Withheld) with { MeasuredProbability = double.NaN, Runs = 0 }),
            Is.EqualTo("withheld   up1, 200 clients, 16 ms: predicted 0.874, not measured, 0 runs")
        );

    [TestCase(.9964, 1, "predicted 0.996, measured 1.000")]
    [TestCase(.0042, 0, "predicted 0.004, measured 0.000")]
    [TestCase(.9999, .0001, "predicted > 0.999, measured < 0.001")]
    [TestCase(.5, .9951, "predicted 0.500, measured 0.995")]
    public void Zero_and_one_are_not_said_by_rounding(double predicted, double measured, string expected) =>
        Assert.That(
            RunSummary.Line(
                Verdict(VerdictKind.NotWorse) with
                {
                    Point = Point with { Probability = predicted },
                    MeasuredProbability = measured,
                }
            ),
            Does.Contain(expected)
        );

    [Test]
    public void A_single_client_and_a_single_run_are_one() =>
        Assert.That(
            RunSummary.Line(Verdict(VerdictKind.Partial) with { Point = Point with { Clients = 1 }, Runs = 1 }),
            Does.Contain("up1, 1 client, ").And.EndsWith(", 1 run")
        );

    [Test]
    public void The_summary_has_a_line_for_each_verdict_their_error_and_how_many_points_were_verified()
    {
        var lines = Printed(
            Verdict(VerdictKind.Confirmed) with
            {
                ErrorProbability = .005,
            },
            Verdict(VerdictKind.Worse) with
            {
                Point = Point with { Clients = 50 },
                ErrorProbability = .005,
            }
        );
        Assert.That(
            lines,
            Is.EqualTo([
                "confirmed  up1, 200 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs",
                "worse      up1, 50 clients, 16 ms: predicted 0.874, measured 0.853, 8 runs",
                "All verdicts together: wrong with a probability of at most 0.01, if what they assume holds.",
                "Verified: 2 of 3 predicted points; the report and --verbose say more.",
            ])
        );
    }

    [Test]
    public void A_verdict_that_is_withheld_says_why() =>
        Assert.That(Printed(Verdict(VerdictKind.Withheld)), Has.Some.EqualTo("           because"));

    [Test]
    public void A_note_that_warns_is_printed_and_others_are_counted()
    {
        const string Caution = "It is off.";
        var screen = new TestScreen();
        var prediction = Predicted with { Notes = ["It is coarse.", Caution], Cautions = [Caution] };
        RunSummary.Print(screen.Screen, prediction, []);
        Assert.That(
            screen.Output.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries),
            Is.EqualTo([
                $"Note: {Caution}",
                "Verified: 0 of 3 predicted points; the report and --verbose say more (1 note).",
            ])
        );
    }

    [Test]
    public void Outside_of_training_every_note_is_printed()
    {
        var screen = new TestScreen();
        var prediction = Predicted with
        {
            Notes = ["The model has seen at most 100 clients."],
            Setups =
            [
                new()
                {
                    Profile = "up1",
                    Clients = 200,
                    IsOutsideTraining = true,
                    Replications = 1,
                    Sequences = 1,
                    Exchanges = 10,
                    MeanActive = 1,
                    MaximumActive = 1,
                    WorstMilliseconds = [10],
                },
            ],
        };
        RunSummary.Print(screen.Screen, prediction, []);
        Assert.That(screen.Output, Does.StartWith("Note: The model has seen at most 100 clients."));
    }

    [Test]
    public void Without_verdicts_the_summary_says_that_no_point_was_verified() =>
        Assert.That(Printed(), Has.Length.EqualTo(1).And.All.StartsWith("Verified: 0 of 3 predicted points;"));

    private static readonly Prediction Predicted = new()
    {
        Model = new("m.json", "", "binned", "embedded"),
        Options = new() { Seed = 1 },
        Populations = [],
        Setups = [],
        Points = [Point, Point with { Clients = 50 }, Point with { Clients = 100 }],
    };

    private static string[] Printed(params VerdictReport[] verdicts)
    {
        var screen = new TestScreen();
        RunSummary.Print(screen.Screen, Predicted, verdicts);
        return screen.Output.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
    }

    private static VerdictReport Verdict(VerdictKind kind) =>
        new()
        {
            Point = Point,
            Kind = kind,
            Reason = "because",
            MeasuredProbability = .8533,
            Runs = 8,
        };
}
