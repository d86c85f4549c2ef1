using System.Globalization;
using MqttCheck.Cli.Run;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Verification;
using Spectre.Console;

namespace MqttCheck.Cli.Tests.Terminal;

/// <summary>
/// A run with figures that are always the same, on screens of several kinds. What they show is compared with the files
/// of the folder Approved.
/// </summary>
[TestFixture]
internal sealed class ScreenTests
{
    private static readonly PredictedPoint Point = new("up1", 200, 16, .85, new(.82, .93));

    [TestCase("terminal-120", 120, Verbosity.Normal)]
    [TestCase("pipe", null, Verbosity.Normal)]
    [TestCase("pipe-verbose", null, Verbosity.Verbose)]
    [TestCase("pipe-quiet", null, Verbosity.Quiet)]
    public Task What_is_shown_is_what_was_approved(string approved, int? columns, Verbosity verbosity) =>
        Compare(approved, columns, [], verbosity);

    [Test]
    public async Task A_terminal_without_colours_shows_the_same_as_one_with_them()
    {
        Assert.That(await Compare("terminal-80", 80, [("NO_COLOR", "1")]), Does.Not.Match(@"\u001b\[[0-9;]*m"));
        Assert.That(await Compare("terminal-80", 80, []), Does.Match(@"\u001b\[[0-9;]*m"));
    }

    // A terminal that a build pretends to have keeps every line.
    [TestCase("CI", "true")]
    [TestCase("TERM", "dumb")]
    public async Task A_log_is_written_as_to_a_pipe(string variable, string value)
    {
        var written = await Compare("pipe", 80, [(variable, value)]);
        Assert.That(written, Does.Not.Contain('\u001b').And.Not.Contain('\r'));
    }

    [Test]
    public async Task Progress_that_says_nothing_is_shown_after_two_seconds_and_then_every_five()
    {
        var error = await WatchAsync(
            "learn",
            (_, time, shown) =>
            {
                time.Advance(TimeSpan.FromSeconds(1.9));
                Assert.That(shown.Written, Is.Empty);
                time.Advance(TimeSpan.FromSeconds(10.2));
            }
        );
        Assert.That(error.Text.Split('\n'), Is.EqualTo(["learn: 2.0 s", "learn: 7.0 s", "learn: 12.0 s", ""]));
    }

    [Test]
    public async Task A_count_belongs_to_what_was_reported_before_it()
    {
        var error = await WatchAsync(
            "predict",
            (screen, time, _) =>
            {
                screen.Report(.5, "up1, 50 clients");
                screen.Count("16 of 1060 replications");
                time.Advance(TimeSpan.FromSeconds(2));
                screen.Report(.6, "up2, 50 clients");
                time.Advance(TimeSpan.FromSeconds(5));
            }
        );
        Assert.That(
            error.Text.Split('\n'),
            Is.EqualTo([
                "predict: 50 %, up1, 50 clients, 16 of 1060 replications, 2.0 s",
                "predict: 60 %, up2, 50 clients, 7.0 s",
                "",
            ])
        );
    }

    [Test]
    public async Task What_serves_until_it_is_stopped_shows_no_progress()
    {
        var error = await WatchAsync(
            "broker",
            (screen, time, _) =>
            {
                screen.Serve();
                time.Advance(TimeSpan.FromSeconds(60));
            }
        );
        Assert.That(error.Written, Is.Empty);
    }

    [Test]
    public void Sentences_are_wrapped_on_a_terminal_and_whole_in_a_pipe([Values] bool isTerminal)
    {
        var image = new TerminalImage(1000);
        var screen = Screen.Of(_ => null, (new StringWriter(), true), (image, !isTerminal), new ManualTime());
        if (isTerminal)
            MakeTerminal(screen.Error.Console.Value, 40, hasColors: false);
        const string Sentence = "a warning that says what it means in more words than a line has";
        screen.Warn(Sentence);
        screen.Fail(Sentence);
        screen.Note(Sentence);
        Assert.That(
            image.Text.Split('\n')[..^1],
            Is.EqualTo(
                isTerminal
                    ? (string[])
                        [
                            "warning: a warning that says what it",
                            "  means in more words than a line has",
                            "error: a warning that says what it means",
                            "  in more words than a line has",
                            "a warning that says what it means in",
                            "  more words than a line has",
                        ]
                    : [$"warning: {Sentence}", $"error: {Sentence}", Sentence]
            )
        );
    }

    // Shows a stage in which this happens, and returns the terminal.
    private static async Task<TerminalImage> WatchAsync(string stage, Action<Screen, ManualTime, TerminalImage> happens)
    {
        var (time, error) = (new ManualTime(), new TerminalImage(1000));
        var screen = Screen.Of(_ => null, (new StringWriter(), true), (error, true), time);
        await screen.WatchAsync(
            stage,
            () =>
            {
                happens(screen, time, error);
                return Task.FromResult(0);
            }
        );
        return error;
    }

    private static async Task<string> Compare(
        string approved,
        int? columns,
        (string Name, string Value)[] variables,
        Verbosity verbosity = Verbosity.Normal
    )
    {
        var isLog = columns is null || variables.Any(one => one.Name is "CI" or "TERM");
        var image = new TerminalImage(isLog ? 1000 : columns!.Value);
        var time = new ManualTime();
        var isRedirected = columns is null;
        var screen = Screen.Of(
            name => variables.FirstOrDefault(one => one.Name == name).Value,
            (image, isRedirected),
            (image, isRedirected),
            time
        );
        if (columns is { } width && !isLog)
            foreach (var stream in (TerminalStream[])[screen.Output, screen.Error])
                MakeTerminal(stream.Console.Value, width, variables.Length == 0);
        screen.Verbosity = verbosity;
        var shots = new List<string>();
        await RunAsync(screen, time, () => shots.Add(image.Text));
        shots.Add(image.Text);
        // The last picture of a log has all of them.
        var received = isLog ? image.Text : string.Join("~~~\n", shots);
        var file = RepositoryFiles.At($"tests/MqttCheck.Cli.Tests/Terminal/Approved/{approved}.txt");
        var wanted = File.Exists(file) ? await File.ReadAllTextAsync(file) : "";
        if (received != wanted)
        {
            var other = Path.Combine(TestContext.CurrentContext.WorkDirectory, $"{approved}.received.txt");
            await File.WriteAllTextAsync(other, received);
            Assert.That(received, Is.EqualTo(wanted), $"If it is as it should be, copy {other} to {file}.");
        }
        return image.Written;
    }

    // This process has no terminal, so its console is told how wide one is.
    private static void MakeTerminal(IAnsiConsole console, int columns, bool hasColors)
    {
        console.Profile.Width = columns;
        console.Profile.Height = 24;
        console.Profile.Encoding = System.Text.Encoding.UTF8;
        console.Profile.Capabilities.Ansi = true;
        console.Profile.Capabilities.Interactive = true;
        console.Profile.Capabilities.Unicode = true;
        if (hasColors)
            console.Profile.Capabilities.ColorSystem = ColorSystem.Standard;
    }

    private static Task<int> RunAsync(Screen screen, ManualTime time, Action shoot) =>
        screen.WatchAsync(
            "run",
            async () =>
            {
                screen.Note("planned: exploring 10s, then up1 with 200 clients in 3 runs each, at most 22s");
                screen.Note("broker: embedded 0.1.0 (settings default) at 127.0.0.1:1883");
                screen.Detail("a detail");
                await ExploreAsync(screen, time, shoot);
                screen.Report(double.NaN, "measuring the idle broker");
                time.Advance(TimeSpan.FromSeconds(3));
                shoot();
                var verdict = await VerifyAsync(screen, time, shoot);
                screen.Warn("1 of 3 runs are invalid: the generator was late.");
                Print(screen, verdict);
                return 0;
            }
        );

    private static Task<int> ExploreAsync(Screen screen, ManualTime time, Action shoot) =>
        screen.ProgressAsync(
            "Explore",
            report =>
            {
                report(.125, "case 1 of 8, 10 clients");
                time.Advance(TimeSpan.FromSeconds(2.5));
                shoot();
                report(
                    .62,
                    "case 5 of 8, with a name that is so long that no terminal of eighty columns has room for it"
                );
                time.Advance(TimeSpan.FromSeconds(5));
                shoot();
                // Planned anew, less of it is done than before.
                report(.5, "case 6 of 12, 10 clients");
                time.Advance(TimeSpan.FromSeconds(5));
                shoot();
                return Task.FromResult(10639);
            },
            exchanges => string.Create(CultureInfo.InvariantCulture, $"{exchanges} exchanges in 12 cases")
        );

    private static Task<Verdict> VerifyAsync(Screen screen, ManualTime time, Action shoot) =>
        screen.LiveAsync(
            "Verify",
            show =>
            {
                var display = new VerificationDisplay(show);
                var test = new PredictionTest(Point, new() { MinimumRuns = 3, PlannedRuns = 3 });
                Verdict verdict = null!;
                for (var run = 1; run <= 3; run++)
                {
                    verdict = test.AddRun([.. Enumerable.Range(0, 800).Select(sequence => Outcome(run, sequence))]);
                    display.Report(new(run / 3.0, $"run {run} of 3", [verdict], [verdict]));
                    time.Advance(TimeSpan.FromSeconds(4));
                    shoot();
                }
                return Task.FromResult(verdict);
            },
            verdict => string.Create(CultureInfo.InvariantCulture, $"{verdict.Samples} sequences in 3 runs")
        );

    private static Outcome Outcome(int run, int sequence) =>
        new(
            run,
            sequence % 10,
            sequence / 10,
            sequence,
            new(sequence % 20 < 17 ? 10 : 30, 0, 0),
            OutcomeStatus.Completed
        );

    private static void Print(Screen screen, Verdict verdict)
    {
        var prediction = new Prediction
        {
            Model = new("m.json", "", "binned", "embedded"),
            Options = new() { Seed = 1 },
            Populations = [],
            Setups = [],
            Points = [Point, Point with { Clients = 50 }],
            Notes = ["Do not trust this prediction.", "The prediction is coarse."],
            Cautions = ["Do not trust this prediction."],
        };
        RunSummary.Print(
            screen,
            prediction,
            [
                new()
                {
                    Point = Point,
                    Kind = verdict.Kind,
                    Reason = "so it is",
                    MeasuredProbability = verdict.Observed ?? double.NaN,
                    Runs = verdict.Runs.Count,
                },
                new()
                {
                    Point = Point with { Clients = 50 },
                    Kind = VerdictKind.Withheld,
                    Reason = "A verdict takes at least 3 runs.",
                    MeasuredProbability = double.NaN,
                    Runs = 0,
                },
            ]
        );
    }
}
