using System.CommandLine;
using MqttCheck.App.Runs;
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
/// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
/// <param name="watch">Who watches it, and where its log goes; null for nobody and the current directory.</param>
internal sealed class VerifyCommand(
    Screen screen,
    Interruption interruption,
    IReadOnlyList<string> arguments,
    VerificationWatch? watch = null
)
{
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

    private readonly VerificationWatch _watch = watch ?? new();

    /// <summary>Plans the verification of a command line, before anything is measured.</summary>
    /// <param name="arguments">The arguments, the command's own name included.</param>
    /// <exception cref="InputException">It cannot be done, and why.</exception>
    public static VerificationSchedule Plan(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
    {
        var verify = new VerifyCommand(screen, interruption, arguments);
        var parse = new RootCommand { verify.Create() }.Parse(arguments);
        InputException.ThrowIfAny(parse.Errors.Select(error => error.Message));
        var prediction = PredictionFile.Read(parse.GetValue(verify._prediction)!.ToString());
        var asked = verify._test.Asked(parse, RunPlan.Full);
        return RequireFeasible(asked, prediction, asked.Choose(prediction));
    }

    /// <summary>The command.</summary>
    public Command Create()
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
            screen,
            interruption,
            parse,
            _broker,
            _workers,
            parse.GetValue(_seed),
            parse.GetValue(_output)?.ToString(),
            FormatOption.Of(parse, _format),
            MetricsOption.Of(parse, _metrics),
            arguments
        );

    private async Task<int> VerifyPredictionAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        var file = parse.GetValue(_prediction)!.ToString();
        var prediction = PredictionFile.Read(file);
        var asked = _test.Asked(parse, RunPlan.Full);
        var chosen = asked.Choose(prediction);
        var choice = _broker.Choose(parse, userSeed) with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        var files = RunFiles.Named(_watch.Directory, choice.Specification.Name, screen.Time.GetUtcNow());
        var path = parse.GetValue(_output)?.ToString() ?? files.Verdicts;
        SystemLimits.Require(chosen.Points.Max(point => point.Clients));
        OutputPath.RequireWritable(path, _output.Name);
        var metrics = MetricsOption.Of(parse, _metrics);
        RequireFeasible(asked, prediction, chosen);
        _workers.Require(parse);
        await using var running = await choice.StartAsync(interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, screen, interruption);
        if (await RefreshAsync(parse, prediction, choice, running, workers.Fleets, files) is { } refreshed)
            (prediction, file, chosen) = (refreshed, files.Prediction, asked.Choose(refreshed));
        var verdicts = await VerifyStage.RunAsync(
            screen,
            interruption,
            running,
            new()
            {
                Prediction = prediction,
                PredictionFile = file,
                Chosen = chosen,
                Asked = asked,
                Seed = userSeed,
                RateCap = choice.RateCap,
                ProtocolVersion = CommonOptions.Protocol(parse.GetValue(_mqtt)),
                Client = choice.Client,
                Fleets = workers.Fleets,
                MonteCarloLog = files.MonteCarloLog,
                Log = files.VerificationLog,
                Output = path,
                Watcher = _watch.Watcher,
                Repeat = Repeat.CommandLine(arguments, userSeed),
            }
        );
        VerdictMetrics.Of(verdicts, screen.Time.GetUtcNow()).Write(metrics);
        Print(verdicts, prediction, path, FormatOption.Of(parse, _format));
        return ExitCode.Of(VerdictTable.Conclude(verdicts.Verdicts, verdicts.Interrupted));
    }

    // The schedule; a budget that cannot suffice is refused.
    private static VerificationSchedule RequireFeasible(
        AskedTest asked,
        Prediction prediction,
        VerificationChoice chosen
    )
    {
        var fitted = asked.Schedule(prediction, chosen, asked.Budget);
        BudgetCheck.Require(fitted, asked.Schedule(prediction, chosen, null), asked.IsBudgetGiven);
        return fitted;
    }

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
                screen,
                interruption,
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
        screen.Warn(verdicts.Warnings);
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
                    screen.Time.GetUtcNow()
                )
                .Print(screen, printed);
            return;
        }
        VerdictTable.Print(screen, prediction, verdicts.Verdicts);
        screen.Line();
        screen.Line($"verdicts: {path}");
        screen.Line($"repeat:   {verdicts.Repeat}");
        if (verdicts.Interrupted)
            screen.Note("interrupted: the result is partial");
    }
}
