using System.CommandLine;
using System.CommandLine.Parsing;
using MqttCheck.Cli.Options;
using MqttCheck.Text;

namespace MqttCheck.Cli;

/// <summary>The mistakes of a command line, one message each, with a guess at what was meant.</summary>
internal static class CommandLineErrors
{
    private static readonly char[] s_breaks = ['\r', '\n', '\t'];

    /// <summary>The messages; none where the command line can be run.</summary>
    public static IReadOnlyList<string> Of(ParseResult parsed)
    {
        // An option that does not exist would else be taken for a file, or for the value of the option before it.
        foreach (var result in Given(parsed.CommandResult))
        {
            if (result.Tokens.FirstOrDefault(token => IsOption(token.Value, IsFile(result))) is not { } taken)
                continue;
            return result is OptionResult { Option.Name: var name } && Names(parsed).Contains(taken.Value)
                ? [$"{name}: its value is missing; '{taken.Value}' follows at once."]
                : [NoOption(taken.Value, parsed)];
        }
        if (parsed.UnmatchedTokens.Count > 0)
            return [Unmatched(parsed.UnmatchedTokens[0], parsed)];
        var found = new List<string>();
        if (parsed.Action is not CommandHelp)
        {
            AddMissing(parsed, found);
            AddMisplaced(parsed, found);
        }
        if (found.Count > 0)
            return found;
        return parsed.Errors.Count > 0 ? [.. parsed.Errors.Select(Describe)] : Overwritten(parsed);
    }

    // The messages are made apart: a command line without a mistake need not compile them.
    private static void AddMissing(ParseResult parsed, List<string> found)
    {
        var result = parsed.CommandResult;
        var command = result.Command;
        if (command.Subcommands.Count > 0 && command.Action is null)
            found.Add(NoCommand(parsed));
        foreach (var argument in command.Arguments)
            if ((result.GetResult(argument)?.Tokens.Count ?? 0) < argument.Arity.MinimumNumberOfValues)
                found.Add($"{NameOf(argument)}: missing; '{Path(parsed)}' takes {Arguments(command)}.");
        foreach (var given in Given(result))
            if (given is OptionResult { Tokens.Count: 0, Option: { Arity.MinimumNumberOfValues: > 0 } option })
                found.Add(NoValue(option, parsed));
        foreach (var option in command.Options)
            if (option.Required && result.GetResult(option) is not { Implicit: false })
                found.Add(NoOptionGiven(option, parsed));
    }

    private static string NoCommand(ParseResult parsed) =>
        $"'{Path(parsed)}': the command is missing; allowed: "
        + string.Join(", ", parsed.CommandResult.Command.Subcommands.Where(one => !one.Hidden).Select(one => one.Name))
        + ".";

    private static string NoValue(Option option, ParseResult parsed) =>
        $"{option.Name}: its value is missing; '{Path(parsed)}' takes {option.Name} {option.HelpName}.";

    private static string NoOptionGiven(Option option, ParseResult parsed) =>
        $"{option.Name}: missing; '{Path(parsed)}' needs {option.Name} {option.HelpName}: {option.Description}";

    private static void AddMisplaced(ParseResult parsed, List<string> found)
    {
        foreach (var result in Given(parsed.CommandResult))
        {
            if (!IsFile(result))
                continue;
            var (name, type) = result is OptionResult option
                ? (option.Option.Name, option.Option.ValueType)
                : (NameOf(((ArgumentResult)result).Argument), typeof(FileInfo));
            var isDirectory = type == typeof(DirectoryInfo);
            var isOutput = type == typeof(FileInfo) && CommandHelp.IsOutput(name);
            foreach (var token in result.Tokens)
                if (
                    token.Value is var path
                    && (path.Length == 0 || (isDirectory && File.Exists(path)) || (isOutput && Directory.Exists(path)))
                )
                    found.Add(Misplaced(name, path, isDirectory));
        }
    }

    private static string Misplaced(string name, string path, bool isDirectory)
    {
        var wanted = isDirectory ? "a directory" : "a file";
        return path.Length == 0
            ? $"{name}: '' given; allowed: the path of {wanted}."
            : $"{name}: '{path}' is {(isDirectory ? "a file" : "a directory")}; allowed: {wanted}.";
    }

    // The input would be gone, and often the result with it.
    private static List<string> Overwritten(ParseResult parsed)
    {
        var given = Given(parsed.CommandResult).ToList();
        var output = given.Find(result => result is OptionResult { Option.Name: "--out" });
        var found = new List<string>();
        foreach (var token in output?.Tokens ?? [])
            if (File.Exists(token.Value) && IsRead(given, output!, System.IO.Path.GetFullPath(token.Value)))
                found.Add($"--out: '{token.Value}' is read by the same command; allowed: another file.");
        return found;
    }

    private static bool IsRead(List<SymbolResult> given, SymbolResult output, string whole) =>
        given.Exists(result =>
            result != output
            && result.Tokens.Any(token => File.Exists(token.Value) && System.IO.Path.GetFullPath(token.Value) == whole)
        );

    private static string Unmatched(string word, ParseResult parsed)
    {
        if (word.StartsWith('-'))
            return NoOption(word, parsed);
        var command = parsed.CommandResult.Command;
        return command.Subcommands.Count > 0
            ? $"'{word}' is no command{Meant(word, command.Subcommands.Select(one => one.Name))}"
            : $"'{word}': a word too many; '{Path(parsed)}' takes "
                + (
                    command.Arguments.Count == 0
                        ? "options only, such as " + command.Options.First(option => option.Name != "--help").Name
                        : Arguments(command)
                )
                + ".";
    }

    private static string NameOf(Argument argument) => argument.HelpName ?? argument.Name;

    private static string Arguments(Command command) =>
        string.Join(
            ' ',
            command.Arguments.Select(argument =>
                NameOf(argument)
                + argument.Arity.MaximumNumberOfValues switch
                {
                    1 => "",
                    <= 9 and var most => $" (up to {most})",
                    _ => " ...",
                }
            )
        );

    private static string NoOption(string word, ParseResult parsed) =>
        $"'{word}' is no option of '{Path(parsed)}'" + Meant(word.Split('=', ':')[0], Names(parsed));

    private static string Meant(string word, IEnumerable<string> names) =>
        NearestName.Meant(word, names) is { Length: > 0 } meant ? meant : ".";

    /// <summary>The program and the command of a line.</summary>
    public static string Path(ParseResult parsed) =>
        $"mqttcheck {CommandHelp.Name(parsed.CommandResult.Command)}".TrimEnd();

    private static IEnumerable<SymbolResult> Given(CommandResult command) =>
        command.Children.Where(child => child is ArgumentResult or OptionResult { Implicit: false });

    private static IEnumerable<string> Names(ParseResult parsed) =>
        parsed.CommandResult.Command.Options.SelectMany(option => option.Aliases.Append(option.Name));

    // A negative number and a file named "-" are none. A value may begin with one dash, a password for example; a file
    // that does can be given as ./-file.
    private static bool IsOption(string word, bool isFile) =>
        (word.Length > 2 && word.StartsWith("--", StringComparison.Ordinal))
        || (isFile && word.Length > 1 && word[0] == '-' && char.IsAsciiLetter(word[1]));

    private static bool IsFile(SymbolResult result)
    {
        var type = result switch
        {
            ArgumentResult argument => argument.Argument.ValueType,
            OptionResult option => option.Option.ValueType,
            _ => typeof(object),
        };
        return typeof(FileSystemInfo).IsAssignableFrom(type.GetElementType() ?? type);
    }

    // The library's own message on a value that is none of a list has a line for each, and does not name the option.
    private static string Describe(ParseError error)
    {
        var message = string.Join(
            ' ',
            error.Message.Split(s_breaks, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        );
        return
            error.SymbolResult is OptionResult { Option.Name: var name }
            && !message.Contains(name, StringComparison.Ordinal)
            ? $"{name}: {message}"
            : message;
    }
}
