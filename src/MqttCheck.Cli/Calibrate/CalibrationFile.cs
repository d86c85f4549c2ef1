using System.Text.Json;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Predict;
using MqttCheck.Latency;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Cli.Calibrate;

/// <summary>Calibration tables as JSON.</summary>
internal static class CalibrationFile
{
    /// <summary>
    /// The version of the format, and the only one that is read: files of earlier versions lack the intervals of means,
    /// and are made again from their logs.
    /// </summary>
    public const int Version = 3;

    private const string Format = "mqttcheck-calibration";

    /// <summary>Writes tables.</summary>
    public static void Write(
        string path,
        CalibrationOrigin origin,
        IReadOnlyList<CalibrationTable> tables,
        IReadOnlyList<LearnedModel> models
    ) => AtomicFile.Write(path, stream => Write(stream, origin, tables, models));

    private static void Write(
        Stream stream,
        CalibrationOrigin origin,
        IReadOnlyList<CalibrationTable> tables,
        IReadOnlyList<LearnedModel> models
    )
    {
        using var writer = new Utf8JsonWriter(stream, new() { Indented = true });
        writer.WriteStartObject();
        writer.WriteString("format", Format);
        writer.WriteNumber("version", Version);
        writer.WriteString("tool", Tool.Version);
        writer.WriteString("broker", PredictStage.Describe(models[0].Broker));
        writer.WriteString("log", origin.Log);
        writer.WriteString("repeat", origin.Repeat);
        writer.WriteBoolean("interrupted", origin.Interrupted);
        writer.WriteNumber("confidence", tables[0].Level);
        writer.WriteNumber("sequencesPerClient", origin.SequencesPerClient);
        writer.WriteStartArray("idleMilliseconds");
        foreach (var idle in origin.IdleMilliseconds)
            writer.WriteNumberValue(idle);
        writer.WriteEndArray();
        writer.WriteStartArray("learners");
        foreach (var (table, model) in tables.Zip(models))
            Write(writer, table, model);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    /// <summary>Reads the broker, the level and the points of the first learner.</summary>
    /// <exception cref="InputException">It cannot be read, or is another kind of file or another version.</exception>
    public static (string Broker, double Level, IReadOnlyList<CalibrationPoint> Points) Read(string path)
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
            return (
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

    private static void Write(Utf8JsonWriter writer, CalibrationTable table, LearnedModel model)
    {
        writer.WriteStartObject();
        writer.WriteString("learner", table.Learner);
        writer.WriteString("took", model.Model.Kind);
        if (model.Replay is { } replay)
            writer.WriteNumber("replayError", replay.Error);
        if (table.Points.Count > 0)
        {
            writer.WriteNumber("meanError", table.MeanError);
            writer.WriteNumber("largestError", table.LargestError);
            writer.WriteNumber("bias", table.Bias);
            writer.WriteNumber("noiseFloor", table.NoiseFloor);
            writer.WriteNumber("coverage", table.Coverage);
            writer.WriteNumber("meanCoverage", table.MeanCoverage);
            writer.WriteNumber("medianWidth", table.MedianWidth);
            writer.WriteNumber("intervalScore", table.IntervalScore);
            writer.WriteNumber("constantWidthScore", table.ConstantWidthScore);
        }
        writer.WriteStartArray("points");
        foreach (var point in table.Points)
        {
            writer.WriteStartObject();
            writer.WriteString("profile", point.Predicted.Profile);
            writer.WriteNumber("clients", point.Predicted.Clients);
            writer.WriteNumber("thresholdMilliseconds", point.Predicted.ThresholdMilliseconds);
            writer.WriteNumber("predicted", point.Predicted.Probability);
            Write(writer, "predictedInterval", point.Predicted.Interval);
            Write(writer, "runInterval", point.RunInterval);
            Write(writer, "meanInterval", point.MeanInterval);
            writer.WriteNumber("measured", point.Measured);
            Write(writer, "measuredInterval", point.MeasuredInterval);
            writer.WriteStartArray("runs");
            foreach (var run in point.Runs)
                writer.WriteNumberValue(run);
            writer.WriteEndArray();
            writer.WriteNumber("noiseFloor", point.NoiseFloor);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, string key, Interval interval)
    {
        writer.WriteStartArray(key);
        writer.WriteNumberValue(interval.Lower);
        writer.WriteNumberValue(interval.Upper);
        writer.WriteEndArray();
    }
}
