using System.Buffers.Binary;
using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.LiveClusters.Nodes.Pipeline.Requests;

/// <summary>
/// Asks a <see cref="RequestServer"/>, and connects to it by itself. When the server is back, the client repeats the
/// requests that have no answer, in order.
/// </summary>
/// <remarks>
/// Asking is safe from any thread. A client on the wire of its user answers on that wire's thread, without another
/// thread between them.
/// </remarks>
internal sealed class RequestClient : ITimerHandler, IAsyncDisposable
{
    // Kafka's producers put about as many small records into a batch.
    private const int LargestBatch = 500;

    private const int ConnectTag = 0;
    private const int LingerTag = 1;
    private const long PauseNanoseconds = 20_000_000;

    private readonly WireEndpoint _address;
    private readonly TimeSpan _patience;
    private readonly long _linger;
    private readonly WireRunner? _own;
    private readonly IWire _wire;
    private readonly Lock _lock = new();
    private readonly SortedDictionary<long, Question> _unanswered = [];
    private readonly List<byte[]> _lingering = [];
    private List<byte[]> _outgoing = [];
    private List<byte[]> _leaving = [];
    private WireConnection? _connection;
    private bool _isPosted;
    private bool _waitsForLinger;
    private long _last;

    /// <summary>A client, which begins to connect.</summary>
    /// <param name="address">The address of the server.</param>
    /// <param name="patience">
    /// How long a request waits for a server that is gone before it fails; infinite for one that never does.
    /// </param>
    /// <param name="linger">How long a request that may wait does so for others that go with it.</param>
    /// <param name="wire">
    /// The wire that carries it, which ends before this client is disposed of; null for one of its own.
    /// </param>
    public RequestClient(IPEndPoint address, TimeSpan patience, TimeSpan linger, IWire? wire = null)
    {
        (_address, _patience, _linger) = (new WireEndpoint(address), patience, MonotonicClock.Nanoseconds(linger));
        _own = wire is null ? new WireRunner("requests") : null;
        _wire = wire ?? _own!.Wire;
        Connect();
        _own?.Start();
    }

    /// <summary>Sends a request.</summary>
    /// <param name="content">The content of the request.</param>
    /// <param name="mayLinger">Whether it may wait for others that go with it.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>The content of the answer; the task is cancelled if there will be none.</returns>
    public Task<byte[]> AskAsync(
        ReadOnlySpan<byte> content,
        bool mayLinger = false,
        CancellationToken cancellation = default
    )
    {
        // A continuation may run on the thread of this client only if the user owns the wire and knows that it must not
        // block.
        var answer = new TaskCompletionSource<byte[]>(
            _own is null ? TaskCreationOptions.None : TaskCreationOptions.RunContinuationsAsynchronously
        );
        bool posts;
        lock (_lock)
        {
            var number = ++_last;
            var question = new Question(Frames.Of(number, content), answer, _wire.NowNanoseconds);
            _unanswered.Add(number, question);
            (mayLinger && _linger > 0 ? _lingering : _outgoing).Add(question.Frame);
            (posts, _isPosted) = (!_isPosted, true);
            if (cancellation.CanBeCanceled)
                question.Cancellation = cancellation.UnsafeRegister(_ => Forget(number, answer), null);
        }
        if (posts)
            _wire.Post(Send);
        return answer.Task;
    }

    /// <inheritdoc/>
    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag == ConnectTag)
        {
            Connect();
            return;
        }
        _waitsForLinger = false;
        lock (_lock)
            SendLingering();
        Send();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_own is not null)
            await _own.DisposeAsync();
        Fail(_ => true);
    }

    private void Connect() => _wire.Connect(_address, new Answers(this));

    private void Send()
    {
        lock (_lock)
        {
            _isPosted = false;
            if (_lingering.Count >= LargestBatch)
                SendLingering();
            else if (_lingering.Count > 0 && !_waitsForLinger)
            {
                _waitsForLinger = true;
                _wire.Schedule(this, _wire.NowNanoseconds + _linger, LingerTag);
            }
            (_outgoing, _leaving) = (_leaving, _outgoing);
        }
        // Without a connection the frames wait for the next one.
        foreach (var frame in _leaving)
            _connection?.Send(frame);
        _leaving.Clear();
    }

    private void SendLingering()
    {
        _outgoing.AddRange(_lingering);
        _lingering.Clear();
    }

    private void Connected(WireConnection connection)
    {
        _connection = connection;
        lock (_lock)
        {
            // The unanswered requests include those that wait to be sent.
            _lingering.Clear();
            _outgoing.Clear();
            foreach (var question in _unanswered.Values)
                connection.Send(question.Frame);
        }
    }

    private void Closed()
    {
        _connection = null;
        if (_patience != Timeout.InfiniteTimeSpan)
        {
            var askedBefore = _wire.NowNanoseconds - MonotonicClock.Nanoseconds(_patience);
            Fail(question => question.AskedAt <= askedBefore);
        }
        _wire.Schedule(this, _wire.NowNanoseconds + PauseNanoseconds, ConnectTag);
    }

    private void Complete(ReadOnlySpan<byte> answer)
    {
        Question? question;
        lock (_lock)
        {
            if (!_unanswered.Remove(BinaryPrimitives.ReadInt64BigEndian(answer), out question))
                return;
        }
        question.Cancellation.Unregister();
        question.Answer.TrySetResult(answer[sizeof(long)..].ToArray());
    }

    private void Forget(long number, TaskCompletionSource<byte[]> answer)
    {
        lock (_lock)
            _unanswered.Remove(number);
        answer.TrySetCanceled();
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
                _outgoing.Remove(question.Frame);
            }
        }
        foreach (var (_, question) in over)
            question.Answer.TrySetCanceled(CancellationToken.None);
    }

    private sealed record Question(byte[] Frame, TaskCompletionSource<byte[]> Answer, long AskedAt)
    {
        public CancellationTokenRegistration Cancellation { get; set; }
    }

    private sealed class Answers(RequestClient client) : FrameReader
    {
        public override void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
            client.Connected(connection);

        public override void OnClosed(
            WireConnection connection,
            CloseReason reason,
            string detail,
            in ArrivalStamp stamp
        ) => client.Closed();

        protected override void Take(ReadOnlySpan<byte> content) => client.Complete(content);
    }
}
