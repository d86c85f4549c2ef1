using System.Globalization;
using MqttCheck.App.Check;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Loads;
using MqttCheck.Cli.Check;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Account;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Check;

[TestFixture]
internal sealed class StatementsPageTests : DirectoryFixture
{
    private const string Name = "docs/reference/statements.md";

    // Only the figures are of a run. All else follows from the code.
    [Test]
    public void The_page_of_the_documentation_is_what_the_tool_writes()
    {
        var page = File.ReadAllText(RepositoryFiles.At(Name));
        var begin = page.IndexOf("The last column", StringComparison.Ordinal);
        var run = page[begin..page.IndexOf("\n\n| statements |", StringComparison.Ordinal)];
        var judged = Judged(page);
        Assert.That(
            page,
            Is.EqualTo(StatementsPage.Markdown(run, statement => judged[statement])),
            $"write it again with mqttcheck check --broker embedded --statements FILE"
        );
        Assert.That(run, Does.Contain("\n    mqttcheck check --broker embedded"));
    }

    // A row of the page that nobody judged in that minute is a statement which a right broker gives no occasion for.
    [Test]
    public void Most_statements_that_are_exercised_were_judged_five_times_in_the_run_of_the_page()
    {
        var judged = Judged(File.ReadAllText(RepositoryFiles.At(Name)));
        var seldom = judged
            .Where(pair => pair.Key.Standing == Standing.Exercised && pair.Value < 5)
            .Select(pair => $"{pair.Key.Version} {pair.Key.Number}")
            .ToList();
        Assert.That(seldom, Has.Count.LessThanOrEqualTo(15), string.Join(", ", seldom));
    }

    [TestCase("none", "3.1.1,3.10.4-1,server,exercised,\\d+,kept\n")]
    [TestCase("ignore-unsubscribe:1", "3.1.1,3.10.4-1,server,exercised,\\d+,violated\n")]
    public async Task A_check_writes_what_was_kept_and_violated(string faults, string line)
    {
        var file = In("account.csv");
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Broker = new BrokerOptions { Faults = FaultPlan.Parse(faults, "test") } }
        );
        var (code, screen) = await TestTool.RunAsync([
            "check",
            "--broker",
            $"mqtt://{broker.Address}",
            "--protocol",
            "3.1.1",
            "--only",
            "unsubscribed",
            "--well-formed",
            "--for",
            "4s",
            "--out",
            In("findings.json"),
            "--statements",
            file,
        ]);
        Assert.That(code, Is.EqualTo(faults == "none" ? ExitCode.Success : ExitCode.Refuted), screen.Error);
        var text = await File.ReadAllTextAsync(file);
        Assert.That(text.Split('\n', StringSplitOptions.RemoveEmptyEntries), Has.Length.EqualTo(1 + 141 + 251));
        Assert.That(text, Does.Match(line).And.Contain("\n5,3.10.4-1,server,exercised,0,not judged\n"));
    }

    [Test]
    public void What_was_seen_and_not_repeated_is_not_kept()
    {
        var report = new CheckReport
        {
            Findings = [],
            Suspicions = [],
            NotLookedInto =
            [
                new Deviation(Statements.Pingresp, "no answer", "", 0),
                new Deviation(Statements.Encoding, "MQTT-3.2.2-8 in CONNACK", "", 0),
            ],
            Exercised = new Dictionary<Statement, long>(),
            Deviations = new Dictionary<string, int>(),
            Scenarios = 0,
            Commands = 0,
            Exploring = TimeSpan.Zero,
        };
        Assert.That(
            AccountLine.Of(report).Where(line => line.IsSeen).Select(line => line.Statement.Number),
            Is.EqualTo(["3.12.4-1", "3.2.2-8", "3.12.4-1"])
        );
    }

    private static Dictionary<StandardStatement, long> Judged(string page)
    {
        var figures = new Dictionary<(string Version, string Number), long>();
        var version = "";
        foreach (var line in page.Split('\n'))
        {
            if (line.StartsWith("## ", StringComparison.Ordinal))
                version = line[3..].Replace("MQTT ", "", StringComparison.Ordinal);
            else if (line.Split(" | ") is [var first, _, _, _, var last] && char.IsDigit(first[^1]))
                figures[(version, first[2..])] = long.TryParse(
                    last.Trim(' ', '|'),
                    CultureInfo.InvariantCulture,
                    out var times
                )
                    ? times
                    : 0;
        }
        return StandardAccount.All.ToDictionary(
            statement => statement,
            statement => figures.GetValueOrDefault((BrokerVersions.Name(statement.Version), statement.Number))
        );
    }
}
