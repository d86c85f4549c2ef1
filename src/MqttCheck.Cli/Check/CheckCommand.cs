using System.CommandLine;
using MqttCheck.App.Check;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;
using Command = System.CommandLine.Command;

namespace MqttCheck.Cli.Check;

/// <summary><c>mqttcheck check</c>: broker to findings.</summary>
internal sealed class CheckCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private const int DefaultRepetitions = 5;
    private static readonly TimeSpan s_soak = TimeSpan.FromHours(1);
    private static readonly TimeSpan s_soakStart = TimeSpan.FromMinutes(10);

    private readonly TargetBrokerOptions _broker = new();

    private readonly Option<string> _role = new Option<string>("--role")
    {
        HelpName = "ROLE",
        Description =
            "The role that MqttCheck plays: client checks a broker, broker checks the client program of --exec. "
            + "Default client.",
        DefaultValueFactory = _ => "client",
    }.Accepting("client", "broker");

    private readonly Option<string?> _program = new("--exec")
    {
        HelpName = "COMMAND",
        Description = $"The client program, with {BrokerSpecification.PortPlaceholder} for the port it connects to.",
    };

    private readonly Option<TimeSpan?> _time = new("--for")
    {
        HelpName = "TIME",
        Description = "How long to explore, shrinking and confirming included. Default 60s; 1h with --soak.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<string> _protocol = new Option<string>("--protocol")
    {
        HelpName = "VERSION",
        Description =
            "Protocol version: 3.1, 3.1.1, 5, or all (3.1.1, and 5 where the broker accepts it). Default all.",
        DefaultValueFactory = _ => "all",
    }.Accepting("3.1", "3.1.1", "5", "all");

    private readonly Option<string[]> _only = new("--only")
    {
        HelpName = "STATEMENT",
        Description =
            "Report these statements only: a number such as MQTT-3.8.4-6 or a name "
            + "such as delivery-qos; * at the end stands for anything. Repeatable.",
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<string[]> _skip = new("--skip")
    {
        HelpName = "STATEMENT",
        Description = "Do not report these statements. Repeatable.",
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<FileInfo?> _replay = new("--replay")
    {
        HelpName = "FILE",
        Description = "Repeat the scenario of a file, one command per line, instead of exploring.",
    };

    private readonly Option<string?> _steps = new("--steps")
    {
        HelpName = "COMMANDS",
        Description = "Repeat a scenario, its commands separated by semicolons, instead of exploring.",
    };

    private readonly Option<int> _times = new("--times")
    {
        HelpName = "N",
        Description = "How often to repeat a scenario. Default 5.",
        DefaultValueFactory = _ => DefaultRepetitions,
        CustomParser = Values.Integer(1, 100_000),
    };

    private readonly Option<string[]> _beside = new("--beside")
    {
        HelpName = "COMMANDS",
        Description = "A scenario that runs again and again beside the one that is repeated. Repeatable.",
    };

    private readonly Option<string?> _load = new("--load")
    {
        HelpName = "RATE|PROFILE",
        Description =
            "Keep the broker busy meanwhile: messages per second (2000, 2k), or a profile with a number of "
            + "clients (up1=200; up1 has 50). What is found is repeated without the load first. Default: no load.",
    };

    private readonly Option<bool> _rate = new("--rate")
    {
        Description =
            "Say how often each deviation happens per million commands, with 95 % confidence. No scenario is left "
            + "out for what was found already.",
    };

    private readonly Option<TimeSpan> _settle = new("--settle")
    {
        HelpName = "TIME",
        Description =
            "Cluster: rest so long between commands of clients at different nodes. Default 0; what is found then is "
            + "tried again with a second, so that you see what only the way between nodes explains.",
        CustomParser = result =>
            result.Tokens is [{ Value: "0" or "0s" or "0ms" }] ? TimeSpan.Zero : Values.Duration(result),
    };

    private readonly Option<bool> _wellFormed = new("--well-formed") { Description = "Send no malformed packets." };

    private readonly Option<bool> _soak = new("--soak")
    {
        Description =
            "A long check whose summary (Markdown) is worth keeping: an hour, and the summary goes to soak-BROKER.md.",
    };

    private readonly Option<FileInfo?> _summary = new("--summary")
    {
        HelpName = "FILE",
        Description = "Write a summary (Markdown).",
    };

    private readonly Option<FileInfo?> _statements = new("--statements")
    {
        HelpName = "FILE",
        Description =
            "Write how often each numbered statement of the standard was judged, and whether it was kept: as CSV "
            + "if FILE ends with .csv, as Markdown otherwise.",
    };

    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly Option<FileInfo?> _output = CommonOptions.OutputFile(
        "The file for the findings (JSON). Default: findings.json."
    );
    private readonly Option<string?> _format = FormatOption.Printed();

    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var check = new CheckCommand(screen, interruption, arguments);
        var command = new Command(
            "check",
            "Checks what a broker does against the MQTT standard, by random "
                + "concurrent clients, and shrinks each deviation to a short scenario."
        )
        {
            check._role,
            check._program,
            check._time,
            check._protocol,
            check._only,
            check._skip,
            check._replay,
            check._steps,
            check._times,
            check._beside,
            check._load,
            check._rate,
            check._settle,
            check._wellFormed,
            check._soak,
            check._summary,
            check._statements,
            check._format,
            check._seed,
            check._output,
        };
        check._broker.AddTo(command);
        command.Concludes(
            (parse, _) => parse.GetValue(check._role) == "broker" ? check.PlayBrokerAsync(parse) : check.RunAsync(parse)
        );
        return command;
    }

    private Task<Conclusion> PlayBrokerAsync(ParseResult parse)
    {
        Option[] ofBrokers =
        [
            _broker.Broker,
            _broker.Delay,
            _protocol,
            _beside,
            _load,
            _rate,
            _settle,
            _soak,
            _statements,
        ];
        if (ofBrokers.FirstOrDefault(option => parse.GetResult(option) is { Implicit: false }) is { } other)
            throw new InputException($"{other.Name}: given with --role broker; allowed: when a broker is checked.");
        var text = Scenario(parse);
        var request = ClientUnderTest.Request(
            parse.GetValue(_program),
            Repeat.CommandLine(arguments, parse.GetValue(_seed)),
            parse.GetValue(_seed),
            parse.GetValue(_time) ?? TimeSpan.FromSeconds(60),
            !parse.GetValue(_wellFormed),
            (parse.GetValue(_only) ?? [], parse.GetValue(_skip) ?? [])
        );
        var client = new ClientUnderTest(screen, interruption);
        if (text is not null)
            return client.ReplayAsync(request, text, ScenarioOrigin(parse), parse.GetValue(_times));
        var (output, summary) = (Output(parse), parse.GetValue(_summary)?.ToString());
        OutputPath.RequireWritable(output, _output.Name);
        if (summary is not null)
            OutputPath.RequireWritable(summary, _summary.Name);
        return client.ExploreAsync(request, output, summary, FormatOption.Of(parse, _format));
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        if (parse.GetValue(_program) is not null)
            throw new InputException("--exec: given for a broker; allowed: with --role broker.");
        var userSeed = parse.GetValue(_seed);
        // Delays are for measuring; the check wants answers.
        var choice = _broker.Choose(
            parse,
            userSeed,
            parse.GetResult(_broker.Delay) is { Implicit: false } ? null : "none",
            // Several brokers that start beside each other and beside other work take their time.
            patience: parse.GetValue(_soak) ? s_soakStart : null
        );
        if (parse.GetResult(_settle) is { Implicit: false } && choice.Specification.Kind != BrokerKind.Cluster)
            throw new InputException(
                $"--settle: given for {choice.Specification.Name}; allowed: only for several brokers, --broker "
                    + "cluster:FILE or mqtt://A,mqtt://B."
            );
        var request = Request(parse, choice, userSeed);
        var text = Scenario(parse);
        if (text is null && request.Beside.Count > 0)
            throw new InputException("--beside: given without a scenario; allowed: with --steps or --replay.");
        var (format, output, summary) = (FormatOption.Of(parse, _format), Output(parse), Summary(parse, choice));
        var statements = parse.GetValue(_statements)?.ToString();
        if (text is null)
        {
            OutputPath.RequireWritable(output, _output.Name);
            if (summary is not null)
                OutputPath.RequireWritable(summary, _summary.Name);
            if (statements is not null)
                OutputPath.RequireWritable(statements, _statements.Name);
        }
        var broker = await choice.StartAsync(interruption.Orderly);
        await using var stage = new CheckStage(interruption.At(screen), choice, request, broker);
        if (text is not null)
            return Print(stage.Replay(text, ScenarioOrigin(parse), parse.GetValue(_times)));
        var answer = await stage.ExploreAsync();
        CheckFile.Write(output, answer.Document);
        CheckMetrics.Of(answer.Document).Publish(path: null);
        if (summary is not null)
            AtomicFile.Write(summary, CheckSummary.Of(answer.Document));
        if (statements is not null)
            AtomicFile.Write(statements, StatementsPage.Of(statements, answer));
        if (format is { } printed)
            FindingsReport.Output(answer.Document, screen.Time.GetUtcNow()).Print(screen, printed);
        else
            new CheckText(screen, request, output, summary).Print(answer);
        screen.Lines(answer.BetweenNodes);
        if (answer.Report.BrokerLost)
            screen.Warn("the broker was lost and could not be started again: the result is partial");
        return interruption.End(screen, answer.Conclusion);
    }

    private Conclusion Print(ReplayAnswer answer)
    {
        var (shown, repetitions) = (answer.Shown, answer.Results.Count);
        screen.Lines(Transcript.Last(shown.Monitor.Trace, shown.Names, shown.Monitor.Trace.Count));
        screen.Line();
        foreach (var key in answer.Deviations)
        {
            var first = key.First();
            var hits = answer.Results.Count(result => result.Deviations.Any(deviation => deviation.Key == key.Key));
            screen.Line(
                $"{first.Statement.Id(answer.Request.Versions[0])} ({CheckDescription.Name(first.Statement.Class)}) "
                    + $"{hits} of {repetitions}: {shown.Names.Symbolic(first.Explanation)}"
            );
        }
        if (answer.Deviations.Count == 0)
            screen.Line($"no deviation in {repetitions} repetitions");
        return interruption.End(screen, answer.Conclusion);
    }

    private string Output(ParseResult parse) => parse.GetValue(_output)?.ToString() ?? "findings.json";

    private string? Summary(ParseResult parse, BrokerChoice choice) =>
        parse.GetValue(_summary)?.ToString()
        ?? (parse.GetValue(_soak) ? $"soak-{choice.Specification.Kind.ToString().ToLowerInvariant()}.md" : null);

    private static string RepeatCommand(IReadOnlyList<string> brokerArguments, Finding finding) =>
        "mqttcheck "
        + $"check{string.Concat(brokerArguments.Select(word => $" {Repeat.Quoted(word)}"))} "
        + $"--protocol {BrokerVersions.Name(finding.Scenario.Version)} --steps "
        + $"{Repeat.Quoted(finding.Scenario.ToString())}"
        + string.Concat(finding.Beside.Select(beside => $" --beside {Repeat.Quoted(beside.ToString())}"))
        + (finding.Load is { } load ? $" --load {Repeat.Quoted(load)}" : "")
        + (finding.Repetitions > DefaultRepetitions ? Invariant($" --times {finding.Repetitions}") : "");

    private CheckRequest Request(ParseResult parse, BrokerChoice choice, ulong userSeed) =>
        new()
        {
            RepeatOf = finding => RepeatCommand(_broker.Repeated(parse, choice.Specification), finding),
            CommandLine = Repeat.CommandLine(arguments, userSeed),
            Seed = userSeed,
            Budget = parse.GetValue(_time) ?? (parse.GetValue(_soak) ? s_soak : TimeSpan.FromSeconds(60)),
            Versions = Versions(parse.GetValue(_protocol)!),
            WithMalformed = !parse.GetValue(_wellFormed),
            Settle = parse.GetValue(_settle),
            Only =
            [
                .. (parse.GetValue(_only) ?? [])
                    .SelectMany(text => text.Split(','))
                    .SelectMany(text => Statements.Find(text, "--only")),
            ],
            Skip =
            [
                .. (parse.GetValue(_skip) ?? [])
                    .SelectMany(text => text.Split(','))
                    .SelectMany(text => Statements.Find(text, "--skip")),
            ],
            Load = parse.GetValue(_load) is { } load ? CheckLoadOption.Parse(load, choice.RateCap) : null,
            Beside = parse.GetValue(_beside) ?? [],
            WithRates = parse.GetValue(_rate),
        };

    private static ValueList<ProtocolVersion> Versions(string protocol) =>
        protocol switch
        {
            "3.1" => [ProtocolVersion.V31],
            "3.1.1" => [ProtocolVersion.V311],
            "5" => [ProtocolVersion.V5],
            _ => [ProtocolVersion.V311, ProtocolVersion.V5],
        };

    // The scenario or script that is repeated; null while exploring.
    private string? Scenario(ParseResult parse)
    {
        var (file, steps) = (parse.GetValue(_replay), parse.GetValue(_steps));
        if (file is null && steps is null)
            return null;
        if (file is not null && steps is not null)
            throw new InputException("--steps: given beside --replay; allowed: one of them.");
        Option[] exploring = [_time, _soak, _summary, _statements, _format, _output, _rate];
        if (exploring.FirstOrDefault(option => parse.GetResult(option) is { Implicit: false }) is { } other)
            throw new InputException(
                $"{other.Name}: given beside {(file is null ? "--steps" : "--replay")}; allowed: while exploring."
            );
        return steps
            ?? GivenFile.Read(
                file!,
                File.ReadAllText,
                reason => $"--replay: {reason}; allowed: a file with a scenario, one command per line"
            );
    }

    private string ScenarioOrigin(ParseResult parse) => parse.GetValue(_replay)?.ToString() ?? "--steps";
}
