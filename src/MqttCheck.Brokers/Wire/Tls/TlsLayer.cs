using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Authentication;
using MqttCheck.Brokers.Wire.Layers;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>
/// TLS by the framework's <see cref="SslStream"/> over a pipe in memory. Stamps stay those of the socket. What one
/// batch of the loop queues is encrypted in one go. An idle connection holds no buffers. The handshake, which takes
/// milliseconds of computing, runs on the thread pool; the loop carries its bytes.
/// </summary>
/// <param name="loop">The loop of the connection.</param>
/// <param name="upper">Who is told.</param>
/// <param name="deadlineNanoseconds">When the handshake has to be over.</param>
/// <param name="session">This side of the handshake.</param>
[SuppressMessage(
    "Reliability",
    "CA2012:Use ValueTasks correctly",
    Justification = "Each is consumed once, when it says that it is completed."
)]
[SuppressMessage(
    "Design",
    "CA1001:Types that own disposable fields should be disposable",
    Justification = "Disposed when the connection ends."
)]
internal sealed class TlsLayer(EventLoop loop, IWireHandler upper, long deadlineNanoseconds, TlsSession session)
    : ConnectionLayer(loop, upper, deadlineNanoseconds)
{
    private BytePipe? _pipe;
    private SslStream? _stream;
    private Task? _handshake;
    private ValueTask<int> _read;
    private bool _isReading;
    private bool _isWaitingOnly;
    private bool _hasData;

    /// <inheritdoc/>
    protected override string Name => "TLS";

    /// <inheritdoc/>
    protected override void BeginHandshake()
    {
        var pipe = _pipe = new BytePipe(Loop, bytes => Lower.Send(bytes));
        var stream = _stream = new SslStream(pipe, leaveInnerStreamOpen: true);
        if (!Loop.ComputesOnThreadPool)
        {
            _handshake = session.AuthenticateAsync(stream);
            Advance();
            return;
        }
        pipe.Share();
        _handshake = Task.Run(() => session.AuthenticateAsync(stream));
        _handshake.ContinueWith(
            _ => Loop.Post(EndHandshake),
            CancellationToken.None,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );
    }

    /// <inheritdoc/>
    protected override void Decode(ReadOnlySpan<byte> bytes)
    {
        _pipe!.Feed(bytes);
        if (!_pipe.IsShared)
            Advance();
    }

    /// <inheritdoc/>
    protected override void Encode(ByteQueue outgoing)
    {
        try
        {
            var written = _stream!.WriteAsync(outgoing.Memory);
            if (!written.IsCompleted)
                throw new InvalidOperationException("Encrypting waits although the stream below it never does.");
            written.GetAwaiter().GetResult();
        }
        catch (Exception failure) when (failure is IOException or AuthenticationException)
        {
            Fail(CloseReason.Reset, failure.Message);
        }
    }

    /// <inheritdoc/>
    protected override void EncodeEnd()
    {
        try
        {
            // The write below it completes at once, so nothing is left to wait for.
            _ = _stream!.ShutdownAsync();
        }
        catch (Exception failure) when (failure is IOException or InvalidOperationException)
        {
            // The peer hears the end of the connection instead of the alert.
        }
    }

    /// <inheritdoc/>
    protected override void Free()
    {
        // Reads that wait end, so that what they hold goes back.
        _pipe?.End();
        // A handshake that runs has the stream until it has heard of the end.
        if (_pipe is not { IsShared: true })
            DisposeStream();
    }

    /// <inheritdoc/>
    protected override bool GoesOnAfterEnd()
    {
        // The peer may have said why it ended, or even have finished: the handshake reads it.
        if (_pipe is not { IsShared: true } pipe)
            return false;
        pipe.EndInput();
        return true;
    }

    private static string Words(Exception failure)
    {
        // The innermost says what happened: the alert of the peer, or what the system's library did not like.
        var cause = failure.GetBaseException();
        return ReferenceEquals(cause, failure) || cause.Message.Length == 0
            ? failure.Message.TrimEnd('.')
            : $"{failure.Message.Replace(", see inner exception", "", StringComparison.Ordinal).TrimEnd('.')}: "
                + $"{cause.Message.TrimEnd('.')}";
    }

    private void DisposeStream()
    {
        _stream?.Dispose();
        if (_handshake is { IsFaulted: true })
            _ = _handshake.Exception;
    }

    private void EndHandshake()
    {
        _pipe!.Unshare();
        if (Stage == LayerStage.Handshake)
        {
            Advance();
            // What came right behind the handshake.
            DeliverAgain();
        }
        else
        {
            DisposeStream();
        }
        FinishEnd();
    }

    private void Advance()
    {
        try
        {
            if (Stage == LayerStage.Handshake)
            {
                if (!_handshake!.IsCompleted)
                    return;
                _handshake.GetAwaiter().GetResult();
                Open();
            }
            if (Stage == LayerStage.Open)
                Read();
        }
        catch (Exception failure)
            when (failure
                    is IOException
                        or AuthenticationException
                        or InvalidOperationException { InnerException: not null }
            )
        {
            // The end of the connection is told by itself.
            if (HasLowerEnded && failure is IOException && session.Distrust is null)
                return;
            // What came before the damage is good.
            DeliverAgain();
            // With TLS 1.3 a client hears only after its handshake that the server did not like its certificate.
            var reason = _hasData ? CloseReason.Reset : CloseReason.HandshakeFailed;
            Fail(reason, session.Distrust is { } distrust ? $"TLS: {distrust}" : $"TLS: {Words(failure)}");
        }
    }

    private void Read()
    {
        // The buffer is the loop's: it is written to only when a read completes, which happens here and is dealt with
        // at once.
        var buffer = Loop.ScratchBuffer;
        while (true)
        {
            if (!_isReading)
                Begin(Memory<byte>.Empty);
            if (!_read.IsCompleted)
                return;
            _isReading = false;
            var count = _read.GetAwaiter().GetResult();
            if (_isWaitingOnly)
            {
                Begin(buffer);
                continue;
            }
            if (count == 0)
            {
                EndByPeer();
                return;
            }
            _hasData = true;
            Incoming.Append(buffer.AsSpan(0, count));
        }

        // A read of nothing comes first: while it waits, the stream holds no buffer either.
        void Begin(Memory<byte> target)
        {
            _isWaitingOnly = target.IsEmpty;
            _read = _stream!.ReadAsync(target);
            _isReading = true;
        }
    }
}
