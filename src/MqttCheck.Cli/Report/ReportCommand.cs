using System.CommandLine;
using MqttCheck.Cli.Check;
using MqttCheck.Cli.Compare;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency.Files;
using MqttCheck.Logs;
using MqttCheck.Predictions;

namespace MqttCheck.Cli.Report;

/// <summary><c>mqttcheck report</c>: the files of the other stages to a page.</summary>
internal static class ReportCommand
{
    /// <summary>The command.</summary>
    public static Command Create(Screen screen)
    {
        var log = new Option<FileInfo?>("--log") { HelpName = "FILE", Description = "The log of an exploration." };
        var model = new Option<FileInfo?>("--model", "-m") { HelpName = "FILE", Description = "The model." };
        var prediction = new Option<FileInfo?>("--prediction")
        {
            HelpName = "FILE",
            Description = "The prediction. Default: the one that the verdicts name.",
        };
        var verdicts = new Option<FileInfo?>("--verdicts") { HelpName = "FILE", Description = "The verdicts." };
        var comparison = new Option<FileInfo?>("--comparison")
        {
            HelpName = "FILE",
            Description = "Report a comparison instead: the JSON file that 'compare' wrote.",
        };
        var findings = new Option<FileInfo?>("--findings")
        {
            HelpName = "FILE",
            Description = "Report a check instead: the JSON file that 'check' wrote.",
        };
        var output = new Option<FileInfo?>("--out", "-o")
        {
            HelpName = "FILE",
            Description =
                "The report: .html (one file, charts inside), .md, .json or .xml (JUnit). Default report.html.",
        };
        var format = FormatOption.OfFile();
        var plots = PlotsOption.Create("every chart of the report");
        plots.Description +=
            " Default: NAME-plots beside a report NAME.md, which shows them, and none for other formats; 'none' draws none.";
        var command = new Command(
            "report",
            "Writes a report from the files of the other stages; any of them may be left out."
        )
        {
            log,
            model,
            prediction,
            verdicts,
            comparison,
            findings,
            output,
            format,
            plots,
        };
        command.SetAction(
            (parse, _) =>
            {
                var verdictDocument = parse.GetValue(verdicts) is { } verdictFile
                    ? VerdictFile.Read(verdictFile.ToString())
                    : null;
                var predictionFile = parse.GetValue(prediction)?.ToString() ?? verdictDocument?.Prediction;
                var sources = new ReportSources
                {
                    Log = parse.GetValue(log) is { } logFile ? ExchangeLogReader.Read(logFile.ToString()) : null,
                    Model = parse.GetValue(model) is { } modelFile ? LatencyModelFile.Read(modelFile.ToString()) : null,
                    Prediction = predictionFile is null ? null : PredictionFile.Read(predictionFile),
                    Verdicts = verdictDocument,
                };
                var others = (Option[])[comparison, findings];
                var given =
                    others.Count(option => parse.GetResult(option) is not null)
                    + (sources is { Log: null, Model: null, Prediction: null, Verdicts: null } ? 0 : 1);
                if (given != 1)
                    throw new InputException(
                        $"report: {(given == 0 ? "nothing to report" : "several results given")}; allowed: one or more of --log, --model, --prediction, --verdicts, or --comparison, or --findings."
                    );
                var directory = parse.GetValue(plots)?.ToString() is "none" ? null : PlotsOption.Of(parse, plots);
                foreach (var warning in sources.Log?.Warnings ?? [])
                    screen.Warn(warning);
                var now = screen.Time.GetUtcNow();
                var report =
                    parse.GetValue(comparison) is { } comparisonFile
                        ? CompareReport.Output(CompareReport.Read(comparisonFile.ToString()))
                    : parse.GetValue(findings) is { } findingsFile
                        ? FindingsReport.Output(FindingsReport.Read(findingsFile.ToString()), now)
                    : ReportStage.Output(sources, now);
                var chosen = FormatOption.Of(parse, format);
                // A workflow reads annotations from what its commands print.
                if (chosen == ReportFormat.GitHub && parse.GetValue(output) is null)
                {
                    if (directory is not null)
                        Draw(screen, report, directory);
                    report.Summarise(Environment.GetEnvironmentVariable(ReportOutput.SummaryVariable));
                    report.Print(screen, ReportFormat.GitHub);
                    return Task.FromResult(ExitCode.Success);
                }
                var path =
                    parse.GetValue(output)?.ToString()
                    ?? (
                        chosen switch
                        {
                            ReportFormat.Markdown => "report.md",
                            ReportFormat.Json => "report.json",
                            ReportFormat.JUnit => "report.xml",
                            _ => "report.html",
                        }
                    );
                var written = chosen ?? ReportOutput.FormatOf(path);
                if (written == ReportFormat.Markdown && report.HasPictures && parse.GetValue(plots) is null)
                {
                    directory = Path.ChangeExtension(path, null) + "-plots";
                    OutputPath.RequireWritableDirectory(directory, plots.Name);
                }
                if (directory is not null)
                    Draw(screen, report, directory);
                report.Write(path, written);
                screen.Line($"report: {path}");
                return Task.FromResult(ExitCode.Success);
            }
        );
        return command;
    }

    private static void Draw(Screen screen, ReportOutput report, string directory)
    {
        if (!report.HasPictures)
            throw new InputException("--plots: given for a result without charts; allowed: without, for --findings.");
        PlotFiles.Print(screen, report.Draw(directory), directory);
    }
}
