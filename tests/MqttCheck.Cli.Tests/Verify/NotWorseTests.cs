using MqttCheck.App.Verify;
using MqttCheck.Cli.Run;
using MqttCheck.Cli.Verify;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;

namespace MqttCheck.Cli.Tests.Verify;

/// <summary>A prediction that was tested on one side only is called not worse, and counted apart.</summary>
[TestFixture]
internal sealed class NotWorseTests
{
    [Test]
    public void The_table_and_the_last_line_tell_not_worse_from_confirmed()
    {
        var screen = new TestScreen();
        VerdictReport[] verdicts =
        [
            Verdict(VerdictKind.NotWorse, 1, .97, new(.87, 1)),
            Verdict(VerdictKind.Confirmed, 20, .85, new(.75, .95)),
        ];
        VerdictTable.Print(screen.Screen, Prediction(verdicts), verdicts);
        Assert.That(screen.Output, Does.Match(@"up1 +20 ms +1 +0\.970 .*not worse +<=0\.870 +"));
        Assert.That(screen.Output, Does.Match(@"up1 +20 ms +20 +0\.850 .*confirmed +<=0\.750 >=0\.950 +"));
        Assert.That(screen.Output, Does.Contain("not worse: up1, 1 client, 20 ms: because"));
        Assert.That(screen.Output, Does.EndWith("2 verdicts: 1 confirmed, 1 not worse.\n"));
    }

    [Test]
    public void A_run_counts_not_worse_apart()
    {
        var screen = new TestScreen();
        VerdictReport[] verdicts =
        [
            Verdict(VerdictKind.NotWorse, 1, .97, new(.87, 1)),
            Verdict(VerdictKind.Confirmed, 20, .85, new(.75, .95)),
            Verdict(VerdictKind.NotWorse, 30, .95, new(.85, 1)),
        ];
        RunSummary.Print(screen.Screen, Prediction(verdicts), verdicts);
        Assert.That(
            screen.Output,
            Does.StartWith("not worse  up1, 1 client,").And.Contain("3 verdicts: 1 confirmed, 2 not worse.\n")
        );
    }

    // 'run --quick' takes .15 for indifferent: from .84 on, nothing that is better can be rejected.
    [TestCase(.15, .9, "1 of 1 prediction can be found not worse, but not confirmed: what would count as better")]
    [TestCase(.15, .8, "")]
    [TestCase(.1, .85, "")]
    public void Before_the_runs_it_is_said_what_cannot_be_confirmed(double indifference, double predicted, string said)
    {
        var note = VerificationAnnouncement.OneSided(
            [Point(20, predicted)],
            new()
            {
                Indifference = indifference,
                Error = .1,
                MinimumRuns = 3,
            }
        );
        Assert.That(note, said.Length == 0 ? Is.Empty : Does.Contain(said));
    }

    private static PredictedPoint Point(int clients, double predicted) =>
        new("up1", clients, 20, predicted, new(predicted - .02, Math.Min(1, predicted + .02)));

    private static VerdictReport Verdict(VerdictKind kind, int clients, double predicted, Statistics.Interval counts) =>
        new()
        {
            Point = Point(clients, predicted),
            Kind = kind,
            Reason = "because",
            CountsAsPredicted = counts,
            ErrorProbability = .005,
            ElapsedSeconds = 20,
        };

    private static Prediction Prediction(VerdictReport[] verdicts) =>
        new()
        {
            Model = new("m.json", "", "binned", "embedded"),
            Options = new() { Seed = 1 },
            Populations = [],
            Setups = [],
            Points = [.. verdicts.Select(verdict => verdict.Point)],
        };
}
