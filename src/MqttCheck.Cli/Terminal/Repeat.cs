using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Text;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Terminal;

/// <summary>The command line that repeats a result.</summary>
internal static class Repeat
{
    private static readonly string[] Secrets = ["--user", "--password", "--password-file"];

    private const string Budget = "--budget";

    /// <summary>
    /// The arguments as given, without credentials, also those in the address of a broker, and with the seed, quoted
    /// for a shell.
    /// </summary>
    /// <param name="budget">
    /// The budget that the command should have had, in place of one that was given; null for the one given.
    /// </param>
    public static string CommandLine(IReadOnlyList<string> arguments, ulong seed, TimeSpan? budget = null)
    {
        var line = CommandLine(arguments, budget);
        return arguments.Any(argument => argument.Split('=', ':')[0] == "--seed")
            ? line
            : line + " --seed " + seed.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>The arguments as given, without credentials, quoted for a shell.</summary>
    /// <param name="budget">The budget in place of one that was given; null for the one given.</param>
    public static string CommandLine(IReadOnlyList<string> arguments, TimeSpan? budget = null)
    {
        var words = new List<string> { "mqttcheck" };
        for (var i = 0; i < arguments.Count; i++)
        {
            var argument = arguments[i];
            var name = argument.Split('=', ':')[0];
            if (Secrets.Contains(name) || (budget is not null && name == Budget))
            {
                // "--password x" and "--password=x" alike.
                if (name == argument)
                    i++;
                continue;
            }
            words.Add(ShellWord.Quoted(Redacted(argument)));
        }
        if (budget is { } time)
            words.AddRange([Budget, TimeBudget.Duration(time)]);
        return string.Join(' ', words);
    }

    // Several brokers stand behind each other; a command line of a broker is the user's own.
    private static string Redacted(string argument) =>
        argument.Contains("exec:", StringComparison.Ordinal)
            ? argument
            : string.Join(',', argument.Split(',').Select(BrokerSpecification.Redact));

    /// <summary>A word as a shell takes it.</summary>
    public static string Quoted(string word) => ShellWord.Quoted(word);
}
