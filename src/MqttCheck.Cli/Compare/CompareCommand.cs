using System.CommandLine;
using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Profiles;

namespace MqttCheck.Cli.Compare;

/// <summary><c>mqttcheck compare</c>: which of several brokers is faster, or whether a broker is as fast as it was.</summary>
internal static class CompareCommand
{
    private const int FullRuns = 8,
        QuickRuns = 5,
        Clients = 100;
    private static readonly TimeSpan s_fullBudget = TimeSpan.FromSeconds(120),
        s_quickBudget = TimeSpan.FromSeconds(40);

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var brokers = new Option<string[]>("--brokers", "-b")
        {
            HelpName = "BROKER,BROKER,...",
            Description =
                "Two brokers or more, as in --broker of the other commands; embedded:LAW is the embedded broker with a delay law of its own. One is enough with --baseline.",
            Required = true,
            AllowMultipleArgumentsPerToken = true,
        };
        var baseline = new Option<FileInfo?>("--baseline")
        {
            HelpName = "FILE",
            Description =
                "Compare with this stored run, on its setups, thresholds and seed; 'run --save-baseline FILE' stores one.",
        };
        var profiles = CommonOptions.Profiles();
        profiles.DefaultValueFactory = _ => ["up1"];
        var clients = new Option<ComparedClients>("--clients", "-n")
        {
            HelpName = "N,N,...|CLIENT,CLIENT",
            Description =
                $"How many clients, default {Clients}; or which MQTT clients to compare on each broker: {string.Join(',', ClientOption.Names)}. May be given twice, for both.",
            DefaultValueFactory = _ => new([], []),
            CustomParser = ClientOption.Compared(1, 20_000),
        };
        var client = ClientOption.Create();
        client.Description += " With --baseline: as the baseline.";
        var thresholds = CommonOptions.Thresholds();
        thresholds.Description =
            "Thresholds such as 20ms,50ms. Default: for each broker the one where its prediction is nearest .85; each pair is compared at its own two.";
        var error = new Option<double?>("--error")
        {
            HelpName = "P",
            Description = string.Create(
                CultureInfo.InvariantCulture,
                $"Largest probability that some verdict is wrong. Default {RunPlan.Comparison.Error}; {RunPlan.Quick.Error} with --quick."
            ),
            CustomParser = result => Values.Between(0, .5)(result),
        };
        var indifference = new Option<double?>("--indifference")
        {
            HelpName = "D",
            Description = string.Create(
                CultureInfo.InvariantCulture,
                $"The smallest difference of two probabilities that matters. Default {RunPlan.Comparison.Indifference}; {RunPlan.Quick.Indifference} with --quick."
            ),
            CustomParser = result => Values.Between(0, .5)(result),
        };
        var runs = new Option<int?>("--runs")
        {
            HelpName = "N",
            Description =
                $"Smallest number of runs of each broker and setup. Default: as many as give a verdict soonest, at least {FullRuns}; {QuickRuns} with --quick.",
            CustomParser = result => Values.Integer(3, 1000)(result),
        };
        var budget = new Option<TimeSpan?>("--budget")
        {
            HelpName = "TIME",
            Description =
                $"How long the compared runs may take, per broker; up to the smallest number of runs a quarter more is allowed. Default {s_fullBudget.TotalSeconds}s; {s_quickBudget.TotalSeconds}s with --quick; with --guarantee any as long as the planned runs take.",
            CustomParser = result => Values.Duration(result),
        };
        var guarantee = GuaranteeOption.Create();
        var quick = new Option<bool>("--quick") { Description = "A short exploration, fewer runs, a larger error." };
        var explore = CommonOptions.ExploreFor();
        explore.Description =
            $"How long to explore a broker, for the thresholds. Default {RunPlan.Comparison.Exploration.TotalSeconds}s; {RunPlan.Quick.Exploration.TotalSeconds}s with --quick.";
        var learner = CommonOptions.Learner();
        var mqtt = CommonOptions.Mqtt();
        mqtt.Description += " With --baseline: as the baseline.";
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputDirectory();
        output.Description = "Directory for logs/, models/, predictions/ and comparison.html, .md and .json.";
        var format = FormatOption.Printed();
        var plots = PlotsOption.Create("the differences with their intervals and the latencies of every broker");
        plots.Description += " comparison.md then shows them.";
        var connection = new TargetBrokerOptions();
        var command = new Command(
            "compare",
            "Says which of several brokers answers in time more often, or that there is no difference: on interleaved runs, with a stated error. Exit code 1: a difference."
        )
        {
            brokers,
            baseline,
            profiles,
            clients,
            client,
            thresholds,
            error,
            guarantee,
            indifference,
            runs,
            budget,
            quick,
            explore,
            learner,
            mqtt,
            seed,
            output,
            format,
            plots,
        };
        connection.AddTo(command, withBroker: false);
        command.SetAction(
            async (parse, _) =>
            {
                var userSeed = parse.GetValue(seed);
                var isQuick = parse.GetValue(quick);
                var plan = (isQuick ? RunPlan.Quick : RunPlan.Comparison).ExploringFor(parse.GetValue(explore));
                OutputPath.RequireDirectory(parse.GetValue(output)!.ToString(), output.Name);
                var drawTo = PlotsOption.Of(parse, plots);
                var entries = CompareBrokers.Split(parse.GetValue(brokers)!);
                var stored = parse.GetValue(baseline) is { } file ? CompareBaselineFile.Read(file.ToString()) : null;
                var compared = parse.GetValue(clients)!;
                if (entries.Count < (stored is null && compared.Kinds.Count < 2 ? 2 : 1))
                    throw new InputException(
                        $"--brokers: '{string.Join(',', entries)}' given; allowed: two brokers or more, or one with --baseline or with two --clients such as {string.Join(',', ClientOption.Names)}."
                    );
                if (compared.Kinds.Count > 0 && parse.GetResult(client) is { Implicit: false })
                    throw new InputException(
                        $"--client: given beside --clients {string.Join(',', compared.Kinds)}; allowed: one of them."
                    );
                if (
                    stored is not null
                    && ((Option[])[profiles, clients, client, thresholds, explore, learner, mqtt]).FirstOrDefault(
                        option => parse.GetResult(option) is { Implicit: false }
                    )
                        is { } superfluous
                )
                    throw new InputException(
                        $"{superfluous.Name}: given beside --baseline; allowed: only without, because a baseline brings its own."
                    );
                var labels = CompareBrokers.Labels(entries);
                IReadOnlyList<ClientKind> kinds =
                    stored is not null ? [ClientOption.Logged(stored.Client)]
                    : compared.Kinds.Count > 0 ? [.. compared.Kinds.Select(ClientOption.Choose)]
                    : [ClientOption.Choose(parse.GetValue(client))];
                IReadOnlyList<Population> populations = stored is null
                    ? CommonOptions.Read(parse.GetValue(profiles)!)
                    : [];
                var request = new CompareRequest
                {
                    Brokers =
                    [
                        .. entries.SelectMany(
                            (entry, index) =>
                            {
                                var (broker, delay) = CompareBrokers.Parse(entry);
                                // Two embedded brokers draw their delays independently.
                                return ComparedClients.With(
                                    labels[index],
                                    connection.Choose(parse, unchecked(userSeed + (ulong)index), delay, broker),
                                    kinds
                                );
                            }
                        ),
                    ],
                    Baseline = stored,
                    Populations = populations,
                    Clients = compared.Counts.Count > 0 ? compared.Counts : [Clients],
                    Thresholds = parse.GetValue(thresholds) ?? [],
                    Plan = plan,
                    Test = new()
                    {
                        Error = parse.GetValue(error) ?? plan.Error,
                        Guarantee = parse.GetValue(guarantee),
                        Indifference = parse.GetValue(indifference) ?? plan.Indifference,
                        MinimumRuns = parse.GetValue(runs) ?? (isQuick ? QuickRuns : FullRuns),
                    },
                    Runs = parse.GetValue(runs),
                    IsBudgetGiven = parse.GetValue(budget) is not null,
                    BudgetPerBroker = parse.GetValue(budget) ?? (isQuick ? s_quickBudget : s_fullBudget),
                    Learner = CommonOptions.Learner(parse.GetValue(learner), plan.Learner),
                    ProtocolVersion = stored?.ProtocolVersion ?? CommonOptions.Protocol(parse.GetValue(mqtt)),
                    Seed = userSeed,
                    Directory = parse.GetValue(output)!.ToString(),
                    Repeat = Repeat.CommandLine(arguments, userSeed),
                };
                var comparison = await new CompareStage(screen, interruption, request).RunAsync();
                var report = CompareReport.Output(comparison);
                if (drawTo is not null)
                    PlotFiles.Print(screen, report.Draw(drawTo), drawTo);
                var page = CompareReport.Write(request.Directory, report);
                foreach (var warning in comparison.Warnings)
                    screen.Warn(warning);
                if (FormatOption.Of(parse, format) is { } printed)
                {
                    report.Print(screen, printed);
                    if (printed == ReportFormat.GitHub)
                        report.Summarise(Environment.GetEnvironmentVariable(ReportOutput.SummaryVariable));
                    return comparison.ExitCode;
                }
                CompareReport.Print(screen, comparison);
                screen.Line();
                screen.Line($"report: {page}");
                screen.Line($"repeat: {comparison.Repeat}");
                if (comparison.Interrupted)
                    screen.Note("interrupted: the result is partial");
                return comparison.ExitCode;
            }
        );
        return command;
    }
}
