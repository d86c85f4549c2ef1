using MqttCheck.Brokers.Tests.Embedded.Judges;
using MqttCheck.Conformance.Roles.Running;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Searching;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Tests.Roles;

/// <summary>Client programs of libraries that nobody here wrote, as words with a place for the port.</summary>
internal static class ClientPrograms
{
    // Debian's own interpreter, for which python3-paho-mqtt is installed.
    private static readonly string s_python = File.Exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

    /// <summary>The words of a client.</summary>
    /// <param name="library">paho, mqttjs, mqttnet or bridge.</param>
    /// <param name="version">311 or 5.</param>
    /// <param name="port">What stands for the port.</param>
    public static async Task<string[]> WordsAsync(string library, string version, string port = "{port}")
    {
        switch (library)
        {
            case "paho":
                JudgeProgram.RequireModule(s_python, "paho.mqtt", "on Debian: apt-get install python3-paho-mqtt");
                return [s_python, Source("paho_client.py"), port, version];
            case "mqttjs":
                var folder = await JudgeProgram.InstallNpmAsync("mqttjs", "mqtt");
                var script = Path.Combine(folder, "mqttjs_client.mjs");
                File.Copy(Source("mqttjs_client.mjs"), script, overwrite: true);
                return ["node", script, port, version == "5" ? "5" : "4"];
            case "mqttnet":
                return ["dotnet", typeof(ClientPrograms).Assembly.Location, port, version];
            default:
                throw new ArgumentOutOfRangeException(nameof(library), library, "no client program");
        }
    }

    /// <summary>The same behind a proxy with a fault.</summary>
    public static async Task<string[]> FaultyAsync(string library, string version, string fault) =>
        [s_python, Source("faulty_proxy.py"), "{port}", fault, .. await WordsAsync(library, version, "PROXY")];

    /// <summary>A bridge of Mosquitto that sends and takes all topics below <c>t</c>.</summary>
    /// <param name="folder">The folder of its files.</param>
    public static string[] Bridge(string folder)
    {
        var settings = Path.Combine(folder, "bridge.conf");
        File.WriteAllText(
            settings,
            """
            allow_anonymous true
            connection b
            address 127.0.0.1:PORT
            topic t/# both 2
            cleansession false
            restart_timeout 1
            keepalive_interval 5
            try_private false
            """
        );
        var own = Path.Combine(folder, "b-{port}.conf");
        return ["sh", "-c", $"sed s/PORT/{{port}}/ '{settings}' > '{own}'; exec mosquitto -c '{own}'"];
    }

    /// <summary>Plays a script to a program.</summary>
    public static Task<PlayedRun> PlayAsync(IReadOnlyList<string> words, string script) =>
        ProgramRun.PlayAsync(
            words,
            BrokerScript.Parse(script, "test"),
            TimeSpan.FromSeconds(3),
            CancellationToken.None
        );

    /// <summary>Explores a program.</summary>
    /// <summary>Checks a program as a user does who knows what its library does, and skips that.</summary>
    public static async Task<ClientReport> CheckAsync(
        IReadOnlyList<string> words,
        TimeSpan budget,
        IReadOnlyList<string> skipped,
        ProtocolVersion version
    )
    {
        using var check = new ClientCheck(
            (script, patience, cancellation) => ProgramRun.PlayAsync(words, script, patience, cancellation),
            new() { Seed = 1, Budget = budget }
        )
        {
            Counts = statement => !skipped.Contains(statement.Id(version)),
        };
        return await check.ExploreAsync(CancellationToken.None);
    }

    private static string Source(string file) =>
        RepositoryFiles.At($"tests/MqttCheck.Conformance.Tests/Roles/Programs/{file}");
}
