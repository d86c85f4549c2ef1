using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using MqttCheck.Brokers.Clusters.Nodes;

namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>
/// Serves requests of brokers: one task applies all that have come, writes its file once, and then answers them. So an
/// answer means that the file has it, whatever becomes of the process.
/// </summary>
/// <remarks>A request is its number (8 bytes) and its content; an answer that number and what belongs to it.</remarks>
internal abstract class RequestServer : IServedNode
{
    private readonly TcpListener _listener;
    private readonly Channel<(RequestSource From, byte[] Request)> _requests = Channel.CreateUnbounded<(
        RequestSource,
        byte[]
    )>();
    private readonly List<(RequestSource To, byte[] Content)> _answers = [];
    private readonly CancellationTokenSource _stop = new();
    private Task _accepting = Task.CompletedTask;
    private Task _working = Task.CompletedTask;

    /// <summary>A server that does not listen yet.</summary>
    /// <param name="address">Where it will; port 0 for a free one.</param>
    protected RequestServer(IPEndPoint address) => _listener = new TcpListener(address);

    /// <inheritdoc/>
    public IPEndPoint Address => (IPEndPoint)_listener.LocalEndpoint;

    /// <inheritdoc/>
    public Task Completion => _working;

    /// <inheritdoc/>
    public string? Failure { get; private set; }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        _listener.Stop();
        _requests.Writer.TryComplete();
        await Task.WhenAll(_accepting, _working);
        CloseFile();
        _stop.Dispose();
    }

    /// <summary>Begins to serve; the last step of a constructor.</summary>
    protected void Begin()
    {
        _listener.Start();
        _accepting = AcceptAsync();
        _working = Task.Run(WorkAsync);
    }

    /// <summary>Does what a request asks for.</summary>
    /// <param name="from">Who asks.</param>
    /// <param name="number">The number of the request.</param>
    /// <param name="content">Its content.</param>
    protected abstract void Apply(RequestSource from, long number, ReadOnlySpan<byte> content);

    /// <summary>Everything that has come is applied: answers what waited for it, and writes the file.</summary>
    protected abstract void Finish();

    /// <summary>Ends the use of the file.</summary>
    protected abstract void CloseFile();

    /// <summary>Answers, when the file is written.</summary>
    /// <param name="to">Who has asked.</param>
    /// <param name="content">The number of the request, and what belongs to it.</param>
    protected void Answer(RequestSource to, byte[] content) => _answers.Add((to, content));

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
        var source = new RequestSource();
        var stream = client.GetStream();
        var writing = source.WriteAsync(stream, _stop.Token);
        try
        {
            await using var buffered = new BufferedStream(stream, Frames.BufferBytes);
            while (await Frames.ReadAsync(buffered, _stop.Token) is { Length: > sizeof(long) } request)
                await _requests.Writer.WriteAsync((source, request), _stop.Token);
        }
        catch (Exception end) when (end is OperationCanceledException or ChannelClosedException) { }
        source.End();
        await writing;
    }

    private async Task WorkAsync()
    {
        try
        {
            while (await _requests.Reader.WaitToReadAsync())
            {
                while (_requests.Reader.TryRead(out var request))
                    Apply(
                        request.From,
                        System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian(request.Request),
                        request.Request.AsSpan(sizeof(long))
                    );
                Finish();
                foreach (var (to, content) in _answers)
                    to.Answer(content);
                _answers.Clear();
            }
        }
        catch (Exception failure) when (failure is not OutOfMemoryException)
        {
            // The thread has no caller: whoever uses the node reads the failure.
            Failure = failure.ToString();
        }
    }
}
