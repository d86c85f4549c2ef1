using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using MqttCheck.Clusters.Pipeline;

namespace MqttCheck.Pipeline.Logs;

/// <summary>
/// A log as a process of its own, on loopback. An answer means that the file has it, whatever becomes of the process.
/// </summary>
/// <remarks>
/// One thread of work applies all requests that have come, writes the file once, and then answers them. A request is
/// its number (8 bytes), an entry of <see cref="FileLog"/> without checksum or a read with its size (4 bytes). An
/// answer is that number; for a read the place behind the records (8 bytes), and each with its length before it.
/// </remarks>
internal sealed class LogNode : IAsyncDisposable
{
    private readonly FileLog _log;
    private readonly TcpListener _listener;
    private readonly Channel<(Connection From, byte[] Frame)> _requests = Channel.CreateUnbounded<(
        Connection,
        byte[]
    )>();
    private readonly Dictionary<LogPartition, (Connection To, long Request, int Most)> _waiting = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _accepting;
    private readonly Task _working;

    /// <summary>Opens the file and listens.</summary>
    /// <param name="path">The file.</param>
    /// <param name="port">The port of loopback; 0 for a free one.</param>
    public LogNode(string path, int port = 0)
    {
        _log = new FileLog(path);
        _listener = new TcpListener(IPAddress.Loopback, port);
        _listener.Start();
        _accepting = AcceptAsync();
        _working = Task.Run(WorkAsync);
    }

    /// <summary>The port that it listens on.</summary>
    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        _requests.Writer.TryComplete();
        await Task.WhenAll(_accepting, _working);
        _log.Dispose();
        _stop.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token));
        }
        catch (Exception end) when (end is OperationCanceledException or SocketException or ObjectDisposedException) { }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using var _ = client;
        client.NoDelay = true;
        var connection = new Connection(client.GetStream());
        try
        {
            while (await Frames.ReadAsync(connection.Stream, _stop.Token) is { } frame)
                await _requests.Writer.WriteAsync((connection, frame), _stop.Token);
        }
        catch (Exception end) when (end is OperationCanceledException or ChannelClosedException) { }
    }

    private async Task WorkAsync()
    {
        var answers = new List<(Connection To, byte[] Frame)>();
        while (await _requests.Reader.WaitToReadAsync())
        {
            while (_requests.Reader.TryRead(out var request))
                Apply(request.From, request.Frame, answers);
            foreach (var (partition, waiting) in _waiting.ToArray())
            {
                var (records, next) = _log.Read(partition, waiting.Most);
                if (records.Count == 0)
                    continue;
                _waiting.Remove(partition);
                answers.Add((waiting.To, PackOf(waiting.Request, records, next)));
            }
            _log.Flush();
            foreach (var group in answers.GroupBy(answer => answer.To))
                await group.Key.SendAsync(group.SelectMany(answer => answer.Frame).ToArray());
            answers.Clear();
        }
    }

    private void Apply(Connection from, ReadOnlySpan<byte> frame, List<(Connection, byte[])> answers)
    {
        var request = BinaryPrimitives.ReadInt64BigEndian(frame);
        var content = frame[8..];
        var partition = FileLog.PlaceOf(content);
        switch ((LogEntryKind)content[0])
        {
            case LogEntryKind.Append:
                var producer = BinaryPrimitives.ReadInt64BigEndian(content[6..]);
                _log.Append(producer, BinaryPrimitives.ReadInt64BigEndian(content[14..]), partition, content[22..]);
                answers.Add((from, Frames.Of(frame[..8])));
                break;
            case LogEntryKind.Commit:
                _log.Commit(partition, BinaryPrimitives.ReadInt64BigEndian(content[6..]));
                answers.Add((from, Frames.Of(frame[..8])));
                break;
            case LogEntryKind.Read:
                _waiting[partition] = (from, request, BinaryPrimitives.ReadInt32BigEndian(content[6..]));
                break;
        }
    }

    private static byte[] PackOf(long request, IReadOnlyList<byte[]> records, long next)
    {
        var content = new byte[16 + records.Sum(record => 4 + record.Length)];
        BinaryPrimitives.WriteInt64BigEndian(content, request);
        BinaryPrimitives.WriteInt64BigEndian(content.AsSpan(8), next);
        var at = 16;
        foreach (var record in records)
        {
            Frames.Of(record).CopyTo(content, at);
            at += 4 + record.Length;
        }
        return Frames.Of(content);
    }

    private sealed class Connection(NetworkStream stream)
    {
        public NetworkStream Stream => stream;

        // A client that has gone asks again over its next connection.
        public async Task SendAsync(byte[] bytes)
        {
            try
            {
                await stream.WriteAsync(bytes);
            }
            catch (Exception gone) when (gone is IOException or ObjectDisposedException) { }
        }
    }
}
