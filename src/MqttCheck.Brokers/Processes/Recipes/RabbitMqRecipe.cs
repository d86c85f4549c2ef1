using System.Globalization;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Settings;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>RabbitMQ with its MQTT plug-in, as one process without epmd.</summary>
/// <param name="isTuned">Whether more than the default of 10 messages may be in flight to a client.</param>
internal sealed class RabbitMqRecipe(bool isTuned) : IBrokerRecipe
{
    private const string HowToInstall = "Install it: apt-get install rabbitmq-server (Debian, Ubuntu).";

    // The recipe starts this script directly, because the one on the search path changes the user and does not pass
    // SIGTERM on.
    private const string Script = "/usr/lib/rabbitmq/bin/rabbitmq-server";

    /// <summary>The settings that the user gave, by name. Default none.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = BrokerSettings.None;

    /// <inheritdoc/>
    public string Name => (isTuned ? "rabbitmq:tuned" : "rabbitmq") + BrokerSettings.Suffix(Settings);

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(CancellationToken cancellation)
    {
        CommandSearch.Require(Script, HowToInstall);
        var version = ErlangFiles.FindVersion(["/usr/lib/rabbitmq/lib"], "rabbitmq_server-")?.Version ?? "unknown";
        BrokerSettings.RequireVersion(BrokerKind.RabbitMq, Name, version, Settings);
        return Task.FromResult(
            new BrokerDescription
            {
                Name = Name,
                Version = version,
                Settings = BrokerSettings.Word(isTuned, Settings),
                MaximumQos = 1,
                Details = new Dictionary<string, string>(Settings)
                {
                    ["nodelay"] = "true",
                    ["mqtt.prefetch"] = isTuned ? "65535" : "10",
                },
            }
        );
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port)
    {
        var configuration = Configuration(port, Settings);
        if (isTuned)
            configuration += "mqtt.prefetch = 65535\n";
        return CommandFor(
            directory,
            configuration,
            ErlangFiles.Environment(directory),
            "mq@localhost",
            FreePort.Find(),
            "{127,0,0,1}"
        );
    }

    /// <summary>The configuration of a broker that serves MQTT alone.</summary>
    /// <param name="port">The port of clients.</param>
    /// <param name="settings">The settings that the user gave, by name.</param>
    public static string Configuration(int port, IReadOnlyDictionary<string, string> settings) =>
        // The disk and memory limits would block publishers on a small test machine, even if the broker could serve
        // them.
        string.Create(
            CultureInfo.InvariantCulture,
            $"""
            listeners.tcp = none
            mqtt.listeners.tcp.1 = 127.0.0.1:{port}
            mqtt.tcp_listen_options.backlog = 4096
            disk_free_limit.absolute = 1MB
            vm_memory_high_watermark.relative = 0.8
            log.console = true
            log.console.level = error

            """
        ) + (settings.TryGetValue(BrokerSettings.Queue, out var type) ? $"mqtt.durable_queue_type = {type}\n" : "");

    /// <summary>Writes the files of a broker, and returns the command that starts it.</summary>
    /// <param name="directory">The path of its directory.</param>
    /// <param name="configuration">The text of its configuration.</param>
    /// <param name="environment">Its environment, to which this adds.</param>
    /// <param name="node">Its name in Erlang, which has a host without dots.</param>
    /// <param name="distribution">The port where it, and every node that it knows, takes connections of nodes.</param>
    /// <param name="address">The address where it takes these, as an Erlang tuple.</param>
    /// <param name="arguments">More arguments of the Erlang machine.</param>
    public static BrokerCommand CommandFor(
        string directory,
        string configuration,
        Dictionary<string, string> environment,
        string node,
        int distribution,
        string address,
        string arguments = ""
    )
    {
        environment["RABBITMQ_CONF_ENV_FILE"] = "/dev/null";
        environment["RABBITMQ_CONFIG_FILE"] = TemporaryDirectory.Write(directory, "rabbitmq.conf", configuration);
        environment["RABBITMQ_ADVANCED_CONFIG_FILE"] = Path.Combine(directory, "none.config");
        environment["RABBITMQ_ENABLED_PLUGINS_FILE"] = TemporaryDirectory.Write(
            directory,
            "enabled_plugins",
            "[rabbitmq_mqtt].\n"
        );
        environment["RABBITMQ_MNESIA_BASE"] = "/proc/self/cwd/mnesia";
        environment["RABBITMQ_LOG_BASE"] = Path.Combine(directory, "logs");
        environment["RABBITMQ_LOGS"] = "-";
        environment["RABBITMQ_PID_FILE"] = Path.Combine(directory, "pid");
        environment["RABBITMQ_NODENAME"] = node;
        environment["RABBITMQ_DIST_PORT"] = distribution.ToString(CultureInfo.InvariantCulture);
        // A short name among the arguments makes epmd unnecessary. Otherwise epmd would be started and outlive the
        // broker.
        environment["RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS"] =
            $"-sname {node} -start_epmd false -erl_epmd_port "
            + string.Create(
                CultureInfo.InvariantCulture,
                $"{distribution} -kernel inet_dist_use_interface {address}{arguments}"
            );
        environment["ERL_EPMD_PORT"] = "1";
        // Once a minute the broker starts another Erlang machine, only to start epmd.
        environment["ERL_ZFLAGS"] = "-start_epmd false";
        // This makes the script replace itself by the broker instead of starting a child.
        environment["RUNNING_UNDER_SYSTEMD"] = "1";
        return new BrokerCommand(Script, []) { Environment = environment };
    }
}
