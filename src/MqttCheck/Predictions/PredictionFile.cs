using System.Text.Json.Nodes;
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
    /// <param name="path">The path of the file; its folder is created if need be, an existing file is replaced.</param>
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
    /// <param name="source">The name of the text in messages.</param>
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
        return JsonText.Of(Of(prediction));
    }

    private static JsonObject Of(Prediction prediction) =>
        JsonNodes.Object(
            ("format", Format),
            // A prediction that was read as version 1 has no number of replayed cases, and keeps its version.
            ("version", prediction.Model.ReplayedCases is null ? 1 : Version),
            ("model", Of(prediction.Model)),
            ("options", Of(prediction.Options)),
            ("indifference", prediction.Indifference),
            ("notes", JsonNodes.Texts(prediction.Notes)),
            ("points", JsonNodes.Array(prediction.Points, Of)),
            ("populations", JsonNodes.Array(prediction.Populations, ProfileFile.Of)),
            ("setups", JsonNodes.Array(prediction.Setups, Of))
        );

    private static JsonObject Of(PredictionModel model) =>
        JsonNodes.Object(
            ("file", model.File),
            ("sha256", model.Sha256),
            ("kind", model.Kind),
            ("broker", model.Broker),
            ("idleMilliseconds", model.IdleMilliseconds),
            ("replayedCases", model.ReplayedCases)
        );

    private static JsonObject Of(PredictionOptions options) =>
        JsonNodes.Object(
            ("seed", options.Seed),
            ("replications", options.Replications),
            ("confidence", options.Confidence),
            ("timerGridMilliseconds", options.TimerGridMilliseconds),
            ("pilotSequences", options.PilotSequences),
            ("sequencesPerClient", options.SequencesPerClient)
        );

    private static JsonObject Of(PredictedPoint point) =>
        JsonNodes.Object(
            ("profile", point.Profile),
            ("clients", point.Clients),
            ("thresholdMilliseconds", point.ThresholdMilliseconds),
            ("probability", point.Probability),
            ("lower", point.Interval.Lower),
            ("upper", point.Interval.Upper)
        );

    private static JsonObject Of(PredictedSetup setup) =>
        JsonNodes.Object(
            ("profile", setup.Profile),
            ("clients", setup.Clients),
            ("outsideTraining", setup.IsOutsideTraining ? true : null),
            ("replications", setup.Replications),
            ("sequences", setup.Sequences),
            ("exchanges", setup.Exchanges),
            ("meanActive", setup.MeanActive),
            ("maximumActive", setup.MaximumActive),
            ("worstMilliseconds", JsonNodes.Array(setup.WorstMilliseconds, milliseconds => milliseconds))
        );
}
