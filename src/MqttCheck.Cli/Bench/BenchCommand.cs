using System.CommandLine;
using MqttCheck.App.Bench;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Captures.Replay;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Protocol;
using MqttCheck.Reports.Documents;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;
using Command = System.CommandLine.Command;

namespace MqttCheck.Cli.Bench;

/// <summary><c>mqttcheck bench</c>: broker to throughput and latency under a load.</summary>
internal sealed class BenchCommand(Screen screen, Interruption interruption, string[] arguments)
{
    private const string TbmqScenario = "tbmq";
    private const string TbmqWorkload = "tbmq-p2p";

    private static readonly string[] s_scenarioBrokers =
    [
        .. BrokerSpecification.InstalledNames,
        .. BrokerSpecification.HostedNames.Reverse(),
    ];

    private readonly TargetBrokerOptions _connection = new();
    private readonly BenchOptions _load = new();

    private readonly Option<string?> _profile = new("--profile", "-p")
    {
        HelpName = "NAME|FILE",
        Description =
            "A usage profile instead of a workload: up1, up2, population, or a JSON file. A closed loop of --clients.",
    };

    private readonly Option<(double Lowest, double Highest)?> _rates = new("--rates")
    {
        HelpName = "A..B",
        Description = "Sweep: runs at rates from A to B (1k..50k) with a constant ratio, and finds the knee.",
        CustomParser = Rates.Range,
    };

    private readonly Option<int> _steps = new("--steps")
    {
        HelpName = "N",
        Description = "How many rates a sweep has. Default 8.",
        DefaultValueFactory = _ => 8,
        CustomParser = Values.Integer(2, 50),
    };

    private readonly Option<string?> _scenario = new Option<string?>("--scenario")
    {
        HelpName = "NAME",
        Description = "tbmq: TBMQ's point-to-point scenario on several --brokers with several --pairs, in one table.",
    }.Accepting(TbmqScenario);

    private readonly Option<string[]> _brokers = new("--brokers")
    {
        HelpName = "BROKER,...",
        Description = $"The brokers of a scenario, as for --broker. Default {string.Join(',', s_scenarioBrokers)}.",
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<TimeSpan> _drain = new("--drain")
    {
        HelpName = "TIME",
        Description = "How long to wait at the end for what is under way. Default 5s.",
        DefaultValueFactory = _ => TimeSpan.FromSeconds(5),
        CustomParser = Values.Duration,
    };

    private readonly Option<bool> _log = new("--log")
    {
        Description =
            "Write messages.csv, the log of all messages: some 100 bytes for each, so megabytes for each second.",
    };

    private readonly Option<bool> _compress = new("--compress")
    {
        Description = "With --log: compress the log, messages.csv.gz.",
    };

    private readonly Option<FileInfo?> _metrics = MetricsOption.Create();

    private readonly Option<string> _format = new Option<string>("--format")
    {
        HelpName = "FORMAT",
        Description = "What is printed: text, or json (the results file). Default text.",
        DefaultValueFactory = _ => "text",
    }.Accepting("text", "json");

    private readonly Option<DirectoryInfo?> _output = new("--out", "-o")
    {
        HelpName = "DIR",
        Description =
            "Directory for bench.json, bench.html, latency.hgrm and, with --log, messages.csv. "
            + "Default: bench/BROKER-TIME.",
    };

    private readonly Option<string> _client = ClientOption.Create();
    private readonly Option<DirectoryInfo?> _plots = PlotsOption.Create(
        "latency and throughput against the load, and the percentiles of the latency,"
    );
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new(isLive: true);
    private readonly ReplayOptions _replay = new();

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of this process, for the command that repeats the run.</param>
    public static Command Create(Screen screen, Interruption interruption, string[] arguments)
    {
        var bench = new BenchCommand(screen, interruption, arguments);
        var command = new Command(
            "bench",
            "Loads a broker with messages, and measures throughput, latency, "
                + "loss, duplicates and order; or finds the load that it sustains."
        )
        {
            bench._profile,
            bench._rates,
            bench._steps,
            bench._scenario,
            bench._brokers,
            bench._drain,
            bench._connection.Failover,
            bench._log,
            bench._compress,
            bench._metrics,
            bench._format,
            bench._output,
            bench._plots,
            bench._client,
            bench._seed,
        };
        bench._load.AddTo(command);
        bench._connection.AddTo(command);
        bench._workers.AddTo(command);
        bench._replay.AddTo(command);
        command.Concludes((parse, _) => bench.RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        RejectContradictions(parse);
        if (parse.GetValue(_profile) is not null && (parse.GetValue(_log) || parse.GetValue(_compress)))
            throw new InputException(
                "--log and --compress: given beside --profile; allowed: without, since its log, exchanges.csv, is "
                    + "always written: it is one to learn from."
            );
        if (BenchOptions.Given(parse, _workers.Address))
            RejectAny(parse, [_scenario, _log, _connection.Failover], "--workers");
        if (parse.GetValue(_compress) && !parse.GetValue(_log))
            throw new InputException("--compress: given without --log; allowed: beside it, for the log it compresses.");
        var (drawTo, metrics) = (PlotsOption.Of(parse, _plots), MetricsOption.Of(parse, _metrics));
        var isScenario = parse.GetValue(_scenario) is not null;
        // Delays are for learning; a load wants the broker itself.
        var delay = BenchOptions.Given(parse, _connection.Delay) ? null : "none";
        var choice = isScenario ? null : _connection.Choose(parse, userSeed, delay);
        if (parse.GetValue(_output) is { } given)
            OutputPath.RequireWritableDirectory(given.ToString(), _output.Name);
        var files = parse.GetValue(_output) is { } directory
            ? new BenchFiles(directory.ToString())
            : BenchFiles.Named(choice?.Specification.Name ?? TbmqScenario, screen.Time.GetUtcNow());
        var (runs, latencies) =
            _replay.FileOf(parse) is { } capture ? await ReplayAsync(parse, files, choice!, capture)
            : parse.GetValue(_profile) is { } name ? await ProfileAsync(parse, files, choice!, name)
            : await LoadAsync(parse, files, choice, delay);
        if (runs.Count == 0)
        {
            interruption.Orderly.ThrowIfCancellationRequested();
            throw new BrokerException("No run was made.");
        }
        var document = DocumentOf(parse, runs);
        files.Write(document);
        BenchFiles.Replace(files.Page, writer => HtmlDocument.Write(writer, BenchReport.Document(document)));
        BenchMetrics.Of(document).Publish(metrics);
        if (drawTo is not null)
            PlotFiles.Print(screen, BenchPlots.Draw(document, latencies, drawTo), drawTo);
        Print(document, parse.GetValue(_format)!, isScenario, latencies);
        if (parse.GetValue(_format) == "text")
        {
            screen.Line();
            screen.Line(
                $"results: {files.Results}, {files.Page}; latencies "
                    + $"(.hgrm){(parse.GetValue(_log) ? " and messages (.csv)" : "")} beside them"
            );
            screen.Line($"repeat: {document.Repeat}");
        }
        screen.NotePartial(document.IsInterrupted);
        return document.Conclusion;
    }

    private async Task<(IReadOnlyList<BenchRun> Runs, DurationCounts? Latencies)> ProfileAsync(
        ParseResult parse,
        BenchFiles files,
        BrokerChoice choice,
        string name
    )
    {
        var populations = CommonOptions.Read([name]);
        if (populations.Count != 1)
            throw new InputException($"--profile: '{name}' names several profiles; allowed: one.");
        var clients = parse.GetValue(_load.Clients) ?? 100;
        if (clients > CommonOptions.MostClients)
            throw new InputException(
                $"--clients: {clients} given; allowed: 1 .. {CommonOptions.MostClients} of a profile."
            );
        choice = choice with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        // Without a version the newest is taken that the broker speaks, which is not known yet.
        choice.Live(_load.Version(parse) ?? ProtocolVersion.V5).Require(populations);
        SystemLimits.Require(clients);
        _workers.Require(parse);
        await using var broker = await choice.StartAsync(interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, screen, interruption);
        var request = new BenchProfileRequest(
            populations[0],
            clients,
            parse.GetValue(_load.Time) ?? TimeSpan.FromSeconds(10),
            _load.Version(parse),
            choice,
            workers.Fleets
        );
        var (run, latencies) = await BenchProfile.RunAsync(interruption.At(screen), files, broker, request);
        return ([run], latencies);
    }

    private async Task<(IReadOnlyList<BenchRun> Runs, DurationCounts? Latencies)> ReplayAsync(
        ParseResult parse,
        BenchFiles files,
        BrokerChoice choice,
        string capture
    )
    {
        var place = interruption.At(screen);
        var asked = _replay.RequestOf(parse, capture, choice, parse.GetValue(_drain));
        var survey = await place.Progress.ProgressAsync(
            "reads the capture",
            _ => Task.Run(() => ReplaySurvey.Of(asked.Capture))
        );
        survey.RequireBelow(asked.Speed, choice.RateCap);
        await using var broker = await choice.StartAsync(interruption.Orderly);
        var (run, latencies) = await BenchReplay.RunAsync(place, files, broker, choice, asked, survey);
        return ([run], latencies);
    }

    private async Task<(IReadOnlyList<BenchRun> Runs, DurationCounts? Latencies)> LoadAsync(
        ParseResult parse,
        BenchFiles files,
        BrokerChoice? choice,
        string? delay
    )
    {
        var userSeed = parse.GetValue(_seed);
        var isScenario = parse.GetValue(_scenario) is not null;
        var range = parse.GetValue(_rates);
        // Everything that can be known before the broker runs is said before.
        var request = new BenchRequest(
            isScenario
                ? _load.Choose(parse, TbmqWorkload, isSweep: false, pairs: Sizes(parse)[0])
                : _load.Choose(parse, null, range is not null),
            IsVersionFixed: _load.Version(parse) is not null,
            ClientOption.Choose(parse.GetValue(_client)),
            parse.GetValue(_drain),
            WithLog: parse.GetValue(_log),
            CompressesLog: parse.GetValue(_compress),
            userSeed
        );
        // A scenario's workload has the first of its sizes. Clients at workers are limited there.
        if (!BenchOptions.Given(parse, _workers.Address))
            SystemLimits.Require(
                isScenario ? 2 * Sizes(parse).Max() : request.Workload.Publishers + request.Workload.Subscribers
            );
        _workers.Require(parse);
        if (isScenario)
        {
            var entries = CompareBrokers.Split(
                parse.GetValue(_brokers) is { Length: > 0 } given ? given : s_scenarioBrokers
            );
            var choices = entries
                .Select(entry => KeyValuePair.Create(entry, _connection.Choose(parse, userSeed, delay, entry)))
                .ToList();
            var scenario = new BenchStage(interruption.At(screen), files, LocalLoadRunner.Instance);
            await scenario.ScenarioAsync(choices, request, Sizes(parse));
            return (scenario.Runs, null);
        }
        RejectBeyondCap(choice!, request, range?.Highest);
        await using var broker = await choice!.StartAsync(interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, screen, interruption);
        var stage = new BenchStage(interruption.At(screen), files, workers.Loads);
        if (range is { } sweep)
            await stage.SweepAsync(
                broker,
                request,
                Rates.Geometric(sweep.Lowest, sweep.Highest, parse.GetValue(_steps))
            );
        else
            await stage.RunAsync(broker, request, "", request.Workload.Name);
        return (stage.Runs, stage.LastLatencies);
    }

    private BenchDocument DocumentOf(ParseResult parse, IReadOnlyList<BenchRun> runs)
    {
        var seed = parse.GetValue(_seed);
        var isSweep = parse.GetValue(_rates) is not null;
        var (knee, isBracketed) = isSweep ? BenchKnee.Find(runs) : (null, false);
        return new()
        {
            ToolVersion = Tool.Version,
            Generated = screen.Time.GetUtcNow(),
            Seed = seed,
            Repeat = Repeat.CommandLine(arguments, seed),
            Runs = runs,
            IsSweep = isSweep,
            Knee = knee,
            IsKneeBracketed = isBracketed,
            IsInterrupted = interruption.Orderly.IsCancellationRequested,
        };
    }

    private int[] Sizes(ParseResult parse) =>
        parse.GetValue(_load.Pairs) is { Length: > 0 } given ? given : [100, 500, 1000];

    private void Print(BenchDocument document, string format, bool isScenario, DurationCounts? latencies)
    {
        if (format == "json")
            screen.Line(BenchFiles.Json(document).TrimEnd());
        else if (isScenario)
            BenchText.PrintScenario(screen, document);
        else if (document.IsSweep)
            BenchText.PrintSweep(screen, document);
        else
            BenchText.Print(screen, document.Runs[0], latencies);
    }

    private void RejectContradictions(ParseResult parse)
    {
        bool Given(Option option) => BenchOptions.Given(parse, option);
        if (_replay.FileOf(parse) is null)
            _replay.RejectAlone(parse);
        else
            RejectAny(
                parse,
                [
                    .. _load.OfLoad,
                    _load.Clients,
                    _load.Time,
                    _profile,
                    _rates,
                    _steps,
                    _scenario,
                    _brokers,
                    _client,
                    _log,
                    _compress,
                    _workers.Address,
                    _connection.Failover,
                ],
                "--replay, whose capture says itself what is sent"
            );
        if (Given(_profile))
            RejectAny(
                parse,
                [.. _load.OfLoad, _rates, _steps, _scenario, _drain],
                "--profile, which says itself what is sent"
            );
        if (Given(_scenario))
            RejectAny(
                parse,
                [.. _load.OfShape, _connection.Broker, _rates, _steps],
                "--scenario, which says itself what is sent to which --brokers"
            );
        else if (Given(_brokers))
            throw new InputException("--brokers: given without --scenario; allowed: --broker for one broker.");
        if (Given(_rates) && Given(_load.Rate))
            throw BenchOptions.Beside("--rates", "--rate");
        if (Given(_steps) && !Given(_rates))
            throw new InputException("--steps: given without --rates; allowed: only beside it.");
    }

    private static void RejectAny(ParseResult parse, IEnumerable<Option> options, string beside)
    {
        if (options.FirstOrDefault(option => BenchOptions.Given(parse, option)) is { } given)
            throw BenchOptions.Beside(given.Name, beside);
    }

    // A broker on another machine gets no more than the user allowed, in an open loop whose rate is known.
    private static void RejectBeyondCap(BrokerChoice choice, BenchRequest request, double? highest)
    {
        if (choice.RateCap is not { } cap)
            return;
        var rate =
            highest ?? (request.Workload.IsOpenLoop ? request.Workload.MessagesPerSecond : double.PositiveInfinity);
        if (rate > cap)
        {
            throw new InputException(
                "--rate: "
                    + (
                        double.IsInfinity(rate)
                            ? "a closed loop sends as fast as the broker answers"
                            : Invariant($"{rate} messages/s")
                    )
                    + Invariant($"; allowed: an open loop of at most {cap} messages/s, or a higher --rate-cap.")
            );
        }
    }
}
