using System.Collections;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.Globalization;
using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Options;

/// <summary>
/// The help of all commands: options in groups, defaults in one notation, and an example for each command.
/// </summary>
/// <param name="screen">The screen on which it is printed.</param>
internal sealed class CommandHelp(Screen screen) : SynchronousCommandLineAction
{
    private const string Others = "Options";
    private const string Output = "Output";
    private const int WidestLabel = 30;

    private static readonly (string Group, string[] Names)[] s_groups =
    [
        (Others, []),
        (
            "Broker",
            [
                "--broker",
                "--brokers",
                "--delay",
                "--failover",
                "--mqtt",
                "--client",
                "--user",
                "--password",
                "--password-file",
                "--allow-remote",
                "--allow-commands",
                "--rate-cap",
                "--ca-file",
                "--server-name",
                "--client-cert",
                "--client-key",
                "--tls-unchecked",
            ]
        ),
        (
            "Verdict",
            [
                "--test",
                "--accepting-share",
                "--guarantee",
                "--error",
                "--indifference",
                "--runs",
                "--budget",
                "--verify-clients",
                "--all-thresholds",
                "--confirm-with",
            ]
        ),
        ("Workers", ["--workers", "--certificate"]),
        (
            Output,
            [
                "--out",
                "--output",
                "--save-baseline",
                "--history",
                "--summary",
                "--plots",
                "--metrics",
                "--otlp",
                "--format",
                "--quiet",
                "--verbose",
                "--help",
                "--version",
            ]
        ),
    ];

    private static readonly Dictionary<string, string> s_examples = new()
    {
        ["run"] = "run --broker mqtt://127.0.0.1:1883 --clients 50,100",
        ["explore"] = "explore --broker embedded --for 60s --up-to-clients 200",
        ["tap"] = "tap --listen 1884 --to 127.0.0.1:1883",
        ["learn"] = "learn logs/embedded.csv",
        ["predict"] = "predict --model models/embedded-example.json --profile up1 --clients 130",
        ["diff"] = "diff predictions/before.json predictions/after.json",
        ["serve"] = "serve --model models/embedded-example.json",
        ["verify"] = "verify predictions/embedded.json --broker mqtt://127.0.0.1:1883",
        ["estimate"] = "estimate 'Q0.95[ max latency ]' --model models/embedded-example.json --clients 100",
        ["largest-fleet"] = "largest-fleet 'P>=0.95[ G<=10msg latency < 50ms ]' --model models/embedded-example.json",
        ["audit"] = "audit --epsilon 0.05 --error 0.01",
        ["calibrate"] = "calibrate --broker mqtt://127.0.0.1:1883 --clients 50,100",
        ["check"] = "check --broker mqtt://127.0.0.1:1883 --for 60s",
        ["cluster show"] = "cluster show bridge-triangle",
        ["cluster check"] = "cluster check mesh:5 --for 30s",
        ["cluster predict"] = "cluster predict tree-mesh-5 --property 'E[ lost ]'",
        ["cluster compare"] = "cluster compare transport-capacity --vary design=4.18,4.17",
        ["cluster run"] = "cluster run bridge-pair --scenario node-dies --runs 1",
        ["survives"] = "survives --broker embedded --only kill --budget 3m",
        ["bench"] = "bench --broker mqtt://127.0.0.1:1883 --rates 1k..50k",
        ["compare"] = "compare --brokers embedded,mqttnet",
        ["selfcheck"] = "selfcheck --clients 50",
        ["report"] = "report --verdicts verdicts/embedded.json --out report.html",
        ["export"] = "export --law lognormal:5ms,0.5 --threshold 20ms --out fleet.jani",
        ["check-model"] = "check-model fleet.jani --epsilon 0.01",
        ["split"] = "split --law lognormal:5ms,0.5 --threshold 60ms",
        ["broker"] = "broker --port 1883 --delay lognormal:5ms,0.5",
        ["brokers"] = "brokers",
        ["worker"] = "worker --join 127.0.0.1:11111",
        ["workers"] = "workers --join 127.0.0.1:11111",
        ["mqttnet-server"] = "mqttnet-server --port 1883",
    };

    /// <inheritdoc/>
    public override bool ClearsParseErrors => true;

    /// <summary>Gives a tool and all its commands this help.</summary>
    public static void AddTo(RootCommand root, Screen screen) =>
        root.Options.OfType<HelpOption>().Single().Action = new CommandHelp(screen);

    /// <inheritdoc/>
    public override int Invoke(ParseResult parseResult)
    {
        var command = parseResult.CommandResult.Command;
        WriteWrapped(command.Description ?? "", 0);
        Write("Usage", Usage(command));
        if (Example(Name(command)) is { } example)
            Write("Example", $"mqttcheck {example}");
        Write("Arguments", [.. command.Arguments.Select(argument => (NameOf(argument), argument.Description ?? ""))]);
        var options = command.Options.Concat(Above(command)).Where(option => !option.Hidden).ToList();
        foreach (var (group, _) in s_groups)
            Write(
                group,
                [
                    .. options
                        .Where(option => GroupOf(option) == group)
                        .Select(option => (Label(option), Describe(option))),
                ]
            );
        Write(
            "Commands",
            [
                .. command
                    .Subcommands.Where(below => !below.Hidden)
                    .Select(below => (Words([below.Name, .. below.Arguments.Select(NameOf)]), below.Description ?? "")),
            ]
        );
        return ExitCode.Of(Conclusion.Success);
    }

    /// <summary>Whether an option names what is written.</summary>
    /// <param name="name">Its name, with dashes.</param>
    internal static bool IsOutput(string name) =>
        s_groups.Any(group => group.Group == Output && group.Names.Contains(name));

    /// <summary>The example of a command; null where it has none.</summary>
    /// <param name="name">The command, as on the command line.</param>
    internal static string? Example(string name) => s_examples.GetValueOrDefault(name);

    /// <summary>The description of an option, with its default at the end.</summary>
    internal static string Describe(Option option)
    {
        var description = option.Description ?? "";
        return description.Contains("Default", StringComparison.Ordinal) || Default(option) is not { } value
            ? description
            : $"{description} Default {value}.";
    }

    private static string? Default(Option option)
    {
        if (!option.HasDefaultValue)
            return null;
        return option.GetDefaultValue() switch
        {
            null or false => null,
            string text => text.Length > 0 ? text : null,
            IEnumerable several => Listed(several),
            var value => Text(value),
        };
    }

    private static string? Listed(IEnumerable values) =>
        string.Join(',', values.Cast<object>().Select(Text)) is { Length: > 0 } text ? text : null;

    private static string Text(object value) =>
        value switch
        {
            FileSystemInfo path when path.ToString() == "." => "the current directory",
            TimeSpan time => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds}s"),
            IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString() ?? "",
        };

    private void Write(string title, string line)
    {
        screen.Line();
        screen.Line(title + ":");
        screen.Line("  " + line);
    }

    private void Write(string title, IReadOnlyList<(string Label, string Text)> rows)
    {
        if (rows.Count == 0)
            return;
        screen.Line();
        screen.Line(title + ":");
        var widest = Math.Min(WidestLabel, rows.Max(row => row.Label.Length));
        foreach (var (label, text) in rows)
        {
            // A label that is too long has a line of its own.
            var isLong = label.Length > widest;
            if (isLong)
                screen.Line("  " + label);
            WriteWrapped(text, widest + 4, isLong ? "" : "  " + label);
        }
    }

    private void WriteWrapped(string text, int indent, string first = "")
    {
        var width = Math.Max(indent + 20, screen.Output.Console.Value.Profile.Width);
        var line = first.PadRight(indent);
        var isEmpty = true;
        foreach (var word in text.Split(' '))
        {
            if (!isEmpty && line.Length + 1 + word.Length > width)
            {
                screen.Line(line.TrimEnd());
                (line, isEmpty) = (new(' ', indent), true);
            }
            line += isEmpty ? word : " " + word;
            isEmpty = false;
        }
        screen.Line(line.TrimEnd());
    }

    private static string Usage(Command command) =>
        Words([
            "mqttcheck",
            Name(command),
            .. command.Subcommands.Count > 0 ? (string[])["COMMAND"] : [],
            .. command.Arguments.Select(argument =>
                (argument.Arity.MinimumNumberOfValues == 0 ? $"[{NameOf(argument)}]" : NameOf(argument))
                + (argument.Arity.MaximumNumberOfValues > 1 ? " ..." : "")
            ),
            "[OPTIONS]",
        ]);

    private static string Words(IEnumerable<string> words) => string.Join(' ', words.Where(word => word.Length > 0));

    private static string NameOf(Argument argument) => argument.HelpName ?? argument.Name;

    private static string Label(Option option)
    {
        // The library also knows help by names as on Windows.
        var names = option.Aliases.Append(option.Name).Where(name => name[0] == '-').Distinct();
        var isFlag = option.ValueType == typeof(bool) || option is HelpOption;
        return Words([
            string.Join(", ", names.OrderBy(name => name.Length)),
            isFlag || option.HelpName is null ? "" : option.HelpName,
            option.Required ? "(required)" : "",
        ]);
    }

    private static string GroupOf(Option option) =>
        s_groups.FirstOrDefault(group => group.Names.Contains(option.Name)).Group ?? Others;

    private static IEnumerable<Option> Above(Command command) =>
        command
            .Parents.OfType<Command>()
            .SelectMany(parent => parent.Options.Where(option => option.Recursive).Concat(Above(parent)));

    /// <summary>A command as it is given on the command line; empty for the tool itself.</summary>
    internal static string Name(Command command) =>
        command.Parents.OfType<Command>().FirstOrDefault() is not { } parent ? ""
        : parent is RootCommand ? command.Name
        : $"{Name(parent)} {command.Name}";
}
