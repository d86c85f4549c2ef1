using System.Globalization;
using System.Net;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Settings;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>
/// Eclipse Mosquitto, either with its default settings, or with Nagle's algorithm off and its limits lifted.
/// </summary>
/// <param name="isTuned">Whether Nagle's algorithm is off and the limits are lifted.</param>
/// <param name="transport">The transport of MQTT; with TLS the broker gets a certificate of its own.</param>
internal sealed class MosquittoRecipe(bool isTuned, BrokerTransport transport) : IBrokerRecipe
{
    private const string HowToInstall =
        "Install it: apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS).";

    /// <summary>The settings that the user gave, by name. Default none.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = BrokerSettings.None;

    /// <summary>
    /// Whether sessions and messages are kept on disk although no setting says so, as by the configuration of packages.
    /// Tuned ones are not. Default no.
    /// </summary>
    public bool IsKept { get; init; }

    /// <inheritdoc/>
    public string Name =>
        (isTuned ? "mosquitto:tuned" : "mosquitto") + transport.Suffix() + BrokerSettings.Suffix(Settings);

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(CancellationToken cancellation)
    {
        // mosquitto version 2.0.11
        var line = await ProgramOutput.FirstLineAsync(
            CommandSearch.Require("mosquitto", HowToInstall),
            "-h",
            cancellation
        );
        return new BrokerDescription
        {
            Name = Name,
            Version = line.Split(' ') is [_, "version", var version, ..] ? version : "unknown",
            Settings = BrokerSettings.Word(isTuned, Settings),
            Details = new Dictionary<string, string>(Settings)
            {
                ["nodelay"] = isTuned ? "true" : "false",
                ["max_inflight_messages"] = isTuned ? "unlimited" : "20",
                ["max_queued_messages"] = isTuned ? "unlimited" : "1000",
                ["sys_interval"] = isTuned ? "off" : "10 s",
                ["transport"] = transport.Scheme(),
            },
        };
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port)
    {
        // Since version 2 nobody may connect unless a listener and a way to log in are configured.
        var configuration = string.Create(
            CultureInfo.InvariantCulture,
            $"listener {port} 127.0.0.1\nallow_anonymous true\n"
        );
        if (transport.IsWebSocket())
        {
            // Version 2.0.11 ends when it has no other listener than one for WebSocket.
            configuration = string.Create(
                CultureInfo.InvariantCulture,
                $"listener {FreePort.Find()} 127.0.0.1\n{configuration}protocol websockets\n"
            );
        }
        if (transport.IsTls())
        {
            var (certificate, key) = ThrowAwayCertificate.Write(directory);
            configuration += $"certfile {certificate}\nkeyfile {key}\n{UserLine}";
        }
        if (isTuned)
        {
            configuration +=
                "set_tcp_nodelay true\nmax_inflight_messages "
                + "0\nmax_queued_messages 0\nsys_interval 0\n"
                + "log_dest stderr\nlog_type error\nlog_type warning\n";
        }
        var hasAutosave = Settings.TryGetValue(BrokerSettings.Autosave, out var autosave);
        if (hasAutosave || (IsKept && !isTuned))
        {
            configuration += $"persistence true\npersistence_location {directory}/\n";
            if (!transport.IsTls())
                configuration += UserLine;
        }
        if (hasAutosave && SettingTime.TryParse(autosave!, out var seconds))
            configuration += string.Create(CultureInfo.InvariantCulture, $"autosave_interval {seconds}\n");
        return CommandFor(TemporaryDirectory.Write(directory, "mosquitto.conf", configuration));
    }

    // A Mosquitto started as root would switch to a user who cannot enter the directory.
    private static string UserLine => $"user {Environment.UserName}\n";

    /// <summary>Starts the broker with a configuration.</summary>
    /// <param name="configuration">The path of the file.</param>
    /// <exception cref="BrokerException">It is not installed.</exception>
    public static BrokerCommand CommandFor(string configuration) =>
        new(CommandSearch.Require("mosquitto", HowToInstall), ["-c", configuration]);

    /// <inheritdoc/>
    public WireEndpoint Endpoint(string directory, IPEndPoint address) =>
        new(address)
        {
            Tls = transport.IsTls()
                ? new TlsClientOptions { TrustedRoots = ThrowAwayCertificate.Read(directory) }
                : null,
            WebSocket = transport.IsWebSocket() ? new() : null,
        };
}
