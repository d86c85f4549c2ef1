using System.Security.Cryptography;

namespace MqttCheck.Logs;

/// <summary>
/// A log on its way to its reader: notes the hash of what passes, and whether it ends with a newline.
/// </summary>
/// <param name="log">The log, from its beginning; it belongs to this stream.</param>
/// <param name="source">The name in messages.</param>
internal sealed class LogInput(Stream log, string source) : Stream
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private byte _last;

    /// <summary>Whether the last byte read was a newline.</summary>
    public bool EndsWithNewline => _last == (byte)'\n';

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => log.Length;

    /// <summary>How many bytes there are to read; 0 for a compressed log, which does not say.</summary>
    public long KnownLength => log.CanSeek ? log.Length : 0;

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>The hash of everything that was read, in lower-case hexadecimal digits.</summary>
    public string Sha256() => Convert.ToHexStringLower(_hash.GetHashAndReset());

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        int count;
        try
        {
            count = log.Read(buffer);
        }
        catch (InvalidDataException failure)
        {
            throw new InputException(
                $"log \"{source}\": it is damaged, or not compressed by gzip; allowed: CSV text, "
                    + $"compressed by gzip if the name ends in {LogFile.Compressed}",
                failure
            );
        }
        if (count == 0)
            return 0;
        _hash.AppendData(buffer[..count]);
        _last = buffer[count - 1];
        return count;
    }

    /// <inheritdoc/>
    public override void Flush() { }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _hash.Dispose();
            log.Dispose();
        }
        base.Dispose(disposing);
    }
}
