using System.Text.Json;
using MqttCheck.Cli.Terminal;
using MqttCheck.MqttNet.Server;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Serve;

/// <summary>MQTTnet's server as a broker that the tool starts in a process of its own.</summary>
[TestFixture]
internal sealed class MqttNetBrokerTests : DirectoryFixture
{
    [Test]
    public async Task The_list_of_brokers_has_it_with_its_version_and_what_its_settings_are()
    {
        var screen = await TestTool.SucceedAsync("brokers");
        Assert.That(
            screen.Output,
            Does.Match($@"mqttnet +{MqttNetSettings.Version} +comes with mqttcheck; keeps sessions")
        );
    }

    [TestCase("mqttnet", "3.1.1")]
    [TestCase("mqttnet:tuned", "5")]
    [Category("Whole")]
    public async Task A_load_loses_nothing_and_its_results_name_the_server(string broker, string version)
    {
        var (code, screen) = await TestTool.RunAsync(
            "bench",
            "--broker",
            broker,
            "--pairs",
            "5",
            "--qos",
            "2",
            "--rate",
            "200",
            "--mqtt",
            version,
            "--for",
            "1s",
            "--out",
            Folder
        );
        // On a loaded machine the generator may be late, which is said; nothing else may be wrong.
        Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
        using var json = JsonDocument.Parse(await File.ReadAllTextAsync(In("bench.json")));
        var run = json.RootElement.GetProperty("runs")[0];
        Assert.That(
            (run.GetProperty("messages").GetInt64(), run.GetProperty("lost").GetInt64()),
            Is.EqualTo((200L, 0L))
        );
        Assert.That(run.GetProperty("broker").GetString(), Is.EqualTo($"{broker} {MqttNetSettings.Version}"));
    }
}
