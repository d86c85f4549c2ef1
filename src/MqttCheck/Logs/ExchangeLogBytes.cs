using System.IO.Compression;
using System.Text;

namespace MqttCheck.Logs;

/// <summary>Exchanges on their way between processes: the text of a log, compressed by gzip.</summary>
internal static class ExchangeLogBytes
{
    /// <summary>The bytes of some exchanges.</summary>
    /// <param name="exchanges">The exchanges.</param>
    public static byte[] Of(IReadOnlyList<Exchange> exchanges)
    {
        using var bytes = new MemoryStream();
        using (var packed = new GZipStream(bytes, CompressionLevel.Fastest, leaveOpen: true))
        {
            packed.Write(Encoding.ASCII.GetBytes(string.Join(',', ExchangeColumns.Names) + "\n"));
            Span<byte> line = stackalloc byte[ExchangeLogWriter.LongestLineBytes];
            foreach (var exchange in exchanges)
                packed.Write(line[..ExchangeColumns.FormatLine(exchange, line)]);
        }
        return bytes.ToArray();
    }

    /// <summary>The exchanges of such bytes, bit for bit.</summary>
    /// <param name="bytes">The result of <see cref="Of"/>.</param>
    /// <exception cref="InputException">The text is no log.</exception>
    /// <exception cref="InvalidDataException">The bytes are not compressed.</exception>
    public static IReadOnlyList<Exchange> Read(byte[] bytes)
    {
        using var text = new MemoryStream();
        using (var packed = new GZipStream(new MemoryStream(bytes, writable: false), CompressionMode.Decompress))
            packed.CopyTo(text);
        return ExchangeLogReader.Parse(text.ToArray(), "exchanges of a worker", []);
    }
}
