using System.CommandLine;
using System.Diagnostics;
using MqttCheck.App.Check;
using MqttCheck.App.Compare;
using MqttCheck.Cli.Check;
using MqttCheck.Cli.Compare;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency.Files;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Report;

/// <summary><c>mqttcheck report</c>: the files of the other stages to a page.</summary>
internal sealed class ReportCommand(Screen screen)
{
    private readonly Option<FileInfo?> _log = new("--log")
    {
        HelpName = "FILE",
        Description = "The log of an exploration.",
    };
    private readonly Option<FileInfo?> _model = new("--model", "-m") { HelpName = "FILE", Description = "The model." };

    private readonly Option<FileInfo?> _prediction = new("--prediction")
    {
        HelpName = "FILE",
        Description = "The prediction. Default: the one that the verdicts name.",
    };

    private readonly Option<FileInfo?> _verdicts = new("--verdicts")
    {
        HelpName = "FILE",
        Description = "The verdicts.",
    };

    private readonly Option<FileInfo?> _comparison = new("--comparison")
    {
        HelpName = "FILE",
        Description = "Report a comparison instead: the JSON file that 'compare' wrote.",
    };

    private readonly Option<FileInfo?> _findings = new("--findings")
    {
        HelpName = "FILE",
        Description = "Report a check instead: the JSON file that 'check' wrote.",
    };

    private readonly Option<FileInfo?> _output = new("--out", "-o")
    {
        HelpName = "FILE",
        Description =
            $"The report: {ReportFormat.AllEndings}. A page is one file with its charts. Default report.html.",
    };

    private readonly Option<string?> _format = FormatOption.OfFile();
    private readonly Option<DirectoryInfo?> _plots = PlotsOption.Create("every chart of the report");

    /// <summary>The command.</summary>
    public Command Create()
    {
        _plots.Description +=
            " Default: NAME-plots beside a report NAME.md, which shows "
            + "them, and none for other formats; 'none' draws none.";
        var command = new Command(
            "report",
            "Writes a report from the files of the other stages; any of them may be left out."
        )
        {
            _log,
            _model,
            _prediction,
            _verdicts,
            _comparison,
            _findings,
            _output,
            _format,
            _plots,
        };
        command.Concludes((parse, _) => RunAsync(parse));
        return command;
    }

    private Task<Conclusion> RunAsync(ParseResult parse)
    {
        var sources = SourcesOf(parse);
        var directory = parse.GetValue(_plots)?.ToString() is "none" ? null : PlotsOption.Of(parse, _plots);
        screen.Warn(sources.Log?.Warnings ?? []);
        var now = screen.Time.GetUtcNow();
        var report =
            parse.GetValue(_comparison) is { } comparisonFile
                ? CompareReport.Output(CompareFile.Read(comparisonFile.ToString()))
            : parse.GetValue(_findings) is { } findingsFile
                ? FindingsReport.Output(CheckFile.Read(findingsFile.ToString()), now)
            : ReportStage.Output(sources, now);
        var chosen = FormatOption.Of(parse, _format);
        // A workflow reads annotations from what its commands print.
        if (chosen == ReportFormat.GitHub && parse.GetValue(_output) is null)
        {
            if (directory is not null)
                Draw(report, directory);
            report.Print(screen, ReportFormat.GitHub);
            return Task.FromResult(Conclusion.Success);
        }
        var path =
            parse.GetValue(_output)?.ToString()
            ?? "report" + (chosen is { Endings: [var ending, ..] } ? ending : ReportFormat.Html.Endings[0]);
        OutputPath.RequireWritable(path, _output.Name);
        var written = chosen ?? ReportFormat.Of(path);
        if (written == ReportFormat.Markdown && report.HasPictures && parse.GetValue(_plots) is null)
        {
            directory = Path.ChangeExtension(path, null) + "-plots";
            OutputPath.RequireWritableDirectory(directory, _plots.Name);
        }
        if (directory is not null)
            Draw(report, directory);
        report.Write(path, written);
        screen.Line($"report: {path}");
        return Task.FromResult(Conclusion.Success);
    }

    private ReportSources SourcesOf(ParseResult parse)
    {
        var verdictDocument = parse.GetValue(_verdicts) is { } verdictFile
            ? VerdictFile.Read(verdictFile.ToString())
            : null;
        var predictionFile = parse.GetValue(_prediction)?.ToString() ?? verdictDocument?.Prediction;
        var modelName = parse.GetValue(_model)?.ToString();
        var sources = new ReportSources
        {
            Log = parse.GetValue(_log) is { } logFile ? ExchangeLogReader.Read(logFile.ToString()) : null,
            Model = modelName is null ? null : LatencyModelFile.Read(modelName),
            Prediction = predictionFile is null ? null : PredictionFile.Read(predictionFile),
            Verdicts = verdictDocument,
            Earlier = verdictDocument is null
                ? null
                : EarlierVerdicts.Before(parse.GetValue(_verdicts)!.ToString(), verdictDocument),
        };
        ReportedFiles.RequireTogether(
            sources,
            parse.GetValue(_verdicts)?.ToString(),
            predictionFile,
            modelName,
            parse.GetValue(_log)?.ToString()
        );
        var others = (Option[])[_comparison, _findings];
        var given =
            others.Count(option => parse.GetResult(option) is not null)
            + (sources is { Log: null, Model: null, Prediction: null, Verdicts: null } ? 0 : 1);
        if (given != 1)
            throw new InputException(
                $"report: {(given == 0 ? "nothing to report" : "several results given")}; allowed: one "
                    + "or more of --log, --model, --prediction, --verdicts, or --comparison, or --findings."
            );
        return sources;
    }

    private void Draw(ReportOutput report, string directory)
    {
        if (!report.HasPictures)
            throw new InputException("--plots: given for a result without charts; allowed: without, for --findings.");
        PlotFiles.Print(screen, report.Draw(directory), directory);
    }
}
