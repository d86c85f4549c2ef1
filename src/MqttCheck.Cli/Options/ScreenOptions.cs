using System.CommandLine;
using MqttCheck.Cli.Terminal;

namespace MqttCheck.Cli.Options;

/// <summary>
/// The options that every command has: how much it says, and in which form. A command that knows better forms of its
/// result brings its own <c>--format</c>.
/// </summary>
internal static class ScreenOptions
{
    private const string Quiet = "--quiet",
        Verbose = "--verbose",
        Format = "--format",
        Json = "json";

    /// <summary>Adds them to a command and to all below it.</summary>
    public static void AddTo(Command command)
    {
        foreach (var below in command.Subcommands)
            AddTo(below);
        // Completion and help of the tool itself say nothing else.
        if (command is RootCommand || command.Subcommands.Count > 0)
            return;
        if (command.Options.All(option => option.Name != Format))
            command.Options.Add(Printed());
        command.Options.Add(new Option<bool>(Quiet) { Description = "Print the result, warnings and errors only." });
        command.Options.Add(
            new Option<bool>(Verbose) { Description = "Print details too, which the report has anyway." }
        );
    }

    /// <summary>Sets a screen as they say.</summary>
    /// <param name="name">The command, as on the command line.</param>
    /// <exception cref="InputException">They contradict each other.</exception>
    public static void Apply(ParseResult parse, string name, Screen screen)
    {
        var (isQuiet, isVerbose) = (IsGiven(parse, Quiet), IsGiven(parse, Verbose));
        if (isQuiet && isVerbose)
            throw new InputException($"{Quiet}: given beside {Verbose}; allowed: one of them.");
        screen.Verbosity =
            isQuiet ? Verbosity.Quiet
            : isVerbose ? Verbosity.Verbose
            : Verbosity.Normal;
        if (
            parse.CommandResult.Command.Options.FirstOrDefault(option => option is PrintedOption)
            is PrintedOption format
        )
            screen.Json = parse.GetValue(format) == Json ? new(name) : null;
    }

    private static bool IsGiven(ParseResult parse, string name) =>
        parse.CommandResult.Command.Options.FirstOrDefault(option => option.Name == name) is Option<bool> option
        && parse.GetValue(option);

    private static PrintedOption Printed()
    {
        var option = new PrintedOption
        {
            HelpName = "FORMAT",
            Description = "What is printed: text, or json (tables, files and other lines as one object). Default text.",
            DefaultValueFactory = _ => "text",
        };
        option.AcceptOnlyFromAmong("text", Json);
        return option;
    }

    private sealed class PrintedOption() : Option<string>(Format);
}
