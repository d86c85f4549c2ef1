using System.Text.Json;
using MqttCheck.Json;
using MqttCheck.Profiles;
using MqttCheck.Text;

namespace MqttCheck.Predictions;

/// <summary>Writes predictions to JSON files and reads them. The same prediction gives the same bytes.</summary>
public static class PredictionFile
{
    /// <summary>The name of the format, the value of the key <c>format</c>.</summary>
    public const string Format = "mqttcheck-prediction";

    /// <summary>
    /// The version of the format that is written. Version 1, without the number of replayed cases, is read too.
    /// </summary>
    public const int Version = 2;

    /// <summary>Writes a prediction. The file appears whole or not at all.</summary>
    /// <param name="path">Where to write it; its folder is created if need be, an existing file is replaced.</param>
    /// <param name="prediction">The prediction.</param>
    /// <exception cref="InputException">The file cannot be written.</exception>
    public static void Write(string path, Prediction prediction)
    {
        ArgumentNullException.ThrowIfNull(path);
        var bytes = ToBytes(prediction);
        try
        {
            AtomicFile.Write(path, bytes);
        }
        catch (Exception failure)
            when (failure is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new InputException($"prediction \"{path}\" cannot be written: {failure.Message}", failure);
        }
    }

    /// <summary>Reads a prediction.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="InputException">
    /// The file cannot be read or is malformed; one finding per line, with file, line and key.
    /// </exception>
    public static Prediction Read(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        const string allowed = "the path of a file that `mqttcheck predict` wrote";
        var content = InputFile.ReadAllBytes("prediction", path, allowed);
        KnownFile.Require(content, "prediction", path, "a prediction of 'mqttcheck predict'");
        return Parse(content, path);
    }

    /// <summary>Reads a prediction from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">What to call the text in messages.</param>
    /// <exception cref="InputException">The text is malformed; one finding per line.</exception>
    public static Prediction Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        var findings = new JsonFindings(source);
        var prediction = PredictionReader.Read(JsonTree.Parse(utf8Json, source), findings);
        findings.ThrowIfAny();
        return prediction;
    }

    /// <summary>A prediction as UTF-8 JSON text.</summary>
    /// <param name="prediction">The prediction.</param>
    public static byte[] ToBytes(Prediction prediction)
    {
        ArgumentNullException.ThrowIfNull(prediction);
        return JsonText.Of(writer => Write(writer, prediction));
    }

    private static void Write(Utf8JsonWriter writer, Prediction prediction)
    {
        writer.WriteStartObject();
        writer.WriteString("format", Format);
        // What was read as version 1 says nothing of replayed cases, and stays what it was.
        writer.WriteNumber("version", prediction.Model.ReplayedCases is null ? 1 : Version);
        writer.WriteStartObject("model");
        writer.WriteString("file", prediction.Model.File);
        writer.WriteString("sha256", prediction.Model.Sha256);
        writer.WriteString("kind", prediction.Model.Kind);
        writer.WriteString("broker", prediction.Model.Broker);
        if (prediction.Model.IdleMilliseconds is { } idle)
            writer.WriteNumber("idleMilliseconds", idle);
        if (prediction.Model.ReplayedCases is { } replayed)
            writer.WriteNumber("replayedCases", replayed);
        writer.WriteEndObject();
        writer.WriteStartObject("options");
        writer.WriteNumber("seed", prediction.Options.Seed);
        writer.WriteNumber("replications", prediction.Options.Replications);
        writer.WriteNumber("confidence", prediction.Options.Confidence);
        writer.WriteNumber("timerGridMilliseconds", prediction.Options.TimerGridMilliseconds);
        writer.WriteNumber("pilotSequences", prediction.Options.PilotSequences);
        writer.WriteNumber("sequencesPerClient", prediction.Options.SequencesPerClient);
        writer.WriteEndObject();
        writer.WriteNumber("indifference", prediction.Indifference);
        writer.WriteStartArray("notes");
        foreach (var note in prediction.Notes)
            writer.WriteStringValue(note);
        writer.WriteEndArray();
        writer.WriteStartArray("points");
        foreach (var point in prediction.Points)
        {
            writer.WriteStartObject();
            writer.WriteString("profile", point.Profile);
            writer.WriteNumber("clients", point.Clients);
            writer.WriteNumber("thresholdMilliseconds", point.ThresholdMilliseconds);
            writer.WriteNumber("probability", point.Probability);
            writer.WriteNumber("lower", point.Interval.Lower);
            writer.WriteNumber("upper", point.Interval.Upper);
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
        writer.WriteStartArray("populations");
        foreach (var population in prediction.Populations)
            ProfileFile.Write(writer, population);
        writer.WriteEndArray();
        writer.WriteStartArray("setups");
        foreach (var setup in prediction.Setups)
            Write(writer, setup);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter writer, PredictedSetup setup)
    {
        writer.WriteStartObject();
        writer.WriteString("profile", setup.Profile);
        writer.WriteNumber("clients", setup.Clients);
        if (setup.IsOutsideTraining)
            writer.WriteBoolean("outsideTraining", true);
        writer.WriteNumber("replications", setup.Replications);
        writer.WriteNumber("sequences", setup.Sequences);
        writer.WriteNumber("exchanges", setup.Exchanges);
        writer.WriteNumber("meanActive", setup.MeanActive);
        writer.WriteNumber("maximumActive", setup.MaximumActive);
        writer.WriteStartArray("worstMilliseconds");
        foreach (var value in setup.WorstMilliseconds)
            writer.WriteNumberValue(value);
        writer.WriteEndArray();
        writer.WriteEndObject();
    }
}
