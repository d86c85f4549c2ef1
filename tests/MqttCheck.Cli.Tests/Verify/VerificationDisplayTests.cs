using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Verification;
using Spectre.Console;

namespace MqttCheck.Cli.Tests.Verify;

[TestFixture]
internal sealed class VerificationDisplayTests
{
    private static readonly PredictedPoint Point = new("up1", 10, 20, .85, new(.85, .85));

    [TestCase(0, "[----------#----------]")]
    [TestCase(5, "[----------|---------#]")]
    [TestCase(-5, "[#---------|----------]")]
    [TestCase(double.PositiveInfinity, "[----------|---------#]")]
    [TestCase(2.5, "[----------|----#-----]")]
    public void The_gauge_stays_between_the_bounds(double ratio, string expected) =>
        Assert.That(VerificationDisplay.Gauge(ratio, 5), Is.EqualTo(expected));

    [Test]
    public void Redirected_each_run_is_a_line_with_evidence_samples_and_interval_for_those_who_want_details()
    {
        var screen = new TestScreen();
        screen.Screen.Verbosity = Verbosity.Verbose;
        var verdict = Verify(screen.Screen, runs: 5).GetAwaiter().GetResult();
        var lines = screen.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(lines, Has.Length.EqualTo(5), screen.Error);
        Assert.That(
            lines[0],
            Does.StartWith(
                    "up1, 10 clients, 20 ms: run 1, 600 samples, 0.850 in time, 0.850 predicted; evidence not worse +"
                )
                .And.EndsWith("; interval -; variance between runs unknown")
        );
        Assert.That(
            lines[4],
            Does.Contain("run 5, 3000 samples")
                .And.Match(
                    @"not better \+\d+\.\d of 4\.6; interval \[0\.8\d+, 0\.8\d+\]; variance between runs 1\.0 x binomial; confirmed"
                )
        );
        Assert.That(verdict.Kind, Is.EqualTo(VerdictKind.Confirmed));
    }

    [TestCase("up1", "up1, 10 clients")]
    [TestCase(
        "up\u001b[31m1",
        @"up\e[31m1, 10 clients",
        TestName = "A_name_with_control_characters_is_escaped_in_the_table"
    )]
    public async Task On_a_terminal_a_table_is_drawn_again_and_again(string profile, string shown)
    {
        var text = new StringWriter();
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                Ansi = AnsiSupport.Yes,
                Interactive = InteractionSupport.Yes,
                ColorSystem = ColorSystemSupport.NoColors,
                Out = new AnsiConsoleOutput(text),
            }
        );
        console.Profile.Width = 220;
        var stream = new TerminalStream(text, new(console));
        await Verify(new Screen(stream, stream, interactive: true, TimeProvider.System), runs: 5, profile);
        Assert.That(
            text.ToString(),
            Does.Contain("worse .. as predicted")
                .And.Contain(shown)
                .And.Contain("600 (196)")
                .And.Contain("3000 (196)")
                .And.Contain("x1.0")
                .And.Contain("confirmed")
                .And.Contain("100 %")
        );
    }

    [Test]
    public async Task Redirected_single_runs_are_no_lines_by_default()
    {
        var screen = new TestScreen();
        await Verify(screen.Screen, runs: 5);
        Assert.That(screen.Error, Is.Empty);
    }

    private static Task<Verdict> Verify(Screen screen, int runs, string profile = "up1") =>
        screen.LiveAsync(
            "Verify",
            show =>
            {
                var display = new VerificationDisplay(show);
                var test = new PredictionTest(
                    Point with
                    {
                        Profile = profile,
                    },
                    new() { MinimumRuns = 5, PlannedRuns = 5 }
                );
                Verdict verdict = null!;
                for (var run = 1; run <= runs; run++)
                {
                    verdict = test.AddRun([
                        .. Enumerable
                            .Range(0, 600)
                            .Select(i => new Outcome(
                                run,
                                i % 10,
                                i / 10,
                                i,
                                new(i % 20 < 17 ? 10 : 30, 0, 0),
                                OutcomeStatus.Completed
                            )),
                    ]);
                    display.Report(new((double)run / runs, $"run {run}", [verdict], []));
                    display.Report(new((double)run / runs, $"run {run}", [verdict], [verdict]));
                }
                return Task.FromResult(verdict);
            }
        );
}
