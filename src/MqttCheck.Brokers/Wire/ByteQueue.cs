namespace MqttCheck.Brokers.Wire;

/// <summary>Bytes in the order they came, contiguous. It holds a buffer only while it holds bytes.</summary>
/// <param name="pool">The pool of its buffer.</param>
internal sealed class ByteQueue(BufferPool pool)
{
    private byte[] _buffer = [];
    private int _start;
    private int _end;

    /// <summary>How many bytes it holds.</summary>
    public int Count => _end - _start;

    /// <summary>The bytes, oldest first; valid until the next call that changes the queue.</summary>
    public Span<byte> Bytes => _buffer.AsSpan(_start, Count);

    /// <summary>
    /// The bytes, oldest first, for calls that outlive the stack frame; valid until the next call that changes the
    /// queue.
    /// </summary>
    public Memory<byte> Memory => _buffer.AsMemory(_start, Count);

    /// <summary>Adds bytes at the end.</summary>
    /// <param name="bytes">Copied.</param>
    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty)
            return;
        bytes.CopyTo(FreeSpace(bytes.Length));
        _end += bytes.Length;
    }

    /// <summary>Free space behind the last byte; bytes written there are added by <see cref="Extend"/>.</summary>
    /// <param name="atLeast">Its least length.</param>
    public Span<byte> FreeSpace(int atLeast)
    {
        if (_buffer.Length - _end < atLeast)
            MakeRoom(atLeast);
        return _buffer.AsSpan(_end);
    }

    /// <summary>Adds bytes that were written to <see cref="FreeSpace"/>.</summary>
    /// <param name="count">How many.</param>
    public void Extend(int count) => _end += count;

    /// <summary>Takes over all bytes of another queue without copying them; this one must be empty.</summary>
    /// <param name="other">Empty afterwards.</param>
    public void TakeFrom(ByteQueue other)
    {
        Clear();
        (_buffer, other._buffer) = (other._buffer, _buffer);
        (_start, other._start) = (other._start, 0);
        (_end, other._end) = (other._end, 0);
    }

    /// <summary>Removes the oldest bytes.</summary>
    /// <param name="count">How many, at most <see cref="Count"/>.</param>
    public void Consume(int count)
    {
        _start += count;
        if (_start == _end)
            Clear();
    }

    /// <summary>Removes all bytes.</summary>
    public void Clear()
    {
        if (_buffer.Length > 0)
            pool.Return(_buffer);
        _buffer = [];
        _start = _end = 0;
    }

    private void MakeRoom(int atLeast)
    {
        var count = Count;
        var needed = checked(count + atLeast);
        if (needed <= _buffer.Length && _start >= _buffer.Length / 2)
        {
            Bytes.CopyTo(_buffer);
        }
        else
        {
            // The size is doubled, so that a long packet that arrives in pieces is copied O(log n) times.
            var larger = pool.Rent(Math.Max(needed, count > int.MaxValue / 2 ? needed : count * 2));
            Bytes.CopyTo(larger);
            if (_buffer.Length > 0)
                pool.Return(_buffer);
            _buffer = larger;
        }
        (_start, _end) = (0, count);
    }
}
