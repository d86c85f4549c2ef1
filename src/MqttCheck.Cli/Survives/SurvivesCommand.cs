using System.CommandLine;
using MqttCheck.App.Clusters.Survival;
using MqttCheck.Cli.Cluster;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Survives;

/// <summary><c>mqttcheck survives</c>: which faults an acknowledged message survives.</summary>
internal sealed class SurvivesCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
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
            _only,
            _budget,
            _atMost,
            _runs,
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
        var (json, page) = (Path.Combine(directory, "survives.json"), Path.Combine(directory, "survives.html"));
        OutputPath.RequireWritable(json, "--out");
        var place = interruption.At(screen);
        await using var runs = new LiveSurvivalRuns(
            place,
            OwnProgram.Node,
            request.Loaded,
            request.Access,
            request.Load.Patience,
            request.Seed
        );
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

    private Topology TopologyOf(ParseResult parse) =>
        parse.GetValue(_topology) is { } given
            ? ClusterOptions.Read(parse, [given], _system)[0]
            : throw new InputException("survives: neither a cluster nor a broker is given; allowed: a topology.");

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
