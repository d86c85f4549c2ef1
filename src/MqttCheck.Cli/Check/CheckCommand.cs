using System.CommandLine;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using Command = System.CommandLine.Command;

namespace MqttCheck.Cli.Check;

/// <summary><c>mqttcheck check</c>: broker to findings.</summary>
internal static class CheckCommand
{
    private static readonly TimeSpan s_soak = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_soakStart = TimeSpan.FromMinutes(10);

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var broker = new TargetBrokerOptions();
        var time = new Option<TimeSpan?>("--for")
        {
            HelpName = "TIME",
            Description = "How long to explore, shrinking and confirming included. Default 60s; 1h with --soak.",
            CustomParser = result => Values.Duration(result),
        };
        var protocol = new Option<string>("--protocol")
        {
            HelpName = "VERSION",
            Description =
                "Protocol version: 3.1, 3.1.1, 5, or all (3.1.1, and 5 where the broker accepts it). Default all.",
            DefaultValueFactory = _ => "all",
        };
        protocol.AcceptOnlyFromAmong("3.1", "3.1.1", "5", "all");
        var only = new Option<string[]>("--only")
        {
            HelpName = "STATEMENT",
            Description =
                "Report these statements only: a number such as MQTT-3.8.4-6 or a name such as delivery-qos; * at the end stands for anything. Repeatable.",
            AllowMultipleArgumentsPerToken = true,
        };
        var skip = new Option<string[]>("--skip")
        {
            HelpName = "STATEMENT",
            Description = "Do not report these statements. Repeatable.",
            AllowMultipleArgumentsPerToken = true,
        };
        var replay = new Option<FileInfo?>("--replay")
        {
            HelpName = "FILE",
            Description = "Repeat the scenario of a file, one command per line, instead of exploring.",
        };
        var steps = new Option<string?>("--steps")
        {
            HelpName = "COMMANDS",
            Description = "Repeat a scenario, its commands separated by semicolons, instead of exploring.",
        };
        var times = new Option<int>("--times")
        {
            HelpName = "N",
            Description = "How often to repeat a scenario. Default 5.",
            DefaultValueFactory = _ => 5,
            CustomParser = Values.Integer(1, 100_000),
        };
        var wellFormed = new Option<bool>("--well-formed") { Description = "Send no malformed packets." };
        var soak = new Option<bool>("--soak")
        {
            Description =
                "A long check whose summary (Markdown) is worth keeping: an hour, and the summary goes to soak-BROKER.md.",
        };
        var summary = new Option<FileInfo?>("--summary")
        {
            HelpName = "FILE",
            Description = "Write a summary (Markdown).",
        };
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputFile("The file for the findings (JSON). Default: findings.json.");
        var format = FormatOption.Printed();
        var command = new Command(
            "check",
            "Checks what a broker does against the MQTT standard, by random concurrent clients, and shrinks each deviation to a short scenario."
        )
        {
            time,
            protocol,
            only,
            skip,
            replay,
            steps,
            times,
            wellFormed,
            soak,
            summary,
            format,
            seed,
            output,
        };
        broker.AddTo(command);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                // Delays are for measuring; the check wants answers.
                var choice = broker.Choose(
                    parse,
                    userSeed,
                    parse.GetResult(broker.Delay) is { Implicit: false } ? null : "none"
                );
                var request = new CheckRequest
                {
                    BrokerArguments = broker.Repeated(parse, choice.Specification),
                    CommandLine = Repeat.CommandLine(arguments, userSeed),
                    Seed = userSeed,
                    Budget = parse.GetValue(time) ?? (parse.GetValue(soak) ? s_soak : TimeSpan.FromSeconds(60)),
                    Versions = Versions(parse.GetValue(protocol)!),
                    WithMalformed = !parse.GetValue(wellFormed),
                    Only =
                    [
                        .. (parse.GetValue(only) ?? [])
                            .SelectMany(text => text.Split(','))
                            .SelectMany(text => Statements.Find(text, "--only")),
                    ],
                    Skip =
                    [
                        .. (parse.GetValue(skip) ?? [])
                            .SelectMany(text => text.Split(','))
                            .SelectMany(text => Statements.Find(text, "--skip")),
                    ],
                    Format = FormatOption.Of(parse, format),
                    Output = parse.GetValue(output)?.ToString() ?? "findings.json",
                    Summary =
                        parse.GetValue(summary)?.ToString()
                        ?? (
                            parse.GetValue(soak)
                                ? $"soak-{choice.Specification.Kind.ToString().ToLowerInvariant()}.md"
                                : null
                        ),
                };
                // Several brokers that start beside each other and beside other work take their time.
                if (parse.GetValue(soak))
                    choice = choice with { Launch = choice.Launch with { StartTimeout = s_soakStart } };
                var text = Scenario(parse.GetValue(replay), parse.GetValue(steps));
                if (
                    text is not null
                    && new Option[] { time, soak, summary, format, output }.FirstOrDefault(option =>
                        parse.GetResult(option) is { Implicit: false }
                    )
                        is { } beside
                )
                    throw new InputException(
                        $"{beside.Name}: given beside {(parse.GetValue(replay) is null ? "--steps" : "--replay")}; allowed: while exploring."
                    );
                await using var stage = await CheckStage.StartAsync(screen, interruption, choice, request);
                return text is null
                    ? await stage.ExploreAsync()
                    : stage.Replay(text, parse.GetValue(replay)?.ToString() ?? "--steps", parse.GetValue(times));
            }
        );
        return command;
    }

    private static ValueList<ProtocolVersion> Versions(string protocol) =>
        protocol switch
        {
            "3.1" => [ProtocolVersion.V31],
            "3.1.1" => [ProtocolVersion.V311],
            "5" => [ProtocolVersion.V5],
            _ => [ProtocolVersion.V311, ProtocolVersion.V5],
        };

    private static string? Scenario(FileInfo? file, string? steps)
    {
        if (file is null)
            return steps;
        if (steps is not null)
            throw new InputException("--steps: given beside --replay; allowed: one of them.");
        try
        {
            return File.ReadAllText(file.FullName);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                $"--replay: {exception.Message}; allowed: a file with a scenario, one command per line",
                exception
            );
        }
    }
}
