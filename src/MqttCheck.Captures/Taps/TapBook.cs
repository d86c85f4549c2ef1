using System.Buffers;
using System.Threading.Channels;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Files;
using MqttCheck.Captures.Logs;
using MqttCheck.Captures.Messages;
using MqttCheck.Captures.Tcp;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.Captures.Taps;

/// <summary>
/// Makes the log of a tap beside the wire, so that no connection waits for it. If it falls far behind,
/// bytes are counted as missing in place of being kept.
/// </summary>
internal sealed class TapBook : IStreamObserver, IDisposable
{
    private const int MostWaitingBytes = 64 << 20;
    private const double ResolutionNanoseconds = 1000;

    private readonly Channel<TapEvent> _events = Channel.CreateUnbounded<TapEvent>(new() { SingleReader = true });
    private readonly Dictionary<RelayedConnection, MqttConversation> _conversations = [];
    private readonly TapSetup _setup;
    private readonly BookedLog _log;
    private readonly BrokerSides _sides = new([], []);
    private readonly Task _work;
    private readonly long _clockToUnix;
    private TimeRange _span;
    private long _waiting;
    private int _numbers;
    private bool _isBrokerGone;

    /// <summary>Begins a log.</summary>
    public TapBook(TapSetup setup)
    {
        _setup = setup;
        var unix = (setup.Time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
        _clockToUnix = unix - MonotonicClock.NowNanoseconds;
        _log = new(setup.Log, ResolutionNanoseconds);
        _work = Task.Run(WorkAsync);
    }

    /// <summary>How many connections ended because the broker did not answer.</summary>
    public int TurnedAway { get; private set; }

    /// <inheritdoc/>
    public void Opened(RelayedConnection connection, long nanoseconds) =>
        Add(new(connection, TapEventKind.Opened, 0, null, 0, nanoseconds));

    /// <inheritdoc/>
    public void Passed(RelayedConnection connection, bool isForward, ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        var side = isForward ? 0 : 1;
        if (Volatile.Read(ref _waiting) > MostWaitingBytes)
        {
            Add(new(connection, TapEventKind.Missed, side, null, bytes.Length, nanoseconds));
            return;
        }
        Interlocked.Add(ref _waiting, bytes.Length);
        var buffer = ArrayPool<byte>.Shared.Rent(bytes.Length);
        bytes.CopyTo(buffer);
        Add(new(connection, TapEventKind.Passed, side, buffer, bytes.Length, nanoseconds));
    }

    /// <inheritdoc/>
    public void Ended(RelayedConnection connection, bool isForward, CloseReason reason, string detail, long nanoseconds)
    {
        Add(new(connection, TapEventKind.Ended, isForward ? 0 : 1, null, 0, nanoseconds));
        var isBrokerGone =
            !isForward && reason is CloseReason.Refused or CloseReason.ConnectTimeout or CloseReason.HandshakeFailed;
        if (isBrokerGone)
            TurnedAway++;
        // A broker that is away for a while is named once.
        if (isBrokerGone && !_isBrokerGone)
            _setup.Note(
                $"the broker at {_setup.Target.Address} does not answer ({reason}); "
                    + "clients are turned away until it does"
            );
        if (!isForward)
            _isBrokerGone = isBrokerGone;
    }

    /// <summary>Ends the log, when all that passed is in it.</summary>
    /// <returns>The result; null if no MQTT passed, and nothing was written.</returns>
    public async Task<CaptureSummary?> EndAsync()
    {
        _events.Writer.TryComplete();
        try
        {
            await _work.ConfigureAwait(false);
        }
        catch
        {
            _log.Discard();
            throw;
        }
        _log.Book.End();
        if (_log.Book.Brokers.Count == 0)
        {
            _log.Discard();
            return null;
        }
        return _log.Finish(
            new("tap", _setup.ToolVersion, _setup.KeepsNames),
            _span,
            new(
                "tap",
                "taken at a tap: they contain the way from there to the broker, but not that of the clients",
                double.NaN,
                double.NaN
            ),
            damage: null
        );
    }

    /// <inheritdoc/>
    public void Dispose() => _log.Dispose();

    private void Add(in TapEvent happened) => _events.Writer.TryWrite(happened);

    private async Task WorkAsync()
    {
        await foreach (var happened in _events.Reader.ReadAllAsync().ConfigureAwait(false))
            Take(happened);
    }

    private void Take(in TapEvent happened)
    {
        var time = happened.Nanoseconds + _clockToUnix;
        if (!_span.IsAny)
            _log.Zero = time;
        _span = _span.With(time);
        if (happened.Kind == TapEventKind.Opened)
            _conversations[happened.Connection] = Begin(time);
        else if (_conversations.TryGetValue(happened.Connection, out var conversation))
            Take(conversation, happened, time);
        if (happened.Buffer is not { } buffer)
            return;
        Interlocked.Add(ref _waiting, -happened.Length);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    private void Take(MqttConversation conversation, in TapEvent happened, long time)
    {
        switch (happened.Kind)
        {
            case TapEventKind.Passed:
                conversation.Data(happened.Side, happened.Buffer.AsSpan(0, happened.Length), time);
                break;
            case TapEventKind.Missed:
                _log.Counts.Gaps++;
                _log.Counts.MissingBytes += happened.Length;
                conversation.Missing(happened.Side, happened.Length, time);
                break;
            case TapEventKind.Ended:
                conversation.Closed(happened.Side, time);
                // The broker's end is the last one of a conversation.
                if (happened.Side == 1)
                    _conversations.Remove(happened.Connection);
                break;
            case TapEventKind.Opened:
                break;
        }
    }

    // A number stands for the address of a client, which nobody needs.
    private MqttConversation Begin(long time)
    {
        var target = _setup.Target.Address;
        var client = new SocketKey((UInt128)(++_numbers), 0);
        var broker = new SocketKey(SocketKey.AddressOf(target.Address), (ushort)target.Port);
        return new(new FlowKey(client, broker), new(0, true, time), _sides, _log.Book, _log.Counts);
    }
}
