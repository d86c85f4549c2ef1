using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Clusters.Pipeline;

namespace MqttCheck.Pipeline.Logs;

/// <summary>
/// A client of <see cref="LogNode"/>. What is not answered it sends again, in order, when the node is back.
/// </summary>
internal sealed class LogNodeClient : IMessageLog
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    private readonly int _port;
    private readonly long _producer;
    private readonly Lock _lock = new();
    private readonly SortedDictionary<long, (byte[] Frame, TaskCompletionSource<byte[]> Answer)> _unanswered = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _connecting;
    private NetworkStream? _stream;
    private long _last;

    /// <summary>A client, which connects by itself.</summary>
    /// <param name="port">The port of loopback that the node listens on.</param>
    /// <param name="producer">A number that no other client of this log has had.</param>
    public LogNodeClient(int port, long producer)
    {
        (_port, _producer) = (port, producer);
        _connecting = Task.Run(ConnectAsync);
    }

    /// <inheritdoc/>
    public Task AppendAsync(LogPartition partition, LogRecord record)
    {
        var bytes = RecordCodec.Encode(record);
        var content = new byte[22 + bytes.Length];
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), _producer);
        bytes.CopyTo(content, 22);
        return RequestAsync(LogEntryKind.Append, partition, content, CancellationToken.None);
    }

    /// <inheritdoc/>
    public Task CommitAsync(LogPartition partition, long next)
    {
        var content = new byte[14];
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(6), next);
        return RequestAsync(LogEntryKind.Commit, partition, content, CancellationToken.None);
    }

    /// <inheritdoc/>
    public async Task<LogPack> ReadAsync(LogPartition partition, int most, CancellationToken cancellation)
    {
        var content = new byte[10];
        BinaryPrimitives.WriteInt32BigEndian(content.AsSpan(6), most);
        var answer = await RequestAsync(LogEntryKind.Read, partition, content, cancellation);
        var records = new List<LogRecord>();
        for (var at = 16; at < answer.Length; )
        {
            var length = BinaryPrimitives.ReadInt32BigEndian(answer.AsSpan(at));
            records.Add(RecordCodec.Record(answer.AsSpan(at + 4, length)));
            at += 4 + length;
        }
        return new LogPack(records, BinaryPrimitives.ReadInt64BigEndian(answer.AsSpan(8)));
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _connecting;
        lock (_lock)
        {
            foreach (var (_, answer) in _unanswered.Values)
                answer.TrySetCanceled();
            _unanswered.Clear();
        }
        _stop.Dispose();
    }

    // The number of a request is the producer's number of its record too.
    private Task<byte[]> RequestAsync(
        LogEntryKind kind,
        LogPartition partition,
        byte[] content,
        CancellationToken cancellation
    )
    {
        var answer = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            var number = ++_last;
            FileLog.Place(content, kind, partition);
            if (kind == LogEntryKind.Append)
                BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(14), number);
            var request = new byte[8 + content.Length];
            BinaryPrimitives.WriteInt64BigEndian(request, number);
            content.CopyTo(request, 8);
            var frame = Frames.Of(request);
            _unanswered.Add(number, (frame, answer));
            Send(frame);
            if (cancellation.CanBeCanceled)
                cancellation.Register(() => Forget(number, answer));
        }
        return answer.Task;
    }

    private void Forget(long number, TaskCompletionSource<byte[]> answer)
    {
        lock (_lock)
            _unanswered.Remove(number);
        answer.TrySetCanceled();
    }

    private void Send(byte[] frame)
    {
        try
        {
            _stream?.Write(frame);
        }
        catch (Exception gone) when (gone is IOException or ObjectDisposedException)
        {
            _stream = null;
        }
    }

    private async Task ConnectAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                using var client = new TcpClient { NoDelay = true };
                await client.ConnectAsync(IPAddress.Loopback, _port, _stop.Token);
                var stream = client.GetStream();
                lock (_lock)
                {
                    _stream = stream;
                    foreach (var (frame, _) in _unanswered.Values)
                        Send(frame);
                }
                while (await Frames.ReadAsync(stream, _stop.Token) is { } answer)
                    Complete(answer);
                lock (_lock)
                    _stream = null;
            }
            catch (Exception failure) when (failure is SocketException or OperationCanceledException) { }
            if (!_stop.IsCancellationRequested)
                await Task.Delay(s_pause);
        }
    }

    private void Complete(byte[] answer)
    {
        TaskCompletionSource<byte[]>? waiting = null;
        lock (_lock)
        {
            if (_unanswered.Remove(BinaryPrimitives.ReadInt64BigEndian(answer), out var request))
                waiting = request.Answer;
        }
        waiting?.TrySetResult(answer);
    }
}
