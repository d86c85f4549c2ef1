using System.Diagnostics.CodeAnalysis;
using System.Net.Security;
using System.Security.Authentication;
using MqttCheck.Brokers.Wire.Layers;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>
/// TLS by the framework's <see cref="SslStream"/> over a pipe in memory. Stamps stay those of the socket. The bytes
/// queued in one batch of the loop are encrypted together. An idle connection holds no buffers. The handshake takes
/// milliseconds of computing, so it runs on the thread pool, and the loop carries its bytes.
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
            // The underlying write completes at once, so there is nothing to wait for.
            _ = _stream!.ShutdownAsync();
        }
        catch (Exception failure) when (failure is IOException or InvalidOperationException)
        {
            // The peer sees the end of the connection instead of the alert.
        }
    }

    /// <inheritdoc/>
    protected override void Free()
    {
        // Waiting reads end, so that their buffers are returned.
        _pipe?.End();
        // A running handshake keeps the stream until it has seen the end.
        if (_pipe is not { IsShared: true })
            DisposeStream();
    }

    /// <inheritdoc/>
    protected override bool GoesOnAfterEnd()
    {
        // The peer may have sent a reason for its end, or even have finished. The handshake reads the rest.
        if (_pipe is not { IsShared: true } pipe)
            return false;
        pipe.EndInput();
        return true;
    }

    private static string Words(Exception failure)
    {
        // The innermost exception has the cause: the peer's alert, or the objection of the system's library.
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
            // The handler gets the bytes that followed the handshake directly.
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
            // The end of the connection is reported on its own.
            if (HasLowerEnded && failure is IOException && session.Distrust is null)
                return;
            // The handler gets the bytes that came before the error.
            DeliverAgain();
            // With TLS 1.3 a client learns only after its handshake that the server rejected its certificate.
            var reason = _hasData ? CloseReason.Reset : CloseReason.HandshakeFailed;
            Fail(reason, session.Distrust is { } distrust ? $"TLS: {distrust}" : $"TLS: {Words(failure)}");
        }
    }

    private void Read()
    {
        // The buffer belongs to the loop. It is written only when a read completes, which happens here and is handled
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

        // A read of zero bytes comes first, because the stream holds no buffer while it waits.
        void Begin(Memory<byte> target)
        {
            _isWaitingOnly = target.IsEmpty;
            _read = _stream!.ReadAsync(target);
            _isReading = true;
        }
    }
}
