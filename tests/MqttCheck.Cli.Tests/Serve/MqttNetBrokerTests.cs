using System.Text.Json;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;
using MqttCheck.MqttNet.Server;

namespace MqttCheck.Cli.Tests.Serve;

/// <summary>MQTTnet's server as a broker that the tool starts in a process of its own.</summary>
[TestFixture]
internal sealed class MqttNetBrokerTests
{
    [Test]
    public async Task The_list_of_brokers_has_it_with_its_version_and_what_its_settings_are()
    {
        var (code, screen) = await RunAsync("brokers");
        Assert.That(code, Is.EqualTo(ExitCode.Success));
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
        var directory = Directory.CreateTempSubdirectory("mqttcheck-tests-").FullName;
        try
        {
            var (code, screen) = await RunAsync(
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
                directory
            );
            // On a loaded machine the generator may be late, which is said; nothing else may be wrong.
            Assert.That(code, Is.EqualTo(ExitCode.Success).Or.EqualTo(ExitCode.Withheld), screen.Output + screen.Error);
            using var json = JsonDocument.Parse(await File.ReadAllTextAsync(Path.Combine(directory, "bench.json")));
            var run = json.RootElement.GetProperty("runs")[0];
            Assert.That(
                (run.GetProperty("messages").GetInt64(), run.GetProperty("lost").GetInt64()),
                Is.EqualTo((200L, 0L))
            );
            Assert.That(run.GetProperty("broker").GetString(), Is.EqualTo($"{broker} {MqttNetSettings.Version}"));
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static async Task<(int Code, TestScreen Screen)> RunAsync(params string[] arguments)
    {
        var screen = new TestScreen();
        using var interruption = new Interruption();
        return (await ToolCommands.RunAsync(arguments, screen.Screen, interruption), screen);
    }
}
