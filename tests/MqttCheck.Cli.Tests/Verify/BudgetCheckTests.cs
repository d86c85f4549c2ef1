using System.Text.RegularExpressions;
using MqttCheck.Cli.Verify;
using MqttCheck.Profiles;
using MqttCheck.Verification;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Tests.Verify;

/// <summary>
/// A real fleet whose sensors speak every five seconds: the default budget is refused before anything is started, with
/// one that suffices.
/// </summary>
[TestFixture]
internal sealed class BudgetCheckTests : DirectoryFixture
{
    private string _fleet = "";

    [SetUp]
    public void Edit_a_copy_of_the_population()
    {
        _fleet = In("my-fleet.json");
        File.WriteAllText(
            _fleet,
            File.ReadAllText(Path.Combine(RepositoryFiles.Root, "profiles", "population.json"))
                .Replace("\"$schema\": \"profile.schema.json\",", "", StringComparison.Ordinal)
                .Replace("\"population\"", "\"my-fleet\"", StringComparison.Ordinal)
                .Replace("\"exponential\": 1000", "\"exponential\": 5000", StringComparison.Ordinal)
        );
    }

    [Test]
    public async Task The_refusal_names_the_number_and_the_suggestion_works()
    {
        string[] command =
        [
            "run",
            "--profile",
            _fleet,
            "--clients",
            "sensors=300+dashboards=10+gateways=0",
            "--out",
            Folder,
        ];
        var (code, screen) = await TestTool.RunAsync(command);
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(
            screen.Error,
            Does.Contain("--budget: 92s by default cannot suffice")
                .And.Contain("my-fleet with 310 clients")
                .And.Contain("waits of 5000 ms")
                .And.Contain("(group sensors)")
        );
        Assert.That(Directory.EnumerateFileSystemEntries(Folder).Count(), Is.EqualTo(1), "nothing was started");
        var suggested = Regex.Match(screen.Error, @"allowed: --budget (\d+)m").Groups[1].Value;
        var schedule = VerificationSchedule.Before(
            [.. FleetSizes.Of(310).Of([ProfileFile.Read(_fleet)]).Select(fleet => (fleet.Population, 310))],
            new() { MinimumRuns = 8 },
            isFixed: false,
            TimeSpan.FromMinutes(int.Parse(suggested, System.Globalization.CultureInfo.InvariantCulture))
        );
        Assert.That(new TimeBudget(schedule.Budget).Holds(schedule.Time));
        Assert.That(schedule.Runs, Is.GreaterThanOrEqualTo(8));
    }

    [Test]
    public async Task A_comparison_is_refused_alike()
    {
        var (code, screen) = await TestTool.RunAsync(
            "compare",
            "--brokers",
            "embedded,embedded:constant:3ms",
            "--profile",
            _fleet,
            "--clients",
            "310",
            "--out",
            Folder
        );
        Assert.That(code, Is.EqualTo(ExitCode.WrongInput));
        Assert.That(
            screen.Error,
            Does.Match(@"--budget: 120s per broker by default cannot suffice.*allowed: --budget \d+m")
        );
    }

    [Test]
    public void What_fits_is_announced_and_what_is_left_out_is_said()
    {
        var screen = new TestScreen();
        (Population, int)[] setups = [(ProfileFile.Read("up1"), 100), (ProfileFile.Read(_fleet), 100)];
        var (fitted, wanted) = (
            VerificationSchedule.Before(setups, new() { MinimumRuns = 8 }, false, TimeSpan.FromSeconds(92)),
            VerificationSchedule.Before(setups, new() { MinimumRuns = 8 }, false, null)
        );
        VerifyText.Announce(screen.Screen, TimeSpan.FromSeconds(60), fitted, wanted);
        Assert.That(screen.Error, Does.Contain("planned: exploring 60s, then "));
        Assert.That(wanted.Setups, Has.Count.EqualTo(2));
        if (fitted.Setups.Count == 1)
            Assert.That(screen.Error, Does.Contain("holds 1 of 2 setups"));
    }
}
