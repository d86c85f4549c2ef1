using System.CommandLine;
using MqttCheck.App.Explore;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Learning.Data;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Explore;

/// <summary><c>mqttcheck explore</c>: broker to log.</summary>
internal sealed class ExploreCommand(Screen screen, Interruption interruption)
{
    private readonly TargetBrokerOptions _broker = new();
    private readonly Option<string[]> _profiles = CommonOptions.Profiles();
    private readonly Option<string> _mqtt = CommonOptions.Mqtt();
    private readonly Option<string> _client = ClientOption.Create();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new(isLive: true);

    private readonly Option<FileInfo?> _output = CommonOptions.OutputFile(
        "The log to write (CSV). Default: logs/BROKER-TIME.csv."
    );

    private readonly Option<TimeSpan> _time = new("--for")
    {
        HelpName = "TIME",
        Description = "How long to explore. A minute gives a sound model.",
        DefaultValueFactory = _ => TimeSpan.FromSeconds(60),
        CustomParser = Values.Duration,
    };

    private readonly Option<int> _upTo = new("--up-to-clients")
    {
        HelpName = "N",
        Description =
            "The largest number of clients that is to be predicted from the log: some cases have as many. "
            + $"Default {TrainingDesign.MostClients}.",
        DefaultValueFactory = _ => TrainingDesign.MostClients,
        CustomParser = Values.Integer(1, CommonOptions.MostClients),
    };

    private readonly Option<bool> _saturated = new("--saturated")
    {
        Description =
            "No waits, as in the original paper, for comparison: such a log does not show how the broker "
            + "behaves when it "
            + "is quiet.",
    };

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "explore",
            "Exercises a broker with varied load and logs every message exchange, to learn from."
        )
        {
            _profiles,
            _time,
            _upTo,
            _saturated,
            _mqtt,
            _client,
            _seed,
            _output,
            _broker.Failover,
        };
        _broker.AddTo(command);
        _workers.AddTo(command);
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        var populations = CommonOptions.Read(parse.GetValue(_profiles)!);
        var choice = _broker.Choose(parse, userSeed) with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        var (budget, isSaturated) = (parse.GetValue(_time), parse.GetValue(_saturated));
        if (isSaturated && parse.GetResult(_upTo) is { Implicit: false })
            throw new InputException(
                $"{_upTo.Name}: given beside {_saturated.Name}; allowed: only without, since the paper's design has "
                    + "its own numbers of clients."
            );
        var request = new ExploreRequest(
            choice.Live(CommonOptions.Protocol(parse.GetValue(_mqtt))),
            populations,
            isSaturated ? null : budget,
            parse.GetValue(_upTo),
            Coarse: !isSaturated && budget < RunPlan.SoundExploration,
            parse.GetValue(_output)?.ToString()
                ?? RunFiles.Named(".", choice.Specification.Name, screen.Time.GetUtcNow()).Log
        );
        request.Require();
        if (parse.GetValue(_output) is { } given)
            OutputPath.RequireWritable(given.ToString(), _output.Name);
        _workers.Require(parse);
        await using var running = await choice.StartAsync(interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, screen, interruption);
        request = request with { Live = request.Live with { Fleets = workers.Fleets } };
        var result = await ExploreStage.RunAsync(interruption.At(screen), running, request);
        Print(result, request.Cases.Count, request.Log);
        return Conclusions.Of(result.Runs, result.Interrupted);
    }

    private void Print(ExplorationResult result, int cases, string path)
    {
        screen.Warn(RunWarnings.Of(result.Runs));
        var exchanges = result.Runs.Sum(run => run.Exchanges);
        screen.Line(Invariant($"log: {path} ({exchanges} exchanges in {result.Runs.Count} of {cases} cases)"));
        if (result.WarmUp is { } warmUp)
            screen.Line(warmUp);
        screen.Line($"learn from it: mqttcheck learn {path}");
        if (result.Interrupted)
            screen.Note("interrupted: the log is partial");
    }
}
