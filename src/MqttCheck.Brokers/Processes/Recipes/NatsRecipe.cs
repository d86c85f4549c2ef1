using System.Globalization;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Settings;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>nats-server with JetStream, which its MQTT needs.</summary>
/// <param name="isTuned">Whether a client may have more QoS 1 messages in flight than the default of 1024.</param>
internal sealed class NatsRecipe(bool isTuned) : IBrokerRecipe
{
    private const string HowToInstall =
        "Install it: apt-get install nats-server (Debian, Ubuntu), brew install nats-server (macOS).";

    // The sum over the QoS 1 filters of a session must stay below 65536.
    private const int TunedPending = 10000;

    /// <summary>The settings that the user gave, by name. Default none.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = BrokerSettings.None;

    /// <inheritdoc/>
    public string Name => (isTuned ? "nats:tuned" : "nats") + BrokerSettings.Suffix(Settings);

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(CancellationToken cancellation)
    {
        // nats-server: v2.9.10
        var line = await ProgramOutput.FirstLineAsync(
            CommandSearch.Require("nats-server", HowToInstall),
            "-v",
            cancellation
        );
        var installed = line.Split('v') is [.., var version] && version.Length > 0 ? version : "unknown";
        BrokerSettings.RequireVersion(BrokerKind.Nats, Name, installed, Settings);
        return new BrokerDescription
        {
            Name = Name,
            Version = installed,
            Settings = BrokerSettings.Word(isTuned, Settings),
            MaximumQos = 1,
            Details = new Dictionary<string, string>(Settings)
            {
                ["nodelay"] = "true",
                ["max_ack_pending"] = isTuned ? TunedPending.ToString(CultureInfo.InvariantCulture) : "1024",
            },
        };
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port)
    {
        // Port -1 gives the protocol of NATS itself any free port.
        var pending = isTuned ? string.Create(CultureInfo.InvariantCulture, $", max_ack_pending: {TunedPending}") : "";
        var configuration = string.Create(
            CultureInfo.InvariantCulture,
            $$"""
            server_name: mq{{port}}
            host: 127.0.0.1
            port: -1
            {{JetStream(directory, Settings)}}
            mqtt { host: 127.0.0.1, port: {{port}}{{pending}} }

            """
        );
        return CommandFor(TemporaryDirectory.Write(directory, "nats.conf", configuration));
    }

    /// <summary>The part of a configuration that says where JetStream keeps its files, and how.</summary>
    /// <param name="directory">The path of the server's directory.</param>
    /// <param name="settings">The settings that the user gave, by name.</param>
    public static string JetStream(string directory, IReadOnlyDictionary<string, string> settings)
    {
        var sync = !settings.TryGetValue(BrokerSettings.Sync, out var value)
            ? ""
            : ", sync_interval: "
                + (
                    SettingTime.TryParse(value, out var seconds)
                        ? string.Create(CultureInfo.InvariantCulture, $"\"{seconds}s\"")
                        : value
                );
        return $"jetstream {{ store_dir: \"{directory}/js\"{sync} }}";
    }

    /// <summary>Starts the server with a configuration.</summary>
    /// <param name="configuration">The path of the file.</param>
    /// <exception cref="BrokerException">It is not installed.</exception>
    public static BrokerCommand CommandFor(string configuration) =>
        new(CommandSearch.Require("nats-server", HowToInstall), ["-c", configuration]);
}
