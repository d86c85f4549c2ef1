using System.CommandLine;
using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Workers;
using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Shards;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Predict;

/// <summary><c>mqttcheck predict</c>: model and profiles to a prediction.</summary>
internal sealed class PredictCommand(Screen screen, Interruption interruption, IReadOnlyList<string> arguments)
{
    private readonly Option<FileInfo> _model = new("--model", "-m")
    {
        HelpName = "FILE",
        Description = "The model file that 'learn' wrote.",
        Required = true,
    };

    private readonly Option<string[]> _profiles = CommonOptions.Profiles();
    private readonly Option<FleetSizes> _clients = CommonOptions.Sizes("50,90,130");
    private readonly Option<double[]?> _thresholds = CommonOptions.Thresholds();

    private readonly Option<int> _replications = new("--replications")
    {
        HelpName = "N",
        Description =
            "How many independent setups to simulate. 1060 give an error "
            + "of at most .05 with 99 % confidence, whatever the truth.",
        DefaultValueFactory = _ => 1060,
        CustomParser = Values.Integer(1, 10_000_000),
    };

    private readonly Option<int> _threads = new("--threads")
    {
        HelpName = "N",
        Description = "How many threads simulate; the result is the same for any number.",
        DefaultValueFactory = _ => Environment.ProcessorCount,
        CustomParser = Values.Integer(1, 1024),
    };

    private readonly Option<bool> _beyond = CommonOptions.Beyond();
    private readonly Option<ulong> _seed = CommonOptions.Seed();
    private readonly WorkersOption _workers = new();

    private readonly Option<FileInfo?> _output = CommonOptions.OutputFile(
        "Where to write the prediction, which 'verify' reads. Default: predictions/MODEL-PROFILES-TIME.json."
    );

    /// <summary>The command.</summary>
    public Command Create()
    {
        var command = new Command(
            "predict",
            "Simulates usage profiles with a learned model: the "
                + "probability that every message of a client arrives in time."
        )
        {
            _model,
            _profiles,
            _clients,
            _thresholds,
            _replications,
            _threads,
            _beyond,
            _seed,
            _output,
        };
        _workers.AddTo(command);
        command.Concludes((parse, _) => _workers.RunAsync(parse, screen, interruption, runner => Run(parse, runner)));
        return command;
    }

    private Conclusion Run(ParseResult parse, IShardRunner? runner)
    {
        var modelFile = parse.GetValue(_model)!.ToString();
        // Both are read at one time: each compiles the reader of its format, a noticeable part of a short prediction.
        var populations = Task.Run(() => CommonOptions.Read(parse.GetValue(_profiles)!));
        var learned = LatencyModelFile.Read(modelFile);
        var fleets = parse.GetValue(_clients)!.Of(populations.GetAwaiter().GetResult());
        var options = new PredictionOptions
        {
            Seed = SeedPurpose.Predict.Seed(parse.GetValue(_seed)),
            Replications = parse.GetValue(_replications),
            Threads = parse.GetValue(_threads),
            Beyond = parse.GetValue(_beyond),
            Runner = runner,
        };
        if (parse.GetValue(_output)?.ToString() is { } given)
            OutputPath.RequireWritable(given, _output.Name);
        var request = new PredictRequest(modelFile, fleets, parse.GetValue(_thresholds) ?? [], options);
        var prediction = Predict(learned, request, isShown: runner is null);
        PredictionTable.Print(screen, prediction);
        var file =
            parse.GetValue(_output)?.ToString()
            ?? RunFiles.OfPrediction("", modelFile, fleets, screen.Time.GetUtcNow());
        OutputPath.NoteReplaced(screen, file);
        PredictionFile.Write(file, prediction);
        screen.Line();
        screen.Line($"prediction: {file}");
        screen.Line($"verify it:  mqttcheck verify {file} --broker {learned.Broker.OnCommandLine}");
        if (interruption.Orderly.IsCancellationRequested)
            screen.Line($"repeat:     {Repeat.CommandLine(arguments, parse.GetValue(_seed))}");
        return interruption.End(screen, Conclusion.Success);
    }

    private Prediction Predict(LearnedModel learned, PredictRequest request, bool isShown)
    {
        try
        {
            return PredictStage.Predict(
                learned,
                request,
                // Workers show their own progress.
                isShown ? screen.Report : (_, _) => { },
                interruption.Orderly
            );
        }
        catch (OperationCanceledException)
        {
            screen.Note("No setup was simulated to its end, so nothing is written.");
            throw;
        }
    }
}
