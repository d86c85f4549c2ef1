using System.CommandLine;
using MqttCheck.Checking;
using MqttCheck.Cli.Stages;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency;
using MqttCheck.Logs;

namespace MqttCheck.Cli.Commands;

/// <summary><c>mqttcheck report</c>: the files of the other stages to a page.</summary>
public static class ReportCommand
{
    /// <summary>The command.</summary>
    /// <param name="screen">Where to print.</param>
    public static Command Create(Screen screen)
    {
        var log = new Option<FileInfo?>("--log") { HelpName = "FILE", Description = "The log of an exploration." };
        var model = new Option<FileInfo?>("--model", "-m") { HelpName = "FILE", Description = "The model." };
        var prediction = new Option<FileInfo?>("--prediction") { HelpName = "FILE", Description = "The prediction. Default: the one that the verdicts name." };
        var verdicts = new Option<FileInfo?>("--verdicts") { HelpName = "FILE", Description = "The verdicts." };
        var output = new Option<FileInfo>("--out", "-o")
        {
            HelpName = "FILE",
            Description = "The report: .html (one file, charts inside), .md, .json or .xml (JUnit).",
            DefaultValueFactory = _ => new FileInfo("report.html"),
        };
        var command = new Command("report", "Writes a report from the files of the other stages; any of them may be left out.") { log, model, prediction, verdicts, output };
        command.SetAction((parse, _) =>
        {
            var verdictDocument = parse.GetValue(verdicts) is { } verdictFile ? VerdictFile.Read(verdictFile.ToString()) : null;
            var predictionFile = parse.GetValue(prediction)?.ToString() ?? verdictDocument?.Prediction;
            var sources = new ReportSources
            {
                Log = parse.GetValue(log) is { } logFile ? ExchangeLogReader.Read(logFile.ToString()) : null,
                Model = parse.GetValue(model) is { } modelFile ? LatencyModelFile.Read(modelFile.ToString()) : null,
                Prediction = predictionFile is null ? null : PredictionFile.Read(predictionFile),
                Verdicts = verdictDocument,
            };
            if (sources is { Log: null, Model: null, Prediction: null, Verdicts: null })
                throw new InputException("report: nothing to report; allowed: one or more of --log, --model, --prediction, --verdicts.");
            foreach (var warning in sources.Log?.Warnings ?? []) screen.Warn(warning);
            var path = parse.GetValue(output)!.ToString();
            ReportStage.Write(path, sources, screen.Time.GetUtcNow());
            screen.Line($"report: {path}");
            return Task.FromResult(ExitCode.Success);
        });
        return command;
    }
}
