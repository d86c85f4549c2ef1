using System.Threading.Tasks.Sources;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>
/// The stream below an <see cref="System.Net.Security.SslStream"/>: reads take what the loop fed, writes go to the connection at once. All of it runs
/// on the loop's thread: feeding
/// completes the read that waits, and with it everything that waited for the read, before it returns.
/// </summary>
/// <param name="pool">Where its buffer comes from.</param>
/// <param name="write">Sends bytes.</param>
internal sealed class BytePipe(BufferPool pool, BytePipe.Writer write) : Stream, IValueTaskSource<int>
{
    private readonly ByteQueue _arrived = new(pool);
    private ManualResetValueTaskSourceCore<int> _read;
    private Memory<byte> _target;
    private bool _isReading;
    private bool _hasEnded;

    /// <summary>Sends bytes.</summary>
    public delegate void Writer(ReadOnlySpan<byte> bytes);

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanWrite => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Adds bytes to be read, and has a waiting read take them.</summary>
    /// <param name="bytes">Copied.</param>
    public void Feed(ReadOnlySpan<byte> bytes)
    {
        _arrived.Append(bytes);
        CompleteRead();
    }

    /// <summary>Nothing follows: reads return 0.</summary>
    public void End()
    {
        _hasEnded = true;
        _arrived.Clear();
        CompleteRead();
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        // A read of nothing waits until there is something.
        if (_hasEnded || _arrived.Count > 0) return new(Take(buffer));
        _target = buffer;
        _isReading = true;
        return new(this, _read.Version);
    }

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        write(buffer.AsSpan(offset, count));
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => write(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    int IValueTaskSource<int>.GetResult(short token)
    {
        var count = _read.GetResult(token);
        _read.Reset();
        return count;
    }

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _read.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _read.OnCompleted(continuation, state, token, flags);

    private void CompleteRead()
    {
        if (!_isReading) return;
        _isReading = false;
        var target = _target;
        _target = default;
        _read.SetResult(Take(target));
    }

    private int Take(Memory<byte> target)
    {
        var count = Math.Min(target.Length, _arrived.Count);
        _arrived.Bytes[..count].CopyTo(target.Span);
        _arrived.Consume(count);
        return count;
    }
}
