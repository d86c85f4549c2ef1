using System.Text.Json;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Latency;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Stages;

/// <summary>Writes calibration tables as JSON.</summary>
internal static class CalibrationFile
{
    public static void Write(string path, CalibrateRequest request, CalibrationRuns runs, IReadOnlyList<CalibrationTable> tables, IReadOnlyList<LearnedModel> models)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);
        using var stream = File.Create(path);
        using var writer = new Utf8JsonWriter(stream, new() { Indented = true });
        writer.WriteStartObject();
        writer.WriteString("format", "mqttcheck-calibration");
        writer.WriteNumber("version", 2);
        writer.WriteString("tool", Tool.Version);
        writer.WriteString("broker", PredictStage.Describe(models[0].Broker));
        writer.WriteString("log", request.Files.Log);
        writer.WriteString("repeat", request.Repeat);
        writer.WriteBoolean("interrupted", runs.Interrupted);
        writer.WriteNumber("confidence", CalibrateStage.Confidence);
        writer.WriteNumber("sequencesPerClient", request.SequencesPerClient);
        writer.WriteStartArray("idleMilliseconds");
        foreach (var idle in runs.Idle) writer.WriteNumberValue(idle.MedianMilliseconds);
        writer.WriteEndArray();
        writer.WriteStartArray("learners");
        foreach (var (table, model) in tables.Zip(models)) Write(writer, table, model);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, CalibrationTable table, LearnedModel model)
    {
        writer.WriteStartObject();
        writer.WriteString("learner", table.Learner);
        writer.WriteString("took", model.Model.Kind);
        if (model.Replay is { } replay) writer.WriteNumber("replayError", replay.Error);
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
            writer.WriteNumber("measured", point.Measured);
            Write(writer, "measuredInterval", point.MeasuredInterval);
            writer.WriteStartArray("runs");
            foreach (var run in point.Runs) writer.WriteNumberValue(run);
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
