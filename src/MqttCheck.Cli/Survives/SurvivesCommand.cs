using System.CommandLine;
using System.Text;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.App.Clusters.Survival.Search;
using MqttCheck.App.Progress;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Cluster;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Text;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Survives;

/// <summary><c>mqttcheck survives</c>: which faults an acknowledged message survives.</summary>
internal sealed class SurvivesCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private const string WorstFile = "worst.json";

    private readonly Argument<string?> _topology = new("topology")
    {
        HelpName = "FILE|NAME|FAMILY",
        Description = "A cluster, as for 'cluster run'.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<string> _system = ClusterOptions.FamilySystem();
    private readonly LiveClusterOptions _live = new("", "cell of the table", "survives.json and survives.html");

    private readonly Option<string[]> _only = new("--only")
    {
        HelpName = "FAULT",
        Description = $"Some faults only: {string.Join(", ", SurvivalRow.Kinds)}, or a row of the table. Repeatable.",
    };

    private readonly Option<TimeSpan?> _budget = new("--budget")
    {
        HelpName = "TIME",
        Description =
            "How long it may take. One that cannot suffice is refused beforehand, with one that can. Default 15m, or "
            + "as long as --at-most or --runs take.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly Option<double?> _atMost = new("--at-most")
    {
        HelpName = "SHARE",
        Description = "The share of runs with a loss that shall be excluded, such as 5% or 0.05.",
        CustomParser = result => SharePercent(result),
    };

    private readonly Option<int?> _runs = new("--runs")
    {
        HelpName = "N",
        Description = "The most runs of each fault.",
        CustomParser = result => Values.Integer(1, 9_999)(result),
    };

    private readonly Option<string?> _broker = new("--broker")
    {
        HelpName = "BROKER",
        Description = "One broker in place of a cluster, as other commands take it.",
    };

    private readonly Option<bool> _search = new("--search")
    {
        Description =
            "Looks for the worst instead: draws schedules of these faults until acknowledged messages are lost, makes "
            + "the schedule as small as it gets, and writes it to worst.json for 'cluster run --scenario'.",
    };

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "survives",
            "Breaks a broker or a cluster in every way of a list, and says which acknowledged messages, retained "
                + "messages and sessions survive it. Exit code 1 if something is lost."
        )
        {
            _topology,
            _system,
            _broker,
            _only,
            _budget,
            _atMost,
            _runs,
            _search,
            _live.Error,
            _live.Seed,
            _live.Output,
        };
        _live.AddAccessTo(command);
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var request = RequestOf(parse, TopologyOf(parse));
        request.Require();
        var directory = parse.GetValue(_live.Output)!.FullName;
        var isSearch = parse.GetValue(_search);
        OutputPath.RequireWritable(Path.Combine(directory, isSearch ? WorstFile : "survives.json"), "--out");
        var place = interruption.At(screen);
        await using var runs = new LiveSurvivalRuns(
            place,
            OwnProgram.Node,
            request.Loaded,
            request.Access,
            request.Load.Patience,
            request.Seed
        );
        return isSearch
            ? await SearchAsync(place, runs, request, directory)
            : await TableAsync(place, runs, request, directory);
    }

    private async Task<Conclusion> TableAsync(
        Workplace place,
        LiveSurvivalRuns runs,
        SurvivalRequest request,
        string directory
    )
    {
        var (json, page) = (Path.Combine(directory, "survives.json"), Path.Combine(directory, "survives.html"));
        var answer = await SurvivalStage.RunAsync(place, runs, request);
        SurvivesText.Print(screen, answer, RepeatOf);
        SurvivesFile.Write(json, request, answer, RepeatOf);
        SurvivesPage.Write(page, request, answer, RepeatOf, screen.Time.GetUtcNow());
        screen.Line();
        screen.Line($"result: {json}");
        screen.Line($"page:   {page}");
        screen.Line($"repeat: {request.Repeat}");
        screen.NotePartial(answer.IsInterrupted);
        return answer.Conclusion;

        string RepeatOf(SurvivalCell cell) => SurvivesRepeat.Of(arguments, request.Seed, cell);
    }

    private async Task<Conclusion> SearchAsync(
        Workplace place,
        LiveSurvivalRuns runs,
        SurvivalRequest request,
        string directory
    )
    {
        var answer = await SearchStage.RunAsync(place, runs, request);
        SearchText.Print(screen, answer);
        if (answer.Scenario is { } worst)
        {
            var file = Path.Combine(directory, WorstFile);
            AtomicFile.Write(file, Encoding.UTF8.GetString(ScenarioFile.ToBytes(worst)));
            screen.Line($"scenario: {file}");
            screen.Line($"run it:   {SurvivesRepeat.OfWorst(arguments, request.Seed, file)}");
        }
        screen.Line($"repeat: {request.Repeat}");
        screen.NotePartial(answer.IsInterrupted);
        return answer.Conclusion;
    }

    private Topology TopologyOf(ParseResult parse) =>
        (parse.GetValue(_topology), parse.GetValue(_broker)) switch
        {
            ({ } given, null) => ClusterOptions.Read(parse, [given], _system)[0],
            (null, { } broker) => SingleBroker.TopologyOf(BrokerSpecification.Parse(broker)),
            (null, null) => throw new InputException(
                "survives: neither a broker nor a cluster is given; allowed: --broker BROKER, or a topology."
            ),
            var (given, broker) => throw new InputException(
                $"--broker: '{BrokerSpecification.Redact(broker)}' given beside '{given}'; allowed: one of the two."
            ),
        };

    private SurvivalRequest RequestOf(ParseResult parse, Topology topology)
    {
        var (seed, runs, atMost) = (parse.GetValue(_live.Seed), parse.GetValue(_runs), parse.GetValue(_atMost));
        return new()
        {
            Topology = topology,
            Only = parse.GetValue(_only) ?? [],
            Budget =
                parse.GetValue(_budget) is { } time ? new(time)
                : runs is null && atMost is null ? SurvivalPlan.Usual
                : null,
            AtMost = atMost,
            MostRuns = runs,
            Error = parse.GetValue(_live.Error),
            Seed = seed,
            Access = _live.AccessTo(parse, topology),
            Repeat = Repeat.CommandLine(arguments, seed),
        };
    }

    private static double? SharePercent(System.CommandLine.Parsing.ArgumentResult result)
    {
        if (SurvivesRepeat.TryShare(result.Tokens[0].Value, out var share))
            return share;
        result.AddError(Values.Wrong(result, "a share above 0 and below 1, such as 5% or 0.05"));
        return null;
    }
}
