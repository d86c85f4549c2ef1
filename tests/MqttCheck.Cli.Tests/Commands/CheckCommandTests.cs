using System.Text.Json;
using MqttCheck.Broker;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Tests.Commands;

[TestFixture]
internal sealed class CheckCommandTests
{
    private string _directory = "";

    [SetUp]
    public void Make_a_directory() => _directory = Directory.CreateTempSubdirectory("mqttcheck-check-").FullName;

    [TearDown]
    public void Delete_the_directory() => Directory.Delete(_directory, recursive: true);

    [Test]
    public async Task A_scenario_without_deviation_gives_exit_code_0_and_its_packets()
    {
        var (code, screen) = await RunAsync("none", "--protocol", "3.1.1", "--steps", "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1", "--times", "2");
        Assert.That(code, Is.EqualTo(ExitCode.Success), screen.Error);
        Assert.That(screen.Output, Does.Contain("--> PUBLISH     ~/a 'm0' QoS 1").And.Contain("no deviation in 2 repetitions"));
    }

    [Test]
    public async Task A_scenario_that_violates_a_MUST_gives_exit_code_1_and_the_statement()
    {
        var (code, screen) = await RunAsync("wrong-qos:1", "--protocol", "3.1.1", "--steps", "A connect clean; A subscribe ~/a:1; A publish ~/a qos=1", "--times", "1");
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Error);
        Assert.That(screen.Output, Does.Contain("MQTT-3.8.4-6 (MUST) 1 of 1"));
    }

    [Test]
    public async Task Exploration_prints_a_finding_once_and_writes_the_files()
    {
        var findings = Path.Combine(_directory, "findings.json");
        var summary = Path.Combine(_directory, "summary.md");
        var (code, screen) = await RunAsync("ignore-unsubscribe:1", "--protocol", "3.1.1", "--only", "unsubscribed", "--well-formed", "--for", "4s", "--out", findings, "--summary", summary);
        Assert.That(code, Is.EqualTo(ExitCode.Refuted), screen.Output + screen.Error);
        using var document = JsonDocument.Parse(await File.ReadAllTextAsync(findings));
        var first = document.RootElement.GetProperty("findings")[0];
        Assert.That(first.GetProperty("statement").GetString(), Is.EqualTo("MQTT-3.10.4-1"));
        Assert.That(first.GetProperty("scenario").GetArrayLength(), Is.LessThanOrEqualTo(6));
        Assert.That(screen.Output, Does.Contain(first.GetProperty("repeat").GetString()));
        Assert.That(await File.ReadAllTextAsync(summary), Does.Contain("| MQTT-3.10.4-1 | MUST |"));
    }

    private static async Task<(int Code, TestScreen Screen)> RunAsync(string faults, params string[] arguments)
    {
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions { Broker = new BrokerOptions { Faults = FaultPlan.Parse(faults, "test") } });
        var screen = new TestScreen();
        using var interruption = new Interruption();
        var code = await CommandLine.RunAsync(["check", "--broker", $"mqtt://{broker.Address}", .. arguments], screen.Screen, interruption);
        return (code, screen);
    }
}
