namespace MqttCheck.Captures.Files;

/// <summary>Reads a stream forwards in pieces that lie together in memory.</summary>
/// <param name="stream">The stream; it stays its owner's.</param>
internal sealed class ForwardBuffer(Stream stream)
{
    private byte[] _bytes = new byte[1 << 20];
    private int _start,
        _end;
    private bool _isAtEnd;

    /// <summary>How many bytes were consumed.</summary>
    public long Position { get; private set; }

    /// <summary>The next bytes, without consuming them: fewer than wanted only at the end of the stream.</summary>
    /// <param name="count">How many are wanted.</param>
    public ReadOnlySpan<byte> Peek(int count)
    {
        if (_end - _start < count)
            Fill(count);
        return _bytes.AsSpan(_start, Math.Min(count, _end - _start));
    }

    /// <summary>Consumes bytes that were looked at.</summary>
    /// <param name="count">How many.</param>
    public void Skip(int count)
    {
        _start += count;
        Position += count;
    }

    private void Fill(int count)
    {
        var rest = _bytes.AsSpan(_start, _end - _start);
        if (count > _bytes.Length)
        {
            var larger = new byte[count];
            rest.CopyTo(larger);
            _bytes = larger;
        }
        else
        {
            rest.CopyTo(_bytes);
        }
        (_start, _end) = (0, rest.Length);
        while (_end < count && !_isAtEnd)
        {
            var read = stream.Read(_bytes, _end, _bytes.Length - _end);
            _isAtEnd = read == 0;
            _end += read;
        }
    }
}
