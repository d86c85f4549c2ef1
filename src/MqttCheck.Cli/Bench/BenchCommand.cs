using System.CommandLine;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Statistics;
using static System.FormattableString;
using Command = System.CommandLine.Command;

namespace MqttCheck.Cli.Bench;

/// <summary><c>mqttcheck bench</c>: broker to throughput and latency under a load.</summary>
internal sealed class BenchCommand
{
    private const string TbmqScenario = "tbmq";
    private const string TbmqWorkload = "tbmq-p2p";

    // The options of a fleet.
    private const int MostProfileClients = 20_000;

    private static readonly string[] s_scenarioBrokers =
    [
        .. BrokerSpecification.InstalledNames,
        .. BrokerSpecification.HostedNames.Reverse(),
    ];

    private readonly Screen _screen;
    private readonly Interruption _interruption;
    private readonly string[] _arguments;
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

    private readonly Option<string?> _scenario = new("--scenario")
    {
        HelpName = "NAME",
        Description = "tbmq: TBMQ's point-to-point scenario on several --brokers with several --pairs, in one table.",
    };

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

    private readonly Option<string> _format = new("--format")
    {
        HelpName = "FORMAT",
        Description = "What is printed: text, or json (the results file). Default text.",
        DefaultValueFactory = _ => "text",
    };

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

    private BenchCommand(Screen screen, Interruption interruption, string[] arguments)
    {
        (_screen, _interruption, _arguments) = (screen, interruption, arguments);
        _scenario.AcceptOnlyFromAmong(TbmqScenario);
        _format.AcceptOnlyFromAmong("text", "json");
    }

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
        command.SetAction((parse, _) => bench.RunAsync(parse));
        return command;
    }

    private async Task<int> RunAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        RejectContradictions(parse, _load, _connection, _profile, _rates, _steps, _scenario, _brokers, _drain);
        if (parse.GetValue(_profile) is not null && (parse.GetValue(_log) || parse.GetValue(_compress)))
            throw new InputException(
                "--log and --compress: given beside --profile; allowed: without, since its log, exchanges.csv, is "
                    + "always written: it is one to learn from."
            );
        RejectWorkers(parse);
        if (parse.GetValue(_compress) && !parse.GetValue(_log))
            throw new InputException("--compress: given without --log; allowed: beside it, for the log it compresses.");
        var (drawTo, metrics) = (PlotsOption.Of(parse, _plots), MetricsOption.Of(parse, _metrics));
        var isScenario = parse.GetValue(_scenario) is not null;
        // Delays are for learning; a load wants the broker itself.
        var delay = BenchOptions.Given(parse, _connection.Delay) ? null : "none";
        var choice = isScenario ? null : _connection.Choose(parse, userSeed, delay);
        var files = parse.GetValue(_output) is { } directory
            ? new BenchFiles(directory.ToString())
            : BenchFiles.Named(choice?.Specification.Name ?? TbmqScenario, _screen.Time.GetUtcNow());
        var (runs, latencies) = parse.GetValue(_profile) is { } name
            ? await ProfileAsync(parse, files, choice!, name)
            : await LoadAsync(parse, files, choice, delay);
        if (runs.Count == 0)
        {
            _interruption.Orderly.ThrowIfCancellationRequested();
            throw new BrokerException("No run was made.");
        }
        var document = DocumentOf(parse, runs);
        files.Write(document);
        BenchMetrics.Of(document).Write(metrics);
        if (drawTo is not null)
            PlotFiles.Print(_screen, BenchPlots.Draw(document, latencies, drawTo), drawTo);
        Print(_screen, document, parse.GetValue(_format)!, isScenario, latencies);
        if (parse.GetValue(_format) == "text")
        {
            _screen.Line();
            _screen.Line(
                $"results: {files.Results}, {files.Page}; latencies "
                    + $"(.hgrm){(parse.GetValue(_log) ? " and messages (.csv)" : "")} beside them"
            );
            _screen.Line($"repeat: {document.Repeat}");
        }
        if (document.IsInterrupted)
            _screen.Note("interrupted: the result is partial");
        return document.ExitCode;
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
        if (clients > MostProfileClients)
            throw new InputException($"--clients: {clients} given; allowed: 1 .. {MostProfileClients} of a profile.");
        SystemLimits.Require(clients);
        _workers.Require(parse);
        await using var broker = await choice.StartAsync(_interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, _screen, _interruption);
        var time = parse.GetValue(_load.Time) ?? TimeSpan.FromSeconds(10);
        var (run, latencies) = await BenchProfile.RunAsync(
            _screen,
            _interruption,
            files,
            broker,
            populations[0],
            clients,
            time,
            parse.GetValue(_seed),
            choice.RateCap,
            _load.Version(parse),
            ClientOption.Choose(parse.GetValue(_client)),
            workers.Fleets
        );
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
        var request = new BenchRequest
        {
            Workload = isScenario
                ? _load.Choose(parse, TbmqWorkload, isSweep: false, pairs: Sizes(parse, _load)[0])
                : _load.Choose(parse, null, range is not null),
            IsVersionFixed = _load.Version(parse) is not null,
            Client = ClientOption.Choose(parse.GetValue(_client)),
            Drain = parse.GetValue(_drain),
            WithLog = parse.GetValue(_log),
            CompressesLog = parse.GetValue(_compress),
            Seed = userSeed,
        };
        // A scenario's workload has the first of its sizes. Clients at workers are limited there.
        if (!BenchOptions.Given(parse, _workers.Address))
            SystemLimits.Require(
                isScenario ? 2 * Sizes(parse, _load).Max() : request.Workload.Publishers + request.Workload.Subscribers
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
            var scenario = new BenchStage(_screen, _interruption, files, LocalLoadRunner.Instance);
            await scenario.ScenarioAsync(choices, request, Sizes(parse, _load));
            return (scenario.Runs, null);
        }
        RejectBeyondCap(choice!, request, range?.Highest);
        await using var broker = await choice!.StartAsync(_interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, _screen, _interruption);
        var stage = new BenchStage(_screen, _interruption, files, workers.Loads);
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
            Generated = _screen.Time.GetUtcNow(),
            Seed = seed,
            Repeat = Repeat.CommandLine(_arguments, seed),
            Runs = runs,
            IsSweep = isSweep,
            Knee = knee,
            IsKneeBracketed = isBracketed,
            IsInterrupted = _interruption.Orderly.IsCancellationRequested,
        };
    }

    private void RejectWorkers(ParseResult parse)
    {
        if (!BenchOptions.Given(parse, _workers.Address))
            return;
        foreach (var option in (Option[])[_scenario, _log, _connection.Failover])
            if (BenchOptions.Given(parse, option))
                throw BenchOptions.Beside(option.Name, "--workers");
    }

    private static int[] Sizes(ParseResult parse, BenchOptions load) =>
        parse.GetValue(load.Pairs) is { Length: > 0 } given ? given : [100, 500, 1000];

    private static void Print(
        Screen screen,
        BenchDocument document,
        string format,
        bool isScenario,
        DurationCounts? latencies
    )
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

    private static void RejectContradictions(
        ParseResult parse,
        BenchOptions load,
        TargetBrokerOptions connection,
        Option profile,
        Option rates,
        Option steps,
        Option scenario,
        Option brokers,
        Option drain
    )
    {
        bool Given(Option option) => BenchOptions.Given(parse, option);
        if (Given(profile))
        {
            foreach (var option in (Option[])[.. load.OfLoad, rates, steps, scenario, drain])
                if (Given(option))
                    throw BenchOptions.Beside(option.Name, "--profile, which says itself what is sent");
        }
        if (Given(scenario))
        {
            foreach (var option in (Option[])[.. load.OfShape, connection.Broker, rates, steps])
                if (Given(option))
                    throw BenchOptions.Beside(
                        option.Name,
                        "--scenario, which says itself what is sent to which --brokers"
                    );
        }
        else if (Given(brokers))
        {
            throw new InputException("--brokers: given without --scenario; allowed: --broker for one broker.");
        }
        if (Given(rates) && Given(load.Rate))
            throw BenchOptions.Beside("--rates", "--rate");
        if (Given(steps) && !Given(rates))
            throw new InputException("--steps: given without --rates; allowed: only beside it.");
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
