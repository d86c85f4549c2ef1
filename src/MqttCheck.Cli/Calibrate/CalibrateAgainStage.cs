using MqttCheck.App.Predict;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Predict;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Latency.Files;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Calibrate;

/// <summary>
/// The stage that computes calibrations again from their logs, and says for each broker whether its intervals hold what
/// they say.
/// </summary>
internal static class CalibrateAgainStage
{
    private const string JsonExtension = ".json";

    /// <summary>
    /// Learns and predicts again for each log, reads each table, and prints a summary. Nothing is run.
    /// </summary>
    /// <param name="sources">Logs of calibrations, and tables (.json) that were computed before.</param>
    /// <param name="learners">The learners, at least one; the summary is of the first.</param>
    /// <param name="directory">The directory for tables and models.</param>
    public static Conclusion Run(
        Screen screen,
        Interruption interruption,
        IReadOnlyList<string> sources,
        IReadOnlyList<ILearner> learners,
        IReadOnlyList<double> thresholdsMilliseconds,
        ulong seed,
        string directory,
        string repeat
    )
    {
        var trainings = new List<(string Broker, double Level, IReadOnlyList<CalibrationPoint> Points)>();
        foreach (var source in sources)
        {
            if (interruption.Orderly.IsCancellationRequested)
                break;
            if (source.EndsWith(JsonExtension, StringComparison.OrdinalIgnoreCase))
            {
                trainings.Add(CalibrationFile.Read(source));
                continue;
            }
            screen.Note(Invariant($"{source} ({trainings.Count + 1} of {sources.Count})"));
            trainings.Add(Compute(source, print: sources.Count == 1));
        }
        if (trainings.Count > 0)
            CalibrationText.Print(screen, Summaries(trainings));
        screen.Line();
        screen.Line($"repeat: {repeat}");
        return Conclusions.Of(isMet: true, interruption.Orderly.IsCancellationRequested);

        (string, double, IReadOnlyList<CalibrationPoint>) Compute(string source, bool print)
        {
            var log = ExchangeLogReader.Read(source);
            foreach (var warning in log.Warnings)
                screen.Warn(warning);
            var setups = CalibrationLog.Setups(log);
            var (tables, models) = CalibrateStage.Tables(
                screen,
                log,
                setups,
                learners,
                thresholdsMilliseconds,
                seed,
                interruption.Orderly
            );
            var files = new RunFiles(directory, Path.GetFileNameWithoutExtension(LogFile.Uncompressed(source)));
            LatencyModelFile.Write(files.Model, models[0]);
            var idle = models[0].IdleMilliseconds is { } known ? new[] { known } : [];
            CalibrationFile.Write(
                files.Calibration,
                new(source, repeat, !log.Information.Complete, setups[0].Setup.SequencesPerClient, idle),
                tables,
                models
            );
            if (print)
                CalibrationText.Print(screen, tables, models);
            screen.Line($"table: {files.Calibration}");
            return (PredictStage.Describe(models[0].Broker), tables[0].Level, tables[0].Points);
        }
    }

    // Intervals of another level are judged by themselves.
    private static List<(string, CalibrationSummary)> Summaries(
        IEnumerable<(string Broker, double Level, IReadOnlyList<CalibrationPoint> Points)> trainings
    )
    {
        var summaries = new List<(string, CalibrationSummary)>();
        foreach (var broker in trainings.GroupBy(training => (Name: training.Broker.Split(' ')[0], training.Level)))
        {
            foreach (
                var (name, largest) in new[]
                {
                    ("quiet", CalibrationTable.QuietNoiseFloor),
                    ("all", double.PositiveInfinity),
                }
            )
            {
                var points = broker.Select(training =>
                    (IReadOnlyList<CalibrationPoint>)[.. training.Points.Where(point => point.NoiseFloor <= largest)]
                );
                if (CalibrationSummary.Of(broker.Key.Name, points, broker.Key.Level) is { } summary)
                    summaries.Add((name, summary));
            }
        }
        return summaries;
    }
}
