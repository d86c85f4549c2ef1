using System.CommandLine;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Statistics;
using Command = System.CommandLine.Command;

namespace MqttCheck.Cli.Bench;

/// <summary><c>mqttcheck bench</c>: broker to throughput and latency under a load.</summary>
internal static class BenchCommand
{
    private const string TbmqScenario = "tbmq";
    private const string TbmqWorkload = "tbmq-p2p";

    // What a fleet takes.
    private const int MostProfileClients = 20_000;

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of this process, for the command that repeats the run.</param>
    public static Command Create(Screen screen, Interruption interruption, string[] arguments)
    {
        var connection = new TargetBrokerOptions();
        var load = new BenchOptions();
        var profile = new Option<string?>("--profile", "-p")
        {
            HelpName = "NAME|FILE",
            Description =
                "A usage profile instead of a workload: up1, up2, population, or a JSON file. A closed loop of --clients.",
        };
        var rates = new Option<(double Lowest, double Highest)?>("--rates")
        {
            HelpName = "A..B",
            Description = "Sweep: runs at rates from A to B (1k..50k) with a constant ratio, and finds the knee.",
            CustomParser = Rates.Range,
        };
        var steps = new Option<int>("--steps")
        {
            HelpName = "N",
            Description = "How many rates a sweep has. Default 8.",
            DefaultValueFactory = _ => 8,
            CustomParser = Values.Integer(2, 50),
        };
        var scenario = new Option<string?>("--scenario")
        {
            HelpName = "NAME",
            Description =
                "tbmq: TBMQ's point-to-point scenario on several --brokers with several --pairs, in one table.",
        };
        scenario.AcceptOnlyFromAmong(TbmqScenario);
        var brokers = new Option<string[]>("--brokers")
        {
            HelpName = "BROKER,...",
            Description =
                "The brokers of a scenario, as for --broker. Default mosquitto,rabbitmq,nats,ejabberd,aedes,mqttnet,embedded.",
            AllowMultipleArgumentsPerToken = true,
        };
        var drain = new Option<TimeSpan>("--drain")
        {
            HelpName = "TIME",
            Description = "How long to wait at the end for what is under way. Default 5s.",
            DefaultValueFactory = _ => TimeSpan.FromSeconds(5),
            CustomParser = Values.Duration,
        };
        var noLog = new Option<bool>("--no-log") { Description = "Do not write the log of all messages." };
        var compress = new Option<bool>("--compress") { Description = "Compress the log: messages.csv.gz." };
        var format = new Option<string>("--format")
        {
            HelpName = "FORMAT",
            Description = "What is printed: text, or json (the results file). Default text.",
            DefaultValueFactory = _ => "text",
        };
        format.AcceptOnlyFromAmong("text", "json");
        var output = new Option<DirectoryInfo?>("--out", "-o")
        {
            HelpName = "DIR",
            Description =
                "Directory for bench.json, bench.html, messages.csv and latency.hgrm. Default: bench/BROKER-TIME.",
        };
        var client = ClientOption.Create();
        var plots = PlotsOption.Create("latency and throughput against the load, and the percentiles of the latency,");
        var seed = CommonOptions.Seed();
        var command = new Command(
            "bench",
            "Loads a broker with messages, and measures throughput, latency, loss, duplicates and order; or finds the load that it sustains."
        )
        {
            profile,
            rates,
            steps,
            scenario,
            brokers,
            drain,
            noLog,
            compress,
            format,
            output,
            plots,
            client,
            seed,
        };
        load.AddTo(command);
        connection.AddTo(command);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                RejectContradictions(parse, load, connection, profile, rates, steps, scenario, brokers, drain);
                if (parse.GetValue(noLog) && parse.GetValue(compress))
                    throw BenchOptions.Beside("--compress", "--no-log");
                if (parse.GetValue(profile) is not null && (parse.GetValue(noLog) || parse.GetValue(compress)))
                    throw new InputException(
                        "--no-log and --compress: given beside --profile; allowed: without, since its log is one to learn from."
                    );
                var drawTo = PlotsOption.Of(parse, plots);
                var isScenario = parse.GetValue(scenario) is not null;
                // Delays are for learning; a load wants the broker itself.
                var delay = BenchOptions.Given(parse, connection.Delay) ? null : "none";
                var choice = isScenario ? null : connection.Choose(parse, userSeed, delay);
                var files = parse.GetValue(output) is { } directory
                    ? new BenchFiles(directory.ToString())
                    : BenchFiles.Named(choice?.Specification.Name ?? TbmqScenario, screen.Time.GetUtcNow());
                var stage = new BenchStage(screen, interruption, files);
                DurationCounts? latencies = null;
                IReadOnlyList<BenchRun> runs;
                if (parse.GetValue(profile) is { } name)
                {
                    var populations = CommonOptions.Read([name]);
                    if (populations.Count != 1)
                        throw new InputException($"--profile: '{name}' names several profiles; allowed: one.");
                    var clients = parse.GetValue(load.Clients) ?? 100;
                    if (clients > MostProfileClients)
                        throw new InputException(
                            $"--clients: {clients} given; allowed: 1 .. {MostProfileClients} of a profile."
                        );
                    SystemLimits.Require(clients);
                    await using var broker = await choice!.StartAsync(interruption.Orderly);
                    var time = parse.GetValue(load.Time) ?? TimeSpan.FromSeconds(10);
                    (var run, latencies) = await BenchProfile.RunAsync(
                        screen,
                        interruption,
                        files,
                        broker,
                        populations[0],
                        clients,
                        time,
                        userSeed,
                        choice.RateCap,
                        load.Version(parse),
                        ClientOption.Choose(parse.GetValue(client))
                    );
                    runs = [run];
                }
                else
                {
                    var range = parse.GetValue(rates);
                    // Everything that can be known before the broker runs is said before.
                    var request = new BenchRequest
                    {
                        Workload = isScenario
                            ? load.Choose(parse, TbmqWorkload, isSweep: false, pairs: Sizes(parse, load)[0])
                            : load.Choose(parse, null, range is not null),
                        IsVersionFixed = load.Version(parse) is not null,
                        Client = ClientOption.Choose(parse.GetValue(client)),
                        Drain = parse.GetValue(drain),
                        WithLog = !parse.GetValue(noLog),
                        CompressesLog = parse.GetValue(compress),
                        Seed = userSeed,
                    };
                    // A scenario's workload has the first of its sizes.
                    SystemLimits.Require(
                        isScenario
                            ? 2 * Sizes(parse, load).Max()
                            : request.Workload.Publishers + request.Workload.Subscribers
                    );
                    if (isScenario)
                    {
                        var entries = CompareBrokers.Split(
                            parse.GetValue(brokers) is { Length: > 0 } given
                                ? given
                                : ["mosquitto,rabbitmq,nats,ejabberd,aedes,mqttnet,embedded"]
                        );
                        var choices = entries
                            .Select(entry =>
                                KeyValuePair.Create(entry, connection.Choose(parse, userSeed, delay, entry))
                            )
                            .ToList();
                        await stage.ScenarioAsync(choices, request, Sizes(parse, load));
                    }
                    else
                    {
                        RejectBeyondCap(choice!, request, range?.Highest);
                        await using var broker = await choice!.StartAsync(interruption.Orderly);
                        if (range is { } sweep)
                            await stage.SweepAsync(
                                broker,
                                request,
                                Rates.Geometric(sweep.Lowest, sweep.Highest, parse.GetValue(steps))
                            );
                        else
                            await stage.RunAsync(broker, request, "", request.Workload.Name);
                        latencies = stage.LastLatencies;
                    }
                    runs = stage.Runs;
                }
                interruption.AtOnce.ThrowIfCancellationRequested();
                if (runs.Count == 0)
                {
                    interruption.Orderly.ThrowIfCancellationRequested();
                    throw new BrokerException("No run was made.");
                }
                var isSweep = parse.GetValue(rates) is not null;
                var (knee, isBracketed) = isSweep ? BenchKnee.Find(runs) : (null, false);
                var document = new BenchDocument
                {
                    ToolVersion = Tool.Version,
                    Generated = screen.Time.GetUtcNow(),
                    Seed = userSeed,
                    Repeat = Repeat.CommandLine(arguments, userSeed),
                    Runs = runs,
                    IsSweep = isSweep,
                    Knee = knee,
                    IsKneeBracketed = isBracketed,
                    IsInterrupted = stage.IsInterrupted,
                };
                files.Write(document);
                if (drawTo is not null)
                    PlotFiles.Print(screen, BenchPlots.Draw(document, latencies, drawTo), drawTo);
                Print(screen, document, parse.GetValue(format)!, isScenario, latencies);
                if (parse.GetValue(format) == "text")
                {
                    screen.Line();
                    screen.Line(
                        $"results: {files.Results}, {files.Page}; latencies (.hgrm){(parse.GetValue(noLog) ? "" : " and messages (.csv)")} beside them"
                    );
                    screen.Line($"repeat: {document.Repeat}");
                }
                if (document.IsInterrupted)
                    screen.Note("interrupted: the result is partial");
                return document.ExitCode;
            }
        );
        return command;
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
                FormattableString.Invariant(
                    $"--rate: {(double.IsInfinity(rate) ? "a closed loop sends as fast as the broker answers" : FormattableString.Invariant($"{rate} messages/s"))}; allowed: an open loop of at most {cap} messages/s, or a higher --rate-cap."
                )
            );
        }
    }
}
