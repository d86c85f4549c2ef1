using MqttCheck.App.Run;
using MqttCheck.App.Runs;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Verification.Deciding;
using MqttCheck.Verification.Planning;
using static System.FormattableString;

namespace MqttCheck.Cli.Run;

/// <summary>Shows all stages on one broker. However they end, what was found until then is reported.</summary>
/// <param name="metrics">The file that takes the verdicts as metrics, or null.</param>
/// <param name="report">The copy of the last good report.</param>
/// <param name="format">The format that is printed instead of the summary; null to print the summary.</param>
/// <param name="repeat">The command that repeats the run, with a budget in place of the one that was given.</param>
internal sealed class RunOutput(
    Screen screen,
    Interruption interruption,
    RunRequest request,
    string? metrics,
    string report,
    ReportFormat? format,
    Func<TimeSpan?, string> repeat
)
{
    private ReportOutput? _output;
    private VerdictDocument? _verdicts;

    /// <summary>Runs the stages.</summary>
    public async Task<Conclusion> RunAsync()
    {
        var (fitted, wanted) = request.Require();
        VerifyText.Announce(screen, request.Plan.Exploration, fitted, wanted);
        var stages = new RunStages(interruption.At(screen), request, VerifyText.On(screen));
        var began = screen.Time.GetTimestamp();
        string? failure = null;
        try
        {
            await stages.RunAsync();
            WriteVerdicts(stages);
        }
        catch (OperationCanceledException) when (interruption.Orderly.IsCancellationRequested)
        {
            // The result so far is reported below.
        }
        catch (Exception exception)
        {
            failure = exception.Message;
            throw;
        }
        finally
        {
            WriteReport(stages, screen.Time.GetElapsedTime(began), failure);
        }
        Print(stages, screen.Time.GetElapsedTime(began), interruption.Orderly.IsCancellationRequested);
        return stages.Conclude();
    }

    private string RepeatOf(RunStages stages) => repeat(stages.Verification?.MoreTime);

    private void WriteVerdicts(RunStages stages)
    {
        _verdicts = VerifyText.Write(
            stages.Verification!,
            request.Files.Prediction,
            request.Files.Verdicts,
            RepeatOf(stages)
        );
        foreach (var warning in _verdicts.Warnings)
            stages.Warnings.Add(warning);
        if (
            Advice(
                request.Plan.Exploration,
                stages.Verification!.Result.Verdicts.Any(timed => timed.Verdict.IsVague)
            ) is
            { } advice
        )
            stages.Warnings.Add(advice);
        VerdictMetrics.Of(_verdicts, screen.Time.GetUtcNow()).Publish(metrics);
        stages.SaveBaseline();
    }

    /// <summary>The exploration that suffices where one was too short for a prediction; null for none.</summary>
    /// <param name="exploration">How long was explored.</param>
    /// <param name="isVague">Whether a prediction was too vague to be confirmed.</param>
    internal static string? Advice(TimeSpan exploration, bool isVague) =>
        // More runs would not make a vague prediction precise.
        isVague && exploration < RunPlan.SoundExploration
            ? $"{TimeBudget.Duration(exploration)} of exploration made a prediction that no run can confirm, whatever "
                + $"the budget. Next step: --explore-for {TimeBudget.Duration(RunPlan.Full.Exploration)}"
            : null;

    private void WriteReport(RunStages stages, TimeSpan elapsed, string? failure)
    {
        screen.Report(double.NaN, "writing the report");
        _output = ReportStage.Output(
            new ReportSources
            {
                Log = stages.Log,
                Model = stages.Model,
                Prediction = stages.Prediction,
                Verdicts = _verdicts,
                Earlier = _verdicts is null ? null : EarlierVerdicts.Before(request.Files.Verdicts, _verdicts),
                Seed = request.Live.Seed,
                Repeat = RepeatOf(stages),
                Coarse = request.Plan.Coarse,
                Interrupted = interruption.Orderly.IsCancellationRequested,
                Failure = failure,
                Elapsed = elapsed,
                Warnings = [.. stages.Warnings],
            },
            screen.Time.GetUtcNow()
        );
        _output.Write(request.Files.Report, ReportFormat.Html);
        // A run that failed or was interrupted leaves the last good report alone.
        if (failure is null && !interruption.Orderly.IsCancellationRequested)
            _output.Write(report, ReportFormat.Html);
        if (failure is not null && format is { } printed)
            _output.Print(screen, printed);
    }

    private void Print(RunStages stages, TimeSpan elapsed, bool interrupted)
    {
        screen.Warn(stages.Warnings.Distinct());
        if (format is { } printed)
        {
            _output!.Print(screen, printed);
            return;
        }
        if (interrupted)
            screen.Line("Interrupted: what follows is partial.");
        if (request.Plan.Coarse)
            screen.Line("Coarse result of a short run.");
        if (stages.Prediction is { } prediction)
        {
            var verdicts = _verdicts?.Verdicts ?? [];
            if (screen.IsVerbose)
            {
                screen.Lines(prediction.Notes.Select(note => $"Note: {note}"));
                VerdictTable.Print(screen, prediction, verdicts);
            }
            else
                RunSummary.Print(screen, prediction, verdicts);
        }
        screen.Line();
        screen.Line(
            $"log:    {request.Files.Log}"
                + (stages.Log is { } log ? Invariant($" ({log.Exchanges.Length} exchanges)") : "")
        );
        if (stages.Model is not null)
            screen.Line($"model:  {request.Files.Model}");
        screen.Line(
            interrupted ? $"report: {request.Files.Report}" : $"report: {report} (a copy of {request.Files.Report})"
        );
        screen.Line($"repeat: {RepeatOf(stages)}");
        screen.Line($"took:   {NumberText.Seconds(elapsed)}");
    }
}
