using MqttCheck.Json;
using MqttCheck.Text;

namespace MqttCheck.Latency.Files;

/// <summary>
/// Reads and writes model files (JSON). The same model gives the same bytes, so a file can be compared and committed.
/// </summary>
internal static class LatencyModelFile
{
    /// <summary>The version of the format that is written and read.</summary>
    public const int Schema = 5;

    /// <summary>Writes a model file, or replaces it whole.</summary>
    /// <param name="path">The path of the file; its folder is created if need be.</param>
    /// <param name="model">The model.</param>
    /// <exception cref="IOException">The file cannot be written; an earlier one stays as it was.</exception>
    /// <exception cref="ArgumentException">The model is of a kind that files cannot hold.</exception>
    public static void Write(string path, LearnedModel model) => AtomicFile.Write(path, ToBytes(model));

    /// <summary>Reads a model file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <exception cref="InputException">
    /// The file is missing, malformed, or of another version: every finding with file, line and key.
    /// </exception>
    public static LearnedModel Read(string path) => Parse(Bytes(path), path);

    /// <summary>The bytes of a model file.</summary>
    /// <param name="path">The path of the file.</param>
    /// <exception cref="InputException">There is no such file, or it is another one of this program.</exception>
    internal static byte[] Bytes(string path)
    {
        var content = InputFile.ReadAllBytes("model", path, "the path of a model file that `mqttcheck learn` wrote");
        KnownFile.Require(content, "model", path, "a model of 'mqttcheck learn'");
        return content;
    }

    /// <summary>The text of a model file.</summary>
    /// <param name="model">The model.</param>
    /// <exception cref="ArgumentException">The model is of a kind that files cannot hold.</exception>
    public static byte[] ToBytes(LearnedModel model)
    {
        if (!ModelFormat.Saves(model.Model))
            throw new ArgumentException($"A model of the kind {model.Model.Kind} cannot be saved.", nameof(model));
        return ModelFormat.File.ToBytes(model);
    }

    /// <summary>Reads the text of a model file.</summary>
    /// <param name="utf8Json">The text.</param>
    /// <param name="source">The name in messages.</param>
    /// <exception cref="InputException">As <see cref="Read"/>.</exception>
    public static LearnedModel Parse(ReadOnlySpan<byte> utf8Json, string source) =>
        ModelFormat.File.Parse(utf8Json, source);

    /// <summary>The text of a model alone, without what is known of its training.</summary>
    /// <param name="model">The model.</param>
    /// <exception cref="InputException">The model is of a kind that files cannot hold.</exception>
    internal static byte[] ToBytes(LatencyModel model) =>
        ModelFormat.Saves(model)
            ? ModelFormat.Alone.ToBytes(model)
            : throw new InputException($"kind of model is {model.Kind}; allowed: {ModelFormat.Names}");

    /// <summary>Reads the text of a model alone.</summary>
    /// <param name="utf8Json">The text.</param>
    /// <param name="source">The name in messages.</param>
    /// <exception cref="InputException">As <see cref="Read"/>.</exception>
    internal static LatencyModel ParseModel(ReadOnlySpan<byte> utf8Json, string source) =>
        ModelFormat.Alone.Parse(utf8Json, source);
}
