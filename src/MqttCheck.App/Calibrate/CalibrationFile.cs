using System.Text.Json;
using System.Text.Json.Serialization;
using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.App.Calibrate;

/// <summary>Calibration tables as JSON.</summary>
internal static class CalibrationFile
{
    /// <summary>
    /// The version of the format, and the only one that is read: files of earlier versions lack the intervals of means,
    /// and are made again from their logs.
    /// </summary>
    public const int Version = 3;

    private const string Format = "mqttcheck-calibration";

    private static readonly JsonSerializerOptions s_options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        WriteIndented = true,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    /// <summary>Writes tables.</summary>
    public static void Write(string path, CalibrationOrigin origin, LearnedTables learned)
    {
        var (tables, models) = learned;
        var document = new
        {
            Format,
            Version,
            Tool = Tool.Version,
            Broker = PredictStage.Describe(models[0].Broker),
            origin.Log,
            origin.Repeat,
            origin.Interrupted,
            Confidence = tables[0].Level,
            origin.SequencesPerClient,
            origin.IdleMilliseconds,
            Learners = tables.Zip(models, LearnerOf),
        };
        AtomicFile.Write(path, stream => JsonSerializer.Serialize(stream, document, s_options));
    }

    private static object LearnerOf(CalibrationTable table, LearnedModel model)
    {
        // Means of no points are left out.
        var known = table.Points.Count > 0 ? table : null;
        return new
        {
            table.Learner,
            Took = model.Model.Kind,
            ReplayError = model.Replay?.Error,
            known?.MeanError,
            known?.LargestError,
            known?.Bias,
            known?.NoiseFloor,
            known?.Coverage,
            known?.MeanCoverage,
            known?.MedianWidth,
            known?.IntervalScore,
            known?.ConstantWidthScore,
            Points = table.Points.Select(point => new
            {
                point.Predicted.Profile,
                point.Predicted.Clients,
                point.Predicted.ThresholdMilliseconds,
                Predicted = point.Predicted.Probability,
                PredictedInterval = Ends(point.Predicted.Interval),
                RunInterval = Ends(point.RunInterval),
                MeanInterval = Ends(point.MeanInterval),
                point.Measured,
                MeasuredInterval = Ends(point.MeasuredInterval),
                point.Runs,
                point.NoiseFloor,
            }),
        };
    }

    private static double[] Ends(Interval interval) => [interval.Lower, interval.Upper];

    /// <summary>Reads the broker, the level and the points of the first learner.</summary>
    /// <exception cref="InputException">It cannot be read, or is another kind of file or another version.</exception>
    public static StoredCalibration Read(string path)
    {
        try
        {
            using var document = JsonDocument.Parse(File.ReadAllBytes(path));
            var root = document.RootElement;
            if (root.GetProperty("format").GetString() != Format || root.GetProperty("version").GetInt32() != Version)
            {
                throw new InputException(
                    Invariant($"calibration \"{path}\": format \"{root.GetProperty("format").GetString()}\", version ")
                        + Invariant(
                            $"{root.GetProperty("version")} given; allowed: \"{Format}\", version {Version}; an "
                        )
                        + "earlier one is made again from its log: mqttcheck calibrate --from LOG.csv"
                );
            }
            return new(
                root.GetProperty("broker").GetString()!,
                root.GetProperty("confidence").GetDouble(),
                [.. root.GetProperty("learners")[0].GetProperty("points").EnumerateArray().Select(ReadPoint)]
            );
        }
        catch (Exception failure)
            when (failure
                    is IOException
                        or UnauthorizedAccessException
                        or JsonException
                        or KeyNotFoundException
                        or InvalidOperationException
                        or FormatException
                        or IndexOutOfRangeException
            )
        {
            throw new InputException(
                $"calibration \"{path}\" cannot be read: {failure.Message}; "
                    + "allowed: a file that `mqttcheck calibrate` wrote",
                failure
            );
        }
    }

    private static CalibrationPoint ReadPoint(JsonElement point)
    {
        var predicted = new PredictedPoint(
            point.GetProperty("profile").GetString()!,
            point.GetProperty("clients").GetInt32(),
            point.GetProperty("thresholdMilliseconds").GetDouble(),
            point.GetProperty("predicted").GetDouble(),
            Interval("predictedInterval")
        );
        return new(
            predicted,
            Interval("runInterval"),
            Interval("meanInterval"),
            [.. point.GetProperty("runs").EnumerateArray().Select(run => run.GetDouble())],
            Interval("measuredInterval")
        );

        Interval Interval(string key) =>
            new(point.GetProperty(key)[0].GetDouble(), point.GetProperty(key)[1].GetDouble());
    }
}
