using MqttCheck.App.Predict;
using MqttCheck.App.Progress;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Latency.Files;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using static System.FormattableString;

namespace MqttCheck.App.Calibrate;

/// <summary>The stage that computes calibrations again from their logs. Nothing is run.</summary>
internal static class CalibrateAgainStage
{
    private const string JsonExtension = ".json";

    /// <summary>Learns and predicts again for each log, reads each table, and yields it when it is done.</summary>
    /// <param name="sources">Logs of calibrations, and tables (.json) that were computed before.</param>
    /// <param name="learners">The learners, at least one.</param>
    /// <param name="directory">The directory for tables and models.</param>
    /// <param name="repeat">The command that repeats it.</param>
    /// <exception cref="InputException">A source cannot be read, or none of the learners can learn from it.</exception>
    public static IEnumerable<StoredCalibration> Run(
        Workplace place,
        IReadOnlyList<string> sources,
        IReadOnlyList<ILearner> learners,
        IReadOnlyList<double> thresholdsMilliseconds,
        ulong seed,
        string directory,
        string repeat
    )
    {
        for (var number = 0; number < sources.Count && !place.Orderly.IsCancellationRequested; number++)
        {
            var source = sources[number];
            if (source.EndsWith(JsonExtension, StringComparison.OrdinalIgnoreCase))
            {
                yield return CalibrationFile.Read(source);
                continue;
            }
            place.Progress.Note(Invariant($"{source} ({number + 1} of {sources.Count})"));
            yield return Compute(source);
        }

        StoredCalibration Compute(string source)
        {
            var log = ExchangeLogReader.Read(source);
            place.Progress.Warn(log.Warnings);
            var setups = CalibrationLog.Setups(log);
            var learned = CalibrateStage.Learn(place, log, setups, learners, thresholdsMilliseconds, seed);
            var model = learned.Models[0];
            var files = new RunFiles(directory, Path.GetFileNameWithoutExtension(LogFile.Uncompressed(source)));
            LatencyModelFile.Write(files.Model, model);
            double[] idle = model.IdleMilliseconds is { } known ? [known] : [];
            CalibrationFile.Write(
                files.Calibration,
                new(source, repeat, !log.Information.Complete, setups[0].Setup.SequencesPerClient, idle),
                learned
            );
            var table = learned.Tables[0];
            return new(PredictStage.Describe(model.Broker), table.Level, table.Points)
            {
                Written = files.Calibration,
                Learned = learned,
            };
        }
    }
}
