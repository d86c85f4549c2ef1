using System.CommandLine;
using System.Runtime.CompilerServices;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Terminal;
using MqttCheck.Telemetry;

namespace MqttCheck.Cli.Options;

/// <summary>
/// <c>--otlp</c>, which every command has: where traces and metrics go. Nothing of OpenTelemetry is loaded without it,
/// or a variable that asks for it.
/// </summary>
internal static class TelemetryOption
{
    private const string Name = "--otlp";

    // An address of all signals or of one.
    private const string VariablePrefix = "OTEL_EXPORTER_OTLP_",
        VariableEnding = "ENDPOINT";

    /// <summary>Adds it to a command and to all below it.</summary>
    public static void AddTo(Command command)
    {
        foreach (var below in command.Subcommands)
            AddTo(below);
        if (command is RootCommand || command.Subcommands.Count > 0)
            return;
        command.Options.Add(
            new Option<string?>(Name)
            {
                HelpName = "ENDPOINT",
                Description =
                    "Send traces and metrics to the OpenTelemetry collector at this address, such as "
                    + "http://127.0.0.1:4318. Default: environment variable OTEL_EXPORTER_OTLP_ENDPOINT, otherwise "
                    + "nowhere.",
            }
        );
    }

    /// <summary>Does the work of a command, and sends what it tells.</summary>
    /// <param name="command">The command, as on the command line.</param>
    /// <exception cref="InputException">The address, or a variable, is malformed.</exception>
    public static Task<int> RunAsync(ParseResult parse, string command, Screen screen, Func<Task<int>> work)
    {
        var option = parse.CommandResult.Command.Options.FirstOrDefault(option => option.Name == Name);
        var endpoint = option is Option<string?> given ? parse.GetValue(given) : null;
        var isAsked =
            endpoint is not null
            || Environment.GetEnvironmentVariable(VariablePrefix + VariableEnding) is { Length: > 0 }
            || Environment.GetEnvironmentVariable(VariablePrefix + "TRACES_" + VariableEnding) is { Length: > 0 }
            || Environment.GetEnvironmentVariable(VariablePrefix + "METRICS_" + VariableEnding) is { Length: > 0 };
        return isAsked && option is not null ? SendAsync(endpoint, command, screen, work) : work();
    }

    // A method of its own: compiling it loads OpenTelemetry.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<int> SendAsync(string? endpoint, string command, Screen screen, Func<Task<int>> work)
    {
        var span = "mqttcheck " + command;
        using var export = endpoint is null
            ? TelemetryExport.FromEnvironment(span, Tool.Version)
            : TelemetryExport.To(endpoint, span, Tool.Version);
        var code = await work();
        if (export?.Finish() == false)
            screen.Warn(
                $"traces and metrics did not reach {export.Address}: nobody takes them there. Start a collector, or "
                    + $"give another address with {Name}; the result is not affected."
            );
        return code;
    }
}
