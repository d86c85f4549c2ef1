using System.CommandLine;
using MqttCheck.App.Compare;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Profiles;
using MqttCheck.Sequential.Runs;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Compare;

/// <summary>
/// <c>mqttcheck compare</c>: which of several brokers is faster, or whether a broker is as fast as it was.
/// </summary>
internal sealed class CompareCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private const int Clients = 100;

    private readonly Option<string[]> _brokers = new("--brokers", "-b")
    {
        HelpName = "BROKER,BROKER,...",
        Description =
            "Two brokers or more, as in --broker of the other commands; embedded:LAW is the "
            + "embedded broker with a delay law of its own. One is enough with --baseline.",
        Required = true,
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<FileInfo?> _baseline = new("--baseline")
    {
        HelpName = "FILE",
        Description =
            "Compare with this stored run, on its setups, thresholds and seed; 'run --save-baseline FILE' stores one.",
    };

    private readonly Option<DirectoryInfo?> _history = new("--history")
    {
        HelpName = "DIR",
        Description =
            "Keep the result in this directory, one file for each comparison, and show the trend of those that it "
            + "holds, with the points where it changes.",
    };

    private readonly Option<string[]> _profiles = CommonOptions.Profiles();

    private readonly Option<ComparedClients> _clients = new("--clients", "-n")
    {
        HelpName = "N,N,...|CLIENT,CLIENT",
        Description =
            $"How many clients; or which MQTT clients to compare on each "
            + $"broker: {string.Join(',', ClientOption.Names)}. May be given twice, for both. Default {Clients}.",
        DefaultValueFactory = _ => new([], []),
        CustomParser = ClientOption.Compared(1, 20_000),
    };

    private readonly Option<string> _client = ClientOption.Create();
    private readonly Option<double[]?> _thresholds = CommonOptions.Thresholds();

    private readonly Option<double?> _error = new("--error")
    {
        HelpName = "P",
        Description =
            "Largest probability that some verdict is wrong. Default "
            + Invariant($"{RunPlan.Comparison.Error}; {RunPlan.Quick.Error} with --quick."),
        CustomParser = result => Values.Between(0, .5)(result),
    };

    private readonly Option<double?> _indifference = new("--indifference")
    {
        HelpName = "D",
        Description =
            "The smallest difference of two probabilities that matters. Default "
            + Invariant($"{RunPlan.Comparison.Indifference}; {RunPlan.Quick.Indifference} with --quick."),
        CustomParser = result => Values.Between(0, .5)(result),
    };

    private readonly Option<int?> _runs = new("--runs")
    {
        HelpName = "N",
        Description =
            "Smallest number of runs of each broker and setup. Default: as many as "
            + $"give a verdict soonest, at least {RunPlan.Comparison.Runs}; "
            + $"{RunPlan.QuickComparison.Runs} with --quick.",
        CustomParser = result => Values.Integer(3, 1000)(result),
    };

    private readonly Option<TimeSpan?> _budget = new("--budget")
    {
        HelpName = "TIME",
        Description =
            "How long the compared runs may take, per broker; up to the "
            + "smallest number of runs a quarter more is allowed. Default "
            + $"{RunPlan.Comparison.Verification.TotalSeconds}s; "
            + $"{RunPlan.QuickComparison.Verification.TotalSeconds}s with --quick; "
            + "with --guarantee any as long as the planned runs take.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<Guarantee> _guarantee = GuaranteeOption.Create();
    private readonly Option<double?> _worstRun = WorstRunOption.Create();
    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "A short exploration, fewer runs, a larger error.",
    };
    private readonly Option<TimeSpan?> _explore = CommonOptions.ExploreFor();
    private readonly Option<string?> _learner = CommonOptions.Learner();
    private readonly Option<string> _mqtt = CommonOptions.Mqtt();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new(isLive: true);
    private readonly Option<DirectoryInfo> _output = CommonOptions.OutputDirectory();
    private readonly Option<string?> _format = FormatOption.Printed();
    private readonly Option<DirectoryInfo?> _plots = PlotsOption.Create(
        "the differences with their intervals and the latencies of every broker"
    );
    private readonly Option<FileInfo?> _metrics = MetricsOption.Create();
    private readonly TargetBrokerOptions _connection = new();

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var compare = new CompareCommand(screen, interruption, arguments);
        compare.Describe();
        var command = new Command(
            "compare",
            "Says which of several brokers answers in time more often, or that there is no "
                + "difference: on interleaved runs, with a stated error. Exit code 1: a difference."
        )
        {
            compare._brokers,
            compare._baseline,
            compare._history,
            compare._profiles,
            compare._clients,
            compare._client,
            compare._thresholds,
            compare._error,
            compare._guarantee,
            compare._worstRun,
            compare._indifference,
            compare._runs,
            compare._budget,
            compare._quick,
            compare._explore,
            compare._learner,
            compare._mqtt,
            compare._seed,
            compare._output,
            compare._format,
            compare._plots,
            compare._metrics,
            compare._connection.Failover,
        };
        compare._connection.AddTo(command, withBroker: false);
        compare._workers.AddTo(command);
        command.Validators.Add(result =>
            WorstRunOption.Require(
                result,
                compare._worstRun,
                () => result.GetValue(compare._guarantee) == Guarantee.Any
            )
        );
        command.Concludes((parse, _) => compare.RunAsync(parse));
        return command;
    }

    // These options belong to other commands too, but have another default or description here.
    private void Describe()
    {
        _profiles.DefaultValueFactory = _ => ["up1"];
        _client.Description += " With --baseline: as the baseline.";
        _thresholds.Description =
            "Thresholds such as 20ms,50ms. Default: for each broker the one where "
            + "its prediction is nearest .85; each pair is compared at its own two.";
        _explore.Description =
            "How long to explore a broker, for the thresholds. "
            + $"Default {RunPlan.Comparison.Exploration.TotalSeconds}s; "
            + $"{RunPlan.Quick.Exploration.TotalSeconds}s with --quick.";
        _mqtt.Description += " With --baseline: as the baseline.";
        _output.Description = "Directory for logs/, models/, predictions/ and comparison.html, .md and .json.";
        _plots.Description += " comparison.md then shows them.";
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        OutputPath.RequireWritableDirectory(parse.GetValue(_output)!.ToString(), _output.Name);
        var drawTo = PlotsOption.Of(parse, _plots);
        var metrics = MetricsOption.Of(parse, _metrics);
        RequireHistory(parse);
        var entries = CompareBrokers.Split(parse.GetValue(_brokers)!);
        var stored = parse.GetValue(_baseline) is { } file ? CompareBaselineFile.Read(file.ToString()) : null;
        var compared = parse.GetValue(_clients)!;
        RejectContradictions(parse, entries, stored, compared);
        var request = RequestOf(parse, entries, stored, compared);
        _workers.Require(parse);
        var comparison = WithTrends(parse, await CompareStage.RunAsync(interruption.At(screen), request));
        CompareMetrics.Of(comparison).Publish(metrics);
        var report = CompareReport.Output(comparison);
        if (drawTo is not null)
            PlotFiles.Print(screen, report.Draw(drawTo), drawTo);
        var page = CompareReport.Write(request.Directory, report);
        screen.Warn(comparison.Warnings);
        if (FormatOption.Of(parse, _format) is { } printed)
        {
            report.Print(screen, printed);
            return comparison.Conclusion;
        }
        CompareReport.Print(screen, comparison);
        screen.Line();
        screen.Line($"report: {page}");
        screen.Line($"repeat: {comparison.Repeat}");
        screen.NotePartial(comparison.Interrupted);
        return comparison.Conclusion;
    }

    // Results that cannot be read are refused before anything is measured.
    private void RequireHistory(ParseResult parse)
    {
        if (parse.GetValue(_history)?.ToString() is not { } directory)
            return;
        OutputPath.RequireWritableDirectory(directory, _history.Name);
        CompareHistory.Read(directory);
    }

    // An interrupted comparison does not go into the history.
    private CompareDocument WithTrends(ParseResult parse, CompareDocument comparison)
    {
        if (parse.GetValue(_history)?.ToString() is not { } directory || comparison.Interrupted)
            return comparison;
        var added = CompareHistory.Add(directory, comparison);
        screen.Note($"history: {added.Path}");
        if (added.Unnumbered > 0)
            screen.Note($"history: {CompareTrendText.Unnumbered(added.Unnumbered)}");
        return comparison with { Trends = added.Trends };
    }

    private void RejectContradictions(
        ParseResult parse,
        IReadOnlyList<string> entries,
        CompareBaseline? stored,
        ComparedClients compared
    )
    {
        foreach (var entry in entries)
            _ = BrokerSpecification.Parse(BrokerSpecification.SplitDelay(entry).Broker);
        if (entries.Count < (stored is null && compared.Kinds.Count < 2 ? 2 : 1))
            throw new InputException(
                $"--brokers: '{string.Join(',', entries)}' given; allowed: two brokers or more, or one "
                    + $"with --baseline or with two --clients such as {string.Join(',', ClientOption.Names)}."
            );
        if (compared.Kinds.Count > 0 && parse.GetResult(_client) is { Implicit: false })
            throw new InputException(
                $"--client: given beside --clients {string.Join(',', compared.Kinds)}; allowed: one of them."
            );
        if (
            stored is not null
            && ((Option[])[_profiles, _clients, _client, _thresholds, _explore, _learner, _mqtt]).FirstOrDefault(
                option => parse.GetResult(option) is { Implicit: false }
            )
                is { } superfluous
        )
            throw new InputException(
                $"{superfluous.Name}: given beside --baseline; allowed: "
                    + "only without, because a baseline brings its own."
            );
    }

    private CompareRequest RequestOf(
        ParseResult parse,
        IReadOnlyList<string> entries,
        CompareBaseline? stored,
        ComparedClients compared
    )
    {
        var userSeed = parse.GetValue(_seed);
        var usual = parse.GetValue(_quick) ? RunPlan.QuickComparison : RunPlan.Comparison;
        var plan = usual.ExploringFor(parse.GetValue(_explore));
        var labels = CompareBrokers.Labels(entries);
        IReadOnlyList<ClientKind> kinds =
            stored is not null ? [ClientOption.Logged(stored.Client)]
            : compared.Kinds.Count > 0 ? [.. compared.Kinds.Select(ClientOption.Choose)]
            : [ClientOption.Choose(parse.GetValue(_client))];
        IReadOnlyList<Population> populations = stored is null ? CommonOptions.Read(parse.GetValue(_profiles)!) : [];
        return new(
            Brokers:
            [
                .. entries.SelectMany(
                    (entry, index) =>
                    {
                        var (broker, delay) = BrokerSpecification.SplitDelay(entry);
                        // Two embedded brokers draw their delays independently.
                        return ComparedClients.With(
                            labels[index],
                            _connection.Choose(parse, unchecked(userSeed + (ulong)index), delay, broker),
                            kinds
                        );
                    }
                ),
            ],
            Baseline: stored,
            Populations: populations,
            Clients: compared.Counts.Count > 0 ? compared.Counts : [Clients],
            Thresholds: parse.GetValue(_thresholds) ?? [],
            Plan: plan,
            Test: CompareRequest.TestOf(
                plan,
                parse.GetValue(_error),
                parse.GetValue(_indifference),
                parse.GetValue(_runs),
                parse.GetValue(_guarantee),
                parse.GetValue(_worstRun)
            ),
            Runs: parse.GetValue(_runs),
            BudgetPerBroker: parse.GetValue(_budget) is { } given ? new(given) : new(plan.Verification, IsGiven: false),
            Learner: CommonOptions.Learner(parse.GetValue(_learner), plan.Learner),
            ProtocolVersion: stored?.ProtocolVersion ?? CommonOptions.Protocol(parse.GetValue(_mqtt)),
            Seed: userSeed,
            Directory: parse.GetValue(_output)!.ToString(),
            ConnectAsync: () => _workers.ConnectAsync(parse, screen, interruption),
            Repeat: Repeat.CommandLine(arguments, userSeed)
        );
    }
}
