using System.Globalization;
using System.Text.Json;
using MqttCheck.Brokers.Processes.Children;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>
/// aedes, a broker for Node.js. It is started as its documentation says, or with Nagle's algorithm off and its limits
/// lifted.
/// </summary>
/// <param name="isTuned">Whether Nagle's algorithm is off and the limits are lifted.</param>
internal sealed class AedesRecipe(bool isTuned) : IBrokerRecipe
{
    private const string HowToInstall =
        "Install it: scripts/install-brokers, or npm install --prefix DIR aedes with DIR in MQTTCHECK_AEDES.";

    // The directory of the script has no modules, so they are loaded from the place where aedes is installed.
    private const string Script = """
        import net from 'node:net';
        import { createRequire } from 'node:module';
        import { pathToFileURL } from 'node:url';
        const [modules, port, tuned] = process.argv.slice(2);
        const { Aedes } = await import(pathToFileURL(createRequire(modules + '/').resolve('aedes')));
        const broker = await Aedes.createBroker(tuned ? { queueLimit: 65535, maxInflightInbound: 0, concurrency: 1000 } : {});
        const server = net.createServer(tuned ? { noDelay: true } : {}, broker.handle);
        const stop = () => { server.close(); broker.close(() => process.exit(0)); };
        process.on('SIGTERM', stop).on('SIGINT', stop);
        server.listen(+port, '127.0.0.1');

        """;

    /// <inheritdoc/>
    public string Name => isTuned ? "aedes:tuned" : "aedes";

    /// <inheritdoc/>
    public async Task<BrokerDescription> DescribeAsync(CancellationToken cancellation)
    {
        CommandSearch.Require("node", HowToInstall);
        var package = await File.ReadAllTextAsync(
            Path.Combine(FindModules(), "node_modules", "aedes", "package.json"),
            cancellation
        );
        using var json = JsonDocument.Parse(package);
        return new BrokerDescription
        {
            Name = Name,
            Version = json.RootElement.GetProperty("version").GetString() ?? "unknown",
            Settings = isTuned ? "tuned" : "default",
            Details = new Dictionary<string, string>
            {
                ["nodelay"] = isTuned ? "true" : "false",
                ["queueLimit"] = isTuned ? "65535" : "42",
            },
        };
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(string directory, int port) =>
        CommandFor(TemporaryDirectory.Write(directory, "aedes.mjs", Script), port, isTuned ? ["tuned"] : []);

    /// <summary>Starts a script that serves the broker.</summary>
    /// <param name="script">Its path. Its arguments are the directory of the modules, the port, and more.</param>
    /// <param name="port">The port to serve.</param>
    /// <param name="more">Its further arguments.</param>
    /// <exception cref="BrokerException">It is not installed.</exception>
    public static BrokerCommand CommandFor(string script, int port, string[] more) =>
        new(
            CommandSearch.Require("node", HowToInstall),
            [script, FindModules(), port.ToString(CultureInfo.InvariantCulture), .. more]
        );

    /// <summary>Looks for a package beside the broker's.</summary>
    /// <param name="package">Its name.</param>
    /// <exception cref="BrokerException">It is not installed.</exception>
    public static void RequirePackage(string package)
    {
        if (!File.Exists(Path.Combine(FindModules(), "node_modules", package, "package.json")))
            throw new BrokerException($"Package {package} of aedes is not installed. {HowToInstall}")
            {
                IsMissing = true,
            };
    }

    private static string FindModules()
    {
        var directory =
            Environment.GetEnvironmentVariable("MQTTCHECK_AEDES")
            ?? Path.Combine(
                Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData),
                "mqttcheck",
                "aedes"
            );
        return File.Exists(Path.Combine(directory, "node_modules", "aedes", "package.json"))
            ? Path.GetFullPath(directory)
            : throw new BrokerException($"aedes is not installed. {HowToInstall}") { IsMissing = true };
    }
}
