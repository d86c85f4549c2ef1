using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Predictions;

/// <summary>Writes predictions to JSON files and reads them. The same prediction gives the same bytes.</summary>
internal static class PredictionFile
{
    /// <summary>The name of the format, the value of the key <c>format</c>.</summary>
    public const string Format = "mqttcheck-prediction";

    /// <summary>
    /// The version of the format that is written. Version 1, without the number of replayed cases, is read too.
    /// </summary>
    public const int Version = 2;

    /// <summary>Writes a prediction. The file appears whole or not at all.</summary>
    /// <param name="path">The path of the file; its folder is created if need be, an existing file is replaced.</param>
    /// <param name="prediction">The prediction.</param>
    /// <exception cref="InputException">The file cannot be written.</exception>
    public static void Write(string path, Prediction prediction)
    {
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
        const string allowed = "the path of a file that `mqttcheck predict` wrote";
        var content = InputFile.ReadAllBytes("prediction", path, allowed);
        KnownFile.Require(content, "prediction", path, "a prediction of 'mqttcheck predict'");
        return Parse(content, path);
    }

    /// <summary>Reads a prediction from text.</summary>
    /// <param name="utf8Json">The JSON text.</param>
    /// <param name="source">The name of the text in messages.</param>
    /// <exception cref="InputException">The text is malformed; one finding per line.</exception>
    public static Prediction Parse(ReadOnlySpan<byte> utf8Json, string source)
    {
        var findings = new JsonFindings(source);
        var tree = JsonTree.Parse(utf8Json, source);
        RequireFormat(new(tree, findings));
        findings.ThrowIfAny();
        var prediction = PredictionFormat.Kind.Read(tree, findings);
        findings.ThrowIfAny();
        return prediction;
    }

    /// <summary>A prediction as UTF-8 JSON text.</summary>
    /// <param name="prediction">The prediction.</param>
    public static byte[] ToBytes(Prediction prediction)
    {
        return PredictionFormat.Kind.ToBytes(prediction);
    }

    // Another kind of file, or another version, would only give findings that mislead.
    private static void RequireFormat(JsonObjectReader reader)
    {
        if (reader.Required("format", $"\"{Format}\"") is not { } format)
            return;
        if (JsonKinds.Is(format, reader.Findings, format.Text == Format, $"\"{Format}\""))
            reader.Integer("version", 1, Version);
    }
}
