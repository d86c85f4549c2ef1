using MqttCheck.Latency;
using MqttCheck.Latency.Files;
using MqttCheck.Shards;

namespace MqttCheck.Server.Questions;

/// <summary>A model that the page offers.</summary>
/// <param name="Name">Its name on the page; no two models share one.</param>
/// <param name="File">Its file, as commands name it.</param>
/// <param name="Sha256">SHA-256 of the file when it was read, in lower-case hexadecimal.</param>
/// <param name="Learned">The model.</param>
/// <param name="Content">The bytes that were read: what a copied command must mean, even if the file changes.</param>
internal sealed record ServedModel(string Name, string File, string Sha256, LearnedModel Learned, byte[] Content)
{
    /// <summary>Reads a model.</summary>
    /// <param name="file">The file that 'learn' wrote.</param>
    /// <param name="name">Its name on the page.</param>
    /// <exception cref="InputException">It cannot be read, or is no model.</exception>
    public static ServedModel Read(string file, string name)
    {
        var content = LatencyModelFile.Bytes(file);
        return new(name, file, JobDescription.HashOf(content), LatencyModelFile.Parse(content, file), content);
    }
}
