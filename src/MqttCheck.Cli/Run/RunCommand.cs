using System.CommandLine;
using MqttCheck.App.Run;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Cli.Workers;
using MqttCheck.Profiles;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Run;

/// <summary><c>mqttcheck run</c>: all stages on one broker.</summary>
/// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
internal sealed class RunCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private readonly TargetBrokerOptions _broker = new();
    private readonly VerifyOptions _test = new();
    private readonly Option<string[]> _profiles = CommonOptions.Profiles();

    private readonly Option<FleetSizes> _clients = CommonOptions.Sizes(string.Join(',', RunPlan.Clients));

    private readonly Option<double[]?> _thresholds = CommonOptions.Thresholds();

    private readonly Option<bool> _quick = new("--quick")
    {
        Description =
            "Under 40 seconds instead of 3 minutes: a coarse model, fewer "
            + "runs, a larger error. What comes out is marked as coarse.",
    };

    private readonly Option<TimeSpan?> _explore = CommonOptions.ExploreFor();

    private readonly Option<string?> _verifyDelay = new("--verify-delay")
    {
        HelpName = "LAW",
        Description =
            "Embedded broker: the delay law while verifying, if it is to "
            + "differ from --delay: shows how a change of the broker is found.",
    };

    private readonly Option<FileInfo?> _baseline = new("--save-baseline")
    {
        HelpName = "FILE",
        Description = "Store the verified runs in this file, for 'compare --baseline' to compare later ones with.",
    };

    private readonly Option<string?> _learner = CommonOptions.Learner();
    private readonly Option<string> _mqtt = CommonOptions.Mqtt();
    private readonly Option<string> _client = ClientOption.Create();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new(isLive: true);
    private readonly Option<DirectoryInfo> _output = CommonOptions.OutputDirectory();

    private readonly Option<FileInfo?> _metrics = MetricsOption.Create();
    private readonly Option<string?> _format = FormatOption.Printed();

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "run",
            "Does everything: explores a broker, learns its latencies, predicts, "
                + "verifies the prediction on the broker, and writes report.html."
        )
        {
            _profiles,
            _clients,
            _thresholds,
            _quick,
            _explore,
            _learner,
            _verifyDelay,
            _baseline,
            _mqtt,
            _client,
            _seed,
            _output,
            _metrics,
            _format,
            _broker.Failover,
        };
        _broker.AddTo(command);
        _workers.AddTo(command);
        _test.AddTo(command);
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private async Task<Conclusion> RunAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        var plan = (parse.GetValue(_quick) ? RunPlan.Quick : RunPlan.Full).ExploringFor(parse.GetValue(_explore));
        var choice = _broker.Choose(parse, userSeed) with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        var changed = parse.GetValue(_verifyDelay);
        if (changed is not null && choice.Specification.Kind != BrokerKind.Embedded)
            throw new InputException(
                $"--verify-delay: given for {choice.Specification.Name}; allowed: only with --broker embedded."
            );
        var fleets = parse.GetValue(_clients)!.Of(CommonOptions.Read(parse.GetValue(_profiles)!));
        var asked = _test.Asked(parse, plan);
        asked.RequirePredicted(fleets.SelectMany(fleet => fleet.Clients));
        if (parse.GetValue(_baseline) is { } stored)
            OutputPath.RequireWritable(stored.ToString(), _baseline.Name);
        var directory = parse.GetValue(_output)!.ToString();
        OutputPath.RequireWritableDirectory(directory, _output.Name);
        _workers.Require(parse);
        var request = new RunRequest(
            Plan: plan,
            Broker: choice,
            ConnectAsync: () => _workers.ConnectAsync(parse, screen, interruption),
            VerifyBroker: changed is null ? null : _broker.Choose(parse, userSeed, changed),
            Fleets: fleets,
            Thresholds: parse.GetValue(_thresholds) ?? [],
            Asked: asked,
            Learner: CommonOptions.Learner(parse.GetValue(_learner), plan.Learner),
            Live: choice.Live(CommonOptions.Protocol(parse.GetValue(_mqtt))),
            Files: RunFiles.Named(directory, choice.Specification.Name, screen.Time.GetUtcNow()),
            SaveBaseline: parse.GetValue(_baseline)?.ToString()
        );
        return await new RunOutput(
            screen,
            interruption,
            request,
            MetricsOption.Of(parse, _metrics),
            Path.Combine(directory, "report.html"),
            FormatOption.Of(parse, _format),
            budget => Repeat.CommandLine(arguments, userSeed, budget)
        ).RunAsync();
    }
}
