using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace MqttCheck.Brokers.Clusters.Pipeline.Requests;

/// <summary>
/// Asks a <see cref="RequestServer"/>, and connects to it by itself. What is not answered is sent again, in order, when
/// the server is back.
/// </summary>
internal sealed class RequestClient : IAsyncDisposable
{
    // As many as Kafka's producers put into a batch of small records.
    private const int LargestBatch = 500;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(20);

    private readonly IPEndPoint _address;
    private readonly TimeSpan _patience;
    private readonly TimeSpan _linger;
    private readonly Lock _lock = new();
    private readonly SortedDictionary<long, Question> _unanswered = [];
    private readonly List<byte[]> _lingering = [];
    private readonly Timer _timer;
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _connecting;
    private OutgoingFrames? _queue;
    private long _last;

    /// <summary>A client, which begins to connect.</summary>
    /// <param name="address">Where the server is.</param>
    /// <param name="patience">
    /// How long a request waits for a server that is gone before it fails; infinite for one that never does.
    /// </param>
    /// <param name="linger">How long a request that may wait does so for others that go with it.</param>
    public RequestClient(IPEndPoint address, TimeSpan patience, TimeSpan linger)
    {
        (_address, _patience, _linger) = (address, patience, linger);
        _timer = new Timer(_ => SendLingering());
        _connecting = Task.Run(ConnectAsync);
    }

    /// <summary>Asks.</summary>
    /// <param name="content">The content of the request.</param>
    /// <param name="mayLinger">Whether it may wait for others that go with it.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>What belongs to the answer; cancelled if there will be none.</returns>
    public Task<byte[]> AskAsync(
        ReadOnlySpan<byte> content,
        bool mayLinger = false,
        CancellationToken cancellation = default
    )
    {
        var answer = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
        var request = new byte[sizeof(long) + content.Length];
        content.CopyTo(request.AsSpan(sizeof(long)));
        lock (_lock)
        {
            var number = ++_last;
            BinaryPrimitives.WriteInt64BigEndian(request, number);
            var frame = Frames.Of(request);
            _unanswered.Add(number, new Question(frame, answer, Stopwatch.GetTimestamp()));
            if (mayLinger && _linger > TimeSpan.Zero)
                Linger(frame);
            else
                _queue?.Send(frame);
            if (cancellation.CanBeCanceled)
                cancellation.Register(() => Forget(number, answer));
        }
        return answer.Task;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _connecting;
        await _timer.DisposeAsync();
        Fail(_ => true);
        _stop.Dispose();
    }

    private void Linger(byte[] frame)
    {
        _lingering.Add(frame);
        if (_lingering.Count == 1)
            _timer.Change(_linger, Timeout.InfiniteTimeSpan);
        if (_lingering.Count >= LargestBatch)
            SendLingering();
    }

    private void SendLingering()
    {
        lock (_lock)
        {
            foreach (var frame in _lingering)
                _queue?.Send(frame);
            _lingering.Clear();
        }
    }

    private void Forget(long number, TaskCompletionSource<byte[]> answer)
    {
        lock (_lock)
            _unanswered.Remove(number);
        answer.TrySetCanceled();
    }

    private async Task ConnectAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                using var client = new TcpClient { NoDelay = true };
                await client.ConnectAsync(_address, _stop.Token);
                await ServeAsync(client.GetStream());
            }
            catch (Exception failure) when (failure is SocketException or OperationCanceledException) { }
            if (_patience != Timeout.InfiniteTimeSpan)
                Fail(question => Stopwatch.GetElapsedTime(question.AskedAt) >= _patience);
            if (!_stop.IsCancellationRequested)
                await Task.Delay(s_pause);
        }
    }

    private async Task ServeAsync(NetworkStream stream)
    {
        var queue = new OutgoingFrames();
        lock (_lock)
        {
            _queue = queue;
            // Those that linger are among them.
            _lingering.Clear();
            foreach (var question in _unanswered.Values)
                queue.Send(question.Frame);
        }
        var writing = queue.WriteAsync(stream, _stop.Token);
        try
        {
            await using var buffered = new BufferedStream(stream, Frames.BufferBytes);
            while (await Frames.ReadAsync(buffered, _stop.Token) is { Length: >= sizeof(long) } answer)
                Complete(answer);
        }
        finally
        {
            lock (_lock)
                _queue = null;
            queue.End();
            await writing;
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
        waiting?.TrySetResult(answer[sizeof(long)..]);
    }

    private void Fail(Func<Question, bool> isOver)
    {
        List<KeyValuePair<long, Question>> over;
        lock (_lock)
        {
            over = [.. _unanswered.Where(question => isOver(question.Value))];
            foreach (var (number, question) in over)
            {
                _unanswered.Remove(number);
                _lingering.Remove(question.Frame);
            }
        }
        foreach (var (_, question) in over)
            question.Answer.TrySetCanceled(CancellationToken.None);
    }

    private sealed record Question(byte[] Frame, TaskCompletionSource<byte[]> Answer, long AskedAt);
}
