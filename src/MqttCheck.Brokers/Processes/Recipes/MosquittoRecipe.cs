using System.Globalization;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>Eclipse Mosquitto: either as its configuration file leaves it, or with Nagle's algorithm off and its limits lifted.</summary>
/// <param name="isTuned">Which of the two.</param>
internal sealed class MosquittoRecipe(bool isTuned) : IBrokerRecipe
{
    private const string HowToInstall = "Install it: apt-get install mosquitto (Debian, Ubuntu), brew install mosquitto (macOS).";

    /// <inheritdoc/>
    public string Name => isTuned ? "mosquitto:tuned" : "mosquitto";

    /// <inheritdoc/>
    public Credentials? Credentials => null;

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(CancellationToken cancellation)
    {
        // mosquitto version 2.0.11
        var line = await ProgramOutput.FirstLineAsync(CommandSearch.Require("mosquitto", HowToInstall), "-h", cancellation);
        return new BrokerDescription
        {
            Name = Name,
            Version = line.Split(' ') is [_, "version", var version, ..] ? version : "unknown",
            Settings = isTuned ? "tuned" : "default",
            Details = new Dictionary<string, string>
            {
                ["nodelay"] = isTuned ? "true" : "false",
                ["max_inflight_messages"] = isTuned ? "unlimited" : "20",
                ["max_queued_messages"] = isTuned ? "unlimited" : "1000",
                ["sys_interval"] = isTuned ? "off" : "10 s",
            },
        };
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(TemporaryDirectory directory, int port)
    {
        // Since version 2 nobody may connect unless a listener and a way to log in are configured.
        var configuration = string.Create(CultureInfo.InvariantCulture, $"listener {port} 127.0.0.1\nallow_anonymous true\n");
        if (isTuned)
        {
            configuration += "set_tcp_nodelay true\nmax_inflight_messages 0\nmax_queued_messages 0\npersistence false\nsys_interval 0\n"
                + "log_dest stderr\nlog_type error\nlog_type warning\n";
        }
        return new BrokerCommand(CommandSearch.Require("mosquitto", HowToInstall), ["-c", directory.Write("mosquitto.conf", configuration)]);
    }
}
