using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Runtime.CompilerServices;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Terminal;
using MqttCheck.MqttNet.Client;

namespace MqttCheck.Cli.Options;

/// <summary>
/// <c>--client</c>: which MQTT client carries the requests, the same in every command that measures a broker.
/// </summary>
internal static class ClientOption
{
    /// <summary>The clients there are.</summary>
    public static IReadOnlyList<string> Names { get; } = ["own", "mqttnet"];

    /// <summary>The option.</summary>
    public static Option<string> Create() =>
        new("--client")
        {
            HelpName = "CLIENT",
            Description =
                "Which MQTT client is used: own, stamped at the socket, "
                + "which measures the broker; or mqttnet, timed from the call to "
                + "the completed task, which measures what a .NET application sees. Default own.",
            DefaultValueFactory = _ => ClientKind.Own.Name,
            CustomParser = Parse,
        };

    /// <summary>The client of an option's value.</summary>
    public static ClientKind Choose(string? name) =>
        name is null || name == ClientKind.Own.Name ? ClientKind.Own : MqttNet();

    /// <summary>The client that a log names; the own one where it names none.</summary>
    /// <param name="logged">Name and version, as <see cref="ClientKind.ToString"/> writes them; or null.</param>
    /// <exception cref="InputException">There is no such client.</exception>
    public static ClientKind Logged(string? logged)
    {
        var name = logged?.Split(' ')[0];
        return name is null || Names.Contains(name)
            ? Choose(name)
            : throw new InputException($"client: '{logged}' is what made the log; allowed: {string.Join(", ", Names)}");
    }

    /// <summary>A parser of numbers of clients or of MQTT clients, each a list.</summary>
    public static Func<ArgumentResult, ComparedClients> Compared(int minimum, int maximum) =>
        result =>
        {
            var parts = result.Tokens.SelectMany(token => token.Value.Split(',')).ToArray();
            var kinds = parts.Where(Names.Contains).ToArray();
            var counts = parts
                .Except(kinds)
                .Select(part =>
                    int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                    && count >= minimum
                    && count <= maximum
                        ? count
                        : 0
                )
                .ToArray();
            if (counts.Contains(0) || kinds.Length == 1)
                result.AddError(
                    Values.Wrong(
                        result,
                        $"whole numbers from {minimum} to {maximum}, or two "
                            + $"of {string.Join(", ", Names)}, separated by commas"
                    )
                );
            else if (kinds.Distinct().Count() < kinds.Length)
                result.AddError(Values.Wrong(result, "each MQTT client once"));
            return new([.. counts.Distinct().Order()], kinds);
        };

    // In a method of its own, so that nothing of the library is loaded unless it is asked for.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ClientKind MqttNet() => MqttNetClient.Kind;

    private static string? Parse(ArgumentResult result)
    {
        var given = result.Tokens[0].Value;
        if (Names.Contains(given))
            return given;
        result.AddError($"--client: '{given}' given; allowed: {string.Join(", ", Names)}.");
        return null;
    }
}
