using System.CommandLine;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency.Files;
using MqttCheck.Predictions;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Predict;

/// <summary><c>mqttcheck predict</c>: model and profiles to a prediction.</summary>
internal static class PredictCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen, Interruption interruption)
    {
        var model = new Option<FileInfo>("--model", "-m")
        {
            HelpName = "FILE",
            Description = "The model file that 'learn' wrote.",
            Required = true,
        };
        var profiles = CommonOptions.Profiles();
        var clients = CommonOptions.Clients("50,90,130");
        var thresholds = CommonOptions.Thresholds();
        var replications = new Option<int>("--replications")
        {
            HelpName = "N",
            Description =
                "How many independent setups to simulate. 1060 give an error of at most .05 with 99 % confidence, whatever the truth.",
            DefaultValueFactory = _ => 1060,
            CustomParser = Values.Integer(1, 10_000_000),
        };
        var threads = new Option<int>("--threads")
        {
            HelpName = "N",
            Description = "How many threads simulate; the result is the same for any number.",
            DefaultValueFactory = _ => Environment.ProcessorCount,
            CustomParser = Values.Integer(1, 1024),
        };
        var seed = CommonOptions.Seed();
        var output = CommonOptions.OutputFile(
            "Where to write the prediction, which 'verify' reads. Default: predictions/MODEL.json."
        );
        var command = new Command(
            "predict",
            "Simulates usage profiles with a learned model: the probability that every message of a client arrives in time."
        )
        {
            model,
            profiles,
            clients,
            thresholds,
            replications,
            threads,
            seed,
            output,
        };
        command.SetAction(
            (parse, _) =>
            {
                var modelFile = parse.GetValue(model)!.ToString();
                var learned = LatencyModelFile.Read(modelFile);
                var populations = CommonOptions.Read(parse.GetValue(profiles)!);
                var options = new PredictionOptions
                {
                    Seed = SeedPurpose.Predict.Seed(parse.GetValue(seed)),
                    Replications = parse.GetValue(replications),
                    Threads = parse.GetValue(threads),
                };
                var prediction = PredictStage.Predict(
                    learned,
                    modelFile,
                    populations,
                    parse.GetValue(clients)!,
                    parse.GetValue(thresholds) ?? [],
                    options,
                    (_, _) => { },
                    interruption.Orderly
                );
                PredictStage.Print(screen, prediction);
                var file =
                    parse.GetValue(output)?.ToString()
                    ?? Path.Combine("predictions", Path.GetFileNameWithoutExtension(modelFile) + ".json");
                PredictionFile.Write(file, prediction);
                screen.Line();
                screen.Line($"prediction: {file}");
                screen.Line($"verify it:  mqttcheck verify {file} --broker {learned.Broker.Name}");
                return Task.FromResult(ExitCode.Success);
            }
        );
        return command;
    }
}
