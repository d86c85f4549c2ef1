using System.Text.RegularExpressions;
using MqttCheck.App.Run;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;
using MqttCheck.Properties.Live;
using MqttCheck.Properties.Traces;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Tests.Verify;

/// <summary>
/// Every live command with a budget: one that cannot suffice is refused before anything is started, and the one that
/// the refusal names is accepted. Nothing listens at the address, and the user has interrupted, so an accepted command
/// ends there.
/// </summary>
[TestFixture]
internal sealed partial class BudgetTableTests : DirectoryFixture
{
    private static readonly string[] s_budgets = ["1s", "5s", "60s"];

    private static readonly string[][] s_commands =
    [
        ["run", "--broker", "mqtt://127.0.0.1:1", "--out", "OUT"],
        ["run", "--broker", "mqtt://127.0.0.1:1", "--guarantee", "any", "--out", "OUT"],
        ["verify", "PREDICTION", "--broker", "mqtt://127.0.0.1:1", "--out", "OUT"],
        ["verify", "--property", "P>=0.9[ G latency < 1s ]", "--broker", "mqtt://127.0.0.1:1", "--out", "OUT"],
        [
            "verify",
            "--property",
            "P>=0.9[ G latency < 1s ]",
            "--guarantee",
            "any",
            "--broker",
            "mqtt://127.0.0.1:1",
            "--out",
            "OUT",
        ],
        [
            "verify",
            "--property",
            "Q0.9[ max latency ] < 1s",
            "--profile",
            "population",
            "--clients",
            "sensors=300+dashboards=10+gateways=0",
            "--broker",
            "mqtt://127.0.0.1:1",
            "--out",
            "OUT",
        ],
        ["compare", "--brokers", "mqtt://127.0.0.1:1,mqtt://127.0.0.1:2", "--out", "OUT"],
        ["compare", "--brokers", "mqtt://127.0.0.1:1,mqtt://127.0.0.1:2", "--guarantee", "any", "--out", "OUT"],
        // A folder inside a file cannot be written, which is said after the budget was accepted.
        ["cluster", "run", "mesh:3", "--for", "2s", "--property", "P>=0.9[ lost = 0 ]", "--out", "FILE/x"],
    ];

    private static IEnumerable<TestCaseData> Cases =>
        s_commands.SelectMany(command =>
            s_budgets.Select(budget =>
                new TestCaseData(command, budget).SetArgDisplayNames(string.Join(' ', command), budget)
            )
        );

    [TestCaseSource(nameof(Cases))]
    public async Task A_budget_is_accepted_or_refused_with_one_that_is(string[] command, string budget)
    {
        var words = Words(command);
        var refused = await RefusedAsync([.. words, "--budget", budget]);
        if (budget == "1s")
            Assert.That(refused, Is.Not.Null, "no verdict takes a second");
        if (refused is null)
            return;
        Assert.That(refused, Does.Contain($"--budget: {budget}"));
        var suggested = Suggestion().Match(refused).Groups[1].Value;
        Assert.That(suggested, Is.Not.Empty, refused);
        Assert.That(await RefusedAsync([.. words, "--budget", suggested]), Is.Null);
    }

    // Seed 5; no false alarm, because a rule is checked and nothing is estimated.
    [Test]
    public void Whatever_the_profile_the_budget_that_a_refusal_names_is_accepted()
    {
        var random = RandomStream.For(5);
        var refusals = 0;
        for (var i = 0; i < 30; i++)
        {
            var clients = 1 + (int)(400 * random.NextDouble());
            var population = Population.Of(
                ProfileFile.Read("up1").Groups[0].Profile with
                {
                    WaitMilliseconds = new ExponentialLaw(Math.Exp(2 + 7 * random.NextDouble())),
                    SequenceLength = 1 + (int)(30 * random.NextDouble()),
                }
            );
            var given = new TimeBudget(TimeSpan.FromSeconds(Math.Exp(5 * random.NextDouble())));
            var text = Math.Round(.5 + .49 * random.NextDouble(), 2);
            var property = LiveProperty.Of(
                TraceProperty.Parse(FormattableString.Invariant($"P>={text}[ G latency < 1s ]")),
                population
            );
            var plan = LivePropertyPlan.For(property, property.Requirement(.01), population, clients);
            AssertAccepted(given, budget => plan.Require(budget, "--budget"));
            var asked = AskedTest.Of(RunPlan.Full);
            AssertAccepted(
                given,
                budget =>
                    BudgetCheck.Require(
                        budget,
                        asked.ScheduleBefore([(population, clients)], 1, budget),
                        asked.ScheduleBefore([(population, clients)], 1, null)
                    )
            );
        }
        Assert.That(refusals, Is.GreaterThan(10), "or nothing was asked");

        void AssertAccepted(TimeBudget budget, Action<TimeBudget> require)
        {
            try
            {
                require(budget);
            }
            catch (InputException refused)
            {
                refusals++;
                Assert.That(Values.TryDuration(Suggestion().Match(refused.Message).Groups[1].Value, out var time));
                Assert.That(() => require(new(time)), Throws.Nothing, refused.Message);
            }
        }
    }

    [Test]
    public void The_command_that_repeats_a_withheld_verdict_has_the_budget_that_it_takes_in_place_of_the_hopeless_one()
    {
        Assert.That(
            Repeat.CommandLine(["verify", "--budget", "5s", "--clients", "9"], 1, TimeSpan.FromMinutes(15)),
            Is.EqualTo("mqttcheck verify --clients 9 --budget 15m --seed 1")
        );
        Assert.That(
            Repeat.CommandLine(["verify", "--budget=5s"], 1, TimeSpan.FromSeconds(70)),
            Is.EqualTo("mqttcheck verify --budget 70s --seed 1")
        );
        Assert.That(
            Repeat.CommandLine(["verify", "--budget", "5s"], 1),
            Is.EqualTo("mqttcheck verify --budget 5s --seed 1")
        );
    }

    // The smallest number of runs is 3; what is open after some runs takes those up to the next look.
    [Test]
    public void More_time_than_an_open_verdict_had_is_accepted_and_holds_the_next_look()
    {
        var population = ProfileFile.Read("up1");
        var property = LiveProperty.Of(TraceProperty.Parse("P>=0.9[ G latency < 1s ]"), population);
        var plan = LivePropertyPlan.For(property, property.Requirement(.01), population, 100);
        foreach (var made in new[] { 0, 1, 3, plan.Runs.Runs, 2 * plan.Runs.Runs })
        {
            var slow = plan.RunTime * 2;
            var more = plan.More(made, slow * made);
            Assert.That(() => plan.Require(new(more), "--budget"), Throws.Nothing);
            Assert.That(more, Is.GreaterThan(made * slow).And.GreaterThanOrEqualTo(plan.Planned));
        }
    }

    private string[] Words(string[] command) =>
        [
            .. command.Select(word =>
                word switch
                {
                    "OUT" => Path.Combine(Folder, "out"),
                    "FILE/x" => Path.Combine(WithText("file", ""), "x"),
                    "PREDICTION" => TestTool.Sample("results/embedded.prediction.json"),
                    _ => word,
                }
            ),
        ];

    private string WithText(string name, string text)
    {
        var path = In(name);
        File.WriteAllText(path, text);
        return path;
    }

    private static async Task<string?> RefusedAsync(string[] words)
    {
        // An accepted command ends before its first run.
        var screen = new TestScreen();
        using var interruption = new Interruption();
        interruption.Interrupt();
        var code = await ToolCommands.RunAsync(words, screen.Screen, interruption);
        var said = screen.Error.ReplaceLineEndings(" ");
        Assert.That(code, Is.Not.EqualTo(ExitCode.Success), "nothing listens there");
        return code == ExitCode.WrongInput && said.Contains("--budget", StringComparison.Ordinal) ? said : null;
    }

    [GeneratedRegex(@"allowed: --budget (\d+[sm])")]
    private static partial Regex Suggestion();
}
