using System.Globalization;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>
/// ejabberd with mod_mqtt, without Erlang's distribution and so without epmd. It knows no anonymous clients.
/// </summary>
/// <param name="isTuned">Whether its queues are unlimited.</param>
internal sealed class EjabberdRecipe(bool isTuned) : IBrokerRecipe
{
    private const string HowToInstall = "Install it: apt-get install ejabberd (Debian, Ubuntu).";
    private const string User = "mqttcheck";

    // The password protects only a throw-away broker on the loopback interface.
    private const string Password = "mqttcheck";

    /// <inheritdoc/>
    public string Name => isTuned ? "ejabberd:tuned" : "ejabberd";

    /// <inheritdoc/>
    public Credentials? Credentials { get; } = new(User + "@localhost", Password);

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(CancellationToken cancellation) =>
        Task.FromResult(
            new BrokerDescription
            {
                Name = Name,
                Version = FindLibrary().Version,
                Settings = isTuned ? "tuned" : "default",
                Details = new Dictionary<string, string>
                {
                    ["nodelay"] = "true",
                    ["max_queue"] = isTuned ? "unlimited" : "5000",
                },
            }
        );

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port)
    {
        var limits = isTuned
            ? "\n    max_queue: unlimited\n    max_topic_depth: infinity\n    match_retained_limit: infinity"
            : " {}";
        // The default queue of 5 connections would drop the requests of a fleet that connects at once.
        var configuration = string.Create(
            CultureInfo.InvariantCulture,
            $$"""
            hosts: [localhost]
            loglevel: error
            auth_password_format: plain
            certfiles: []
            listen:
              - {port: {{port}}, ip: "127.0.0.1", module: mod_mqtt, backlog: 4096}
            modules:
              mod_mqtt:{{limits}}

            """
        );
        var environment = ErlangFiles.Environment(directory);
        environment["EJABBERD_CONFIG_PATH"] = TemporaryDirectory.Write(directory, "ejabberd.yml", configuration);
        environment["EJABBERD_LOG_PATH"] = Path.Combine(directory, "ejabberd.log");
        environment["ERL_LIBS"] = FindLibrary().Parent;
        return new BrokerCommand(
            CommandSearch.Require("erl", HowToInstall),
            [
                // The inner quotes are needed because the argument is read as an Erlang term.
                "-noinput",
                "-mnesia",
                "dir",
                $"\"{directory}/db\"",
                "-s",
                "ejabberd",
                "-eval",
                $"ejabberd_auth:try_register(<<\"{User}\">>, <<\"localhost\">>, <<\"{Password}\">>)",
            ]
        )
        {
            Environment = environment,
        };
    }

    private static (string Parent, string Version) FindLibrary()
    {
        var parents = Directory.Exists("/usr/lib") ? Directory.EnumerateDirectories("/usr/lib").Append("/usr/lib") : [];
        return ErlangFiles.FindVersion(parents, "ejabberd-")
            ?? throw new BrokerException($"ejabberd is not installed. {HowToInstall}") { IsMissing = true };
    }
}
