using MqttCheck.Brokers.Processes;

namespace MqttCheck.Brokers.Tests.Processes;

/// <summary>Mosquitto with settings of a test, such as an access list.</summary>
internal static class ConfiguredMosquitto
{
    /// <summary>Starts it on a free port.</summary>
    /// <param name="folder">The directory of the test, where files of the settings are.</param>
    /// <param name="settings">Lines of its configuration behind the first listener.</param>
    /// <remarks>
    /// Mosquitto takes a limit for a listener only, whose port is part of the configuration. Started as root it would
    /// switch to a user who cannot enter the directory.
    /// </remarks>
    public static async Task<IBrokerUnderTest> StartAsync(string folder, string settings)
    {
        Installed.Require("mosquitto");
        var (script, configuration) = (Path.Combine(folder, "broker.sh"), Path.Combine(folder, "broker.conf"));
        await File.WriteAllTextAsync(
            script,
            $"""
            printf 'listener %s 127.0.0.1\nallow_anonymous true\nuser %s\n%s\n' "$1" "$(id -un)" '{settings}' \
                > '{configuration}'
            exec mosquitto -c '{configuration}' 2> '{LogIn(folder)}'

            """
        );
        return await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse($"exec:sh {script} {BrokerSpecification.PortPlaceholder}"),
            CancellationToken.None
        );
    }

    /// <summary>The path of the log in which the broker names its clients.</summary>
    public static string LogIn(string folder) => Path.Combine(folder, "broker.log");
}
