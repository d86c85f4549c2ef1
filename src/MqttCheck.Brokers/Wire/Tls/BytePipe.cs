using System.Threading.Tasks.Sources;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>
/// The stream below an <see cref="System.Net.Security.SslStream"/>: reads take the bytes that the loop fed, and writes
/// go to the connection. On the loop's thread, feeding completes the waiting read and its continuations before it
/// returns, and writes are sent at once. While the pipe is shared, the reader runs on the thread pool and its writes
/// are posted to the loop.
/// </summary>
/// <param name="loop">The loop of the connection.</param>
/// <param name="write">Sends bytes; called on the loop's thread.</param>
internal sealed class BytePipe(EventLoop loop, BytePipe.Writer write) : Stream, IValueTaskSource<int>
{
    private readonly Lock _gate = new();
    private ByteQueue _arrived = new(loop.Buffers);
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

    /// <summary>Whether the reader is on the thread pool.</summary>
    public bool IsShared { get; private set; }

    /// <summary>Moves the reader's side to the thread pool, before the first read.</summary>
    public void Share()
    {
        IsShared = true;
        _read.RunContinuationsAsynchronously = true;
        // The loop's buffers belong to its thread.
        _arrived = new ByteQueue(new BufferPool());
    }

    /// <summary>Moves the reader's side back to the loop's thread, when the reader has ended.</summary>
    public void Unshare()
    {
        IsShared = false;
        _read.RunContinuationsAsynchronously = false;
        var left = _arrived;
        _arrived = new ByteQueue(loop.Buffers);
        _arrived.Append(left.Bytes);
    }

    /// <summary>Adds bytes to be read, and completes a waiting read.</summary>
    /// <param name="bytes">Copied.</param>
    public void Feed(ReadOnlySpan<byte> bytes)
    {
        lock (_gate)
        {
            _arrived.Append(bytes);
            CompleteRead();
        }
    }

    /// <summary>Marks the end of the input, after which reads return 0.</summary>
    public void EndInput()
    {
        lock (_gate)
        {
            _hasEnded = true;
            CompleteRead();
        }
    }

    /// <summary>Drops the input, so that reads return 0.</summary>
    public void End()
    {
        lock (_gate)
        {
            _arrived.Clear();
            EndInput();
        }
    }

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            // A read of zero bytes waits until there are bytes.
            if (_hasEnded || _arrived.Count > 0)
                return new(Take(buffer));
            _target = buffer;
            _isReading = true;
            return new(this, _read.Version);
        }
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Send(buffer.Span);
        return ValueTask.CompletedTask;
    }

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => Send(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override void Flush() { }

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

    void IValueTaskSource<int>.OnCompleted(
        Action<object?> continuation,
        object? state,
        short token,
        ValueTaskSourceOnCompletedFlags flags
    ) => _read.OnCompleted(continuation, state, token, flags);

    private void Send(ReadOnlySpan<byte> bytes)
    {
        if (!IsShared)
        {
            write(bytes);
            return;
        }
        var copy = bytes.ToArray();
        loop.Post(() => write(copy));
    }

    private void CompleteRead()
    {
        if (!_isReading)
            return;
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
