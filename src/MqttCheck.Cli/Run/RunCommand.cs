using System.CommandLine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Cli.Workers;
using MqttCheck.Profiles;

namespace MqttCheck.Cli.Run;

/// <summary><c>mqttcheck run</c>: all stages on one broker.</summary>
internal sealed class RunCommand
{
    private readonly Screen _screen;
    private readonly Interruption _interruption;
    private readonly IReadOnlyList<string> _arguments;
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

    private RunCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        (_screen, _interruption, _arguments) = (screen, interruption, arguments);
    }

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    public static Command Create(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var run = new RunCommand(screen, interruption, arguments);
        var command = new Command(
            "run",
            "Does everything: explores a broker, learns its latencies, predicts, "
                + "verifies the prediction on the broker, and writes report.html."
        )
        {
            run._profiles,
            run._clients,
            run._thresholds,
            run._quick,
            run._explore,
            run._learner,
            run._verifyDelay,
            run._baseline,
            run._mqtt,
            run._client,
            run._seed,
            run._output,
            run._metrics,
            run._format,
        };
        command.Options.Add(run._broker.Failover);
        run._broker.AddTo(command);
        run._workers.AddTo(command);
        run._test.AddTo(command);
        command.SetAction((parse, _) => run.RunAsync(parse));
        return command;
    }

    private async Task<int> RunAsync(ParseResult parse)
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
        _test.RequirePredicted(parse, fleets.SelectMany(fleet => fleet.Clients));
        if (parse.GetValue(_baseline) is { } stored)
            OutputPath.RequireWritable(stored.ToString(), _baseline.Name);
        var directory = parse.GetValue(_output)!.ToString();
        OutputPath.RequireWritableDirectory(directory, _output.Name);
        _workers.Require(parse);
        var pipeline = new Pipeline(_screen, _interruption)
        {
            Plan = plan,
            Broker = choice,
            ConnectAsync = () => _workers.ConnectAsync(parse, _screen, _interruption),
            VerifyBroker = changed is null ? null : _broker.Choose(parse, userSeed, changed),
            Fleets = fleets,
            Thresholds = parse.GetValue(_thresholds) ?? [],
            VerifyClients = _test.Clients(parse),
            VerifyAllThresholds = _test.AllThresholds(parse),
            Test = points => _test.Test(parse, plan, points),
            IsNumberOfRunsFixed = _test.IsNumberOfRunsFixed(parse),
            VerificationBudget = _test.Budget(parse, plan),
            IsBudgetGiven = _test.IsBudgetGiven(parse),
            MonteCarloSequences = _test.MonteCarloSequences(parse),
            Learner = CommonOptions.Learner(parse.GetValue(_learner), plan.Learner),
            Seed = userSeed,
            ProtocolVersion = CommonOptions.Protocol(parse.GetValue(_mqtt)),
            Files = RunFiles.Named(directory, choice.Specification.Name, _screen.Time.GetUtcNow()),
            SaveBaseline = parse.GetValue(_baseline)?.ToString(),
            Metrics = MetricsOption.Of(parse, _metrics),
            Report = Path.Combine(directory, "report.html"),
            Format = FormatOption.Of(parse, _format),
            Repeat = Repeat.CommandLine(_arguments, userSeed),
        };
        return await pipeline.RunAsync();
    }
}
