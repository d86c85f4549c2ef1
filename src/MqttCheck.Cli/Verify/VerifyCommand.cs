using System.CommandLine;
using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.VerifyProperty;
using MqttCheck.Cli.Workers;
using MqttCheck.Predictions;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Verify;

/// <summary><c>mqttcheck verify</c>: prediction and broker to verdicts.</summary>
/// <param name="arguments">The arguments of the process, to say how to repeat it.</param>
internal sealed class VerifyCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
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
            _broker.Failover,
        };
        _broker.AddTo(command);
        _workers.AddTo(command);
        _test.AddTo(command);
        _property.AddTo(command, _prediction);
        command.Concludes(
            async (parse, _) =>
                _property.IsGiven(parse) ? await VerifyPropertyAsync(parse) : await VerifyPredictionAsync(parse)
        );
        return command;
    }

    private Task<Conclusion> VerifyPropertyAsync(ParseResult parse) =>
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

    private async Task<Conclusion> VerifyPredictionAsync(ParseResult parse)
    {
        var userSeed = parse.GetValue(_seed);
        var file = parse.GetValue(_prediction)!.ToString();
        var choice = _broker.Choose(parse, userSeed) with { Client = ClientOption.Choose(parse.GetValue(_client)) };
        var files = RunFiles.Named(".", choice.Specification.Name, screen.Time.GetUtcNow());
        var path = parse.GetValue(_output)?.ToString() ?? files.Verdicts;
        var request = new VerifyRequest(
            choice.Live(CommonOptions.Protocol(parse.GetValue(_mqtt))),
            PredictionFile.Read(file),
            _test.Asked(parse, RunPlan.Full),
            files.VerificationLog,
            files.MonteCarloLog
        );
        request.Require();
        OutputPath.RequireWritable(path, _output.Name);
        var metrics = MetricsOption.Of(parse, _metrics);
        _workers.Require(parse);
        await using var running = await choice.StartAsync(interruption.Orderly);
        await using var workers = await _workers.ConnectAsync(parse, screen, interruption);
        request = request with { Live = request.Live with { Fleets = workers.Fleets } };
        if (parse.GetValue(_refresh) is { } time && await RefreshAsync(running, request, time, files) is { } refreshed)
            (request, file) = (request with { Prediction = refreshed }, files.Prediction);
        var answer = await VerifyStage.RunAsync(interruption.At(screen), running, request, VerifyText.On(screen));
        var verdicts = VerifyText.Write(answer, file, path, Repeat.CommandLine(arguments, userSeed, answer.MoreTime));
        VerdictMetrics.Of(verdicts, screen.Time.GetUtcNow()).Publish(metrics);
        Print(verdicts, request.Prediction, path, FormatOption.Of(parse, _format));
        return answer.Conclude();
    }

    private Task<Prediction?> RefreshAsync(
        IBrokerUnderTest running,
        VerifyRequest request,
        TimeSpan time,
        RunFiles files
    ) =>
        RefreshStage.RunAsync(
            interruption.At(screen),
            running,
            new(
                request.Prediction,
                new(
                    request.Live,
                    request.Prediction.Populations,
                    time,
                    request.Prediction.Setups.Max(setup => setup.Clients),
                    Coarse: time < RunPlan.SoundExploration,
                    files.Log
                ),
                files.Model,
                files.Prediction
            )
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
        screen.NotePartial(verdicts.Interrupted);
    }
}
