using System.IO.Compression;

namespace MqttCheck.Server.Tests;

/// <summary>The repository's log of the embedded broker, as a user has it before it is compressed.</summary>
internal static class SampleLog
{
    /// <summary>The file beside it, which says how it came about.</summary>
    public static string Information => RepositoryFiles.At("samples/logs/embedded.run.json");

    /// <summary>The log.</summary>
    public static byte[] Bytes()
    {
        using var file = File.OpenRead(RepositoryFiles.At("samples/logs/embedded.csv.gz"));
        using var content = new GZipStream(file, CompressionMode.Decompress);
        using var bytes = new MemoryStream();
        content.CopyTo(bytes);
        return bytes.ToArray();
    }
}
