using System.CommandLine;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.VerifyProperty;
using MqttCheck.Cli.Workers;
using MqttCheck.Predictions;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Cli.Verify;

/// <summary><c>mqttcheck verify</c>: prediction and broker to verdicts.</summary>
internal sealed class VerifyCommand
{
    private readonly Screen _screen;
    private readonly Interruption _interruption;
    private readonly IReadOnlyList<string> _arguments;
    private readonly TargetBrokerOptions _broker = new();
    private readonly VerifyOptions _test = new();
    private readonly PropertyVerifyOptions _property = new();
    private readonly Option<string> _mqtt = CommonOptions.Mqtt();
    private readonly Option<string> _client = ClientOption.Create();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new(isLive: true);
    private readonly Option<FileInfo?> _metrics = MetricsOption.Create();
    private readonly Option<string?> _format = FormatOption.Printed();

    private readonly Option<FileInfo?> _output = CommonOptions.OutputFile(
        "The verdict file to write (JSON). Default: verdicts/BROKER-TIME.json."
    );

    private readonly Argument<FileInfo?> _prediction = new("PREDICTION")
    {
        Description = "The prediction file that 'predict' wrote; or --property.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<TimeSpan?> _refresh = new("--refresh")
    {
        HelpName = "TIME",
        Description =
            "If the idle broker has become slower or faster by more than 10 % since training, explore for this long, "
            + "learn, and predict the same again before verifying. 60s gives a sound model.",
        CustomParser = result => Values.Duration(result),
    };

    private readonly VerificationWatch _watch;

    private VerifyCommand(
        Screen screen,
        Interruption interruption,
        IReadOnlyList<string> arguments,
        VerificationWatch watch
    ) => (_screen, _interruption, _arguments, _watch) = (screen, interruption, arguments, watch);

    /// <summary>The command.</summary>
    /// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
    /// <param name="watch">Who watches it, and where its log goes; null for nobody and the current directory.</param>
    public static Command Create(
        Screen screen,
        Interruption interruption,
        IReadOnlyList<string> arguments,
        VerificationWatch? watch = null
    ) => new VerifyCommand(screen, interruption, arguments, watch ?? new()).Create();

    /// <summary>What a command line would do, before anything is measured.</summary>
    /// <param name="arguments">The arguments, the command's own name included.</param>
    /// <exception cref="InputException">It cannot be done, and why.</exception>
    public static VerificationSchedule Plan(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var verify = new VerifyCommand(screen, interruption, arguments, new());
        var parse = new RootCommand { verify.Create() }.Parse(arguments);
        InputException.ThrowIfAny(parse.Errors.Select(error => error.Message));
        var prediction = PredictionFile.Read(parse.GetValue(verify._prediction)!.ToString());
        var chosen = verify.Choose(parse, prediction);
        verify.RequireBudget(parse, prediction, chosen);
        return verify.Schedule(parse, prediction, chosen, verify._test.Budget(parse, RunPlan.Full));
    }

    private Command Create()
    {
        var command = new Command(
            "verify",
            "Tests predictions, or a property, on the live broker: confirmed, not worse (where only one side could be "
                + "tested), worse, better (a property: holds, violated), or no verdict and why."
        )
        {
            _prediction,
            _refresh,
            _mqtt,
            _client,
            _seed,
            _output,
            _metrics,
            _format,
        };
        command.Options.Add(_broker.Failover);
        _broker.AddTo(command);
        _workers.AddTo(command);
        _test.AddTo(command);
        _property.AddTo(command, _prediction);
        command.SetAction(
            async (parse, _) =>
                _property.IsGiven(parse) ? await VerifyPropertyAsync(parse) : await VerifyPredictionAsync(parse)
        );
        return command;
    }

    private Task<int> VerifyPropertyAsync(ParseResult parse) =>
        _property.RunAsync(
            _screen,
            _interruption,
            parse,
            _broker,
            _workers,
            parse.GetValue(_seed),
            parse.GetValue(_output)?.ToString(),
            FormatOption.Of(parse, _format),
            MetricsOption.Of(parse, _metrics),
            _arguments
        );

    private async Task<int> VerifyPredictionAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        var file = parse.GetValue(_prediction)!.ToString();
        var prediction = PredictionFile.Read(file);
        var chosen = Choose(parse, prediction);
        var choice = _broker.Choose(parse, userSeed) with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        var files = RunFiles.Named(_watch.Directory, choice.Specification.Name, _screen.Time.GetUtcNow());
        var path = parse.GetValue(_output)?.ToString() ?? files.Verdicts;
        SystemLimits.Require(chosen.Points.Max(point => point.Clients));
        OutputPath.RequireWritable(path, _output.Name);
        var metrics = MetricsOption.Of(parse, _metrics);
        RequireBudget(parse, prediction, chosen);
        _workers.Require(parse);
        await using var running = await choice.StartAsync(_interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, _screen, _interruption);
        if (await RefreshAsync(parse, prediction, choice, running, workers.Fleets, files) is { } refreshed)
            (prediction, file, chosen) = (refreshed, files.Prediction, Choose(parse, refreshed));
        var verdicts = await VerifyStage.RunAsync(
            _screen,
            _interruption,
            running,
            new()
            {
                Prediction = prediction,
                PredictionFile = file,
                Chosen = chosen,
                Test = _test.Test(parse, RunPlan.Full, chosen.Points.Count),
                IsNumberOfRunsFixed = _test.IsNumberOfRunsFixed(parse),
                Budget = _test.Budget(parse, RunPlan.Full),
                Seed = userSeed,
                RateCap = choice.RateCap,
                ProtocolVersion = CommonOptions.Protocol(parse.GetValue(_mqtt)),
                Client = choice.Client,
                Fleets = workers.Fleets,
                MonteCarloSequences = _test.MonteCarloSequences(parse),
                MonteCarloLog = files.MonteCarloLog,
                Log = files.VerificationLog,
                Output = path,
                Watcher = _watch.Watcher,
                Repeat = Repeat.CommandLine(_arguments, userSeed),
            }
        );
        VerdictMetrics.Of(verdicts, _screen.Time.GetUtcNow()).Write(metrics);
        Print(verdicts, prediction, path, FormatOption.Of(parse, _format));
        return ExitCode.Of(VerdictTable.Conclude(verdicts.Verdicts, verdicts.Interrupted));
    }

    private void RequireBudget(ParseResult parse, Prediction prediction, VerificationChoice chosen)
    {
        BudgetCheck.Require(
            Schedule(parse, prediction, chosen, _test.Budget(parse, RunPlan.Full)),
            Schedule(parse, prediction, chosen, null),
            _test.IsBudgetGiven(parse)
        );
    }

    private VerificationSchedule Schedule(
        ParseResult parse,
        Prediction prediction,
        VerificationChoice chosen,
        TimeSpan? budget
    ) =>
        VerificationSchedule.For(
            prediction,
            chosen.Points,
            _test.Test(parse, RunPlan.Full, chosen.Points.Count),
            _test.IsNumberOfRunsFixed(parse),
            budget
        );

    private VerificationChoice Choose(ParseResult parse, Prediction prediction) =>
        VerifyOptions.Choose(prediction, _test.Clients(parse), _test.AllThresholds(parse));

    private async Task<Prediction?> RefreshAsync(
        ParseResult parse,
        Prediction prediction,
        BrokerChoice choice,
        IBrokerUnderTest running,
        IFleetRunner fleets,
        RunFiles files
    ) =>
        parse.GetValue(_refresh) is not { } exploration
            ? null
            : await RefreshStage.RunAsync(
                _screen,
                _interruption,
                running,
                new()
                {
                    Prediction = prediction,
                    Exploration = exploration,
                    Seed = parse.GetValue(_seed),
                    ProtocolVersion = CommonOptions.Protocol(parse.GetValue(_mqtt)),
                    Client = choice.Client,
                    Fleets = fleets,
                    RateCap = choice.RateCap,
                    Files = files,
                }
            );

    private void Print(VerdictDocument verdicts, Prediction prediction, string path, ReportFormat? format)
    {
        foreach (var warning in verdicts.Warnings)
            _screen.Warn(warning);
        if (format is { } printed)
        {
            ReportStage
                .Output(
                    new()
                    {
                        Prediction = prediction,
                        Verdicts = verdicts,
                        Earlier = EarlierVerdicts.Before(path, verdicts),
                    },
                    _screen.Time.GetUtcNow()
                )
                .Print(_screen, printed);
            return;
        }
        VerdictTable.Print(_screen, prediction, verdicts.Verdicts);
        _screen.Line();
        _screen.Line($"verdicts: {path}");
        _screen.Line($"repeat:   {verdicts.Repeat}");
        if (verdicts.Interrupted)
            _screen.Note("interrupted: the result is partial");
    }
}
