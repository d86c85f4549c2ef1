using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;

namespace MqttCheck.Brokers.Embedded;

/// <summary>One accepted connection between the wire and the broker's core.</summary>
internal sealed class HostedConnection(BrokerHost host) : IWireHandler, ITimerHandler, IDelayedConnection
{
    // Back-pressure stops reading from a client that does not read its answers.
    private const int HighWaterBytes = 1 << 20,
        LowWaterBytes = 1 << 18;
    private const long LookAgainNanoseconds = 5_000_000;

    private WireConnection? _wire;
    private DelayLine? _delayed;
    private bool _isOpen;
    private bool _isWatched;
    private bool _isHeldBack;
    private long _pausedUntil;

    public int Number { get; private set; } = -1;

    public int PendingBytes => _wire!.PendingBytes + (_delayed?.PendingBytes ?? 0);

    /// <summary>Whether it should get no more messages; the core is told when that is over.</summary>
    public bool IsCongested
    {
        get
        {
            if (PendingBytes <= BrokerHost.CongestedBytes)
                return false;
            _isHeldBack = true;
            Watch();
            return true;
        }
    }

    public void Attach(int number, DelaySchedule? delays)
    {
        Number = number;
        _isOpen = true;
        if (delays is not null)
            _delayed = new DelayLine(delays, this);
    }

    public void Send(ReadOnlySpan<byte> packet, long cause)
    {
        if (_delayed is null)
            _wire!.Send(packet);
        else
            _delayed.Send(AnswerKind(packet[0]), packet, cause);
    }

    public void Close(long cause)
    {
        _isOpen = false;
        if (_delayed is null)
            CloseNow();
        else
            _delayed.Close(cause);
    }

    public void PauseUntil(long nanoseconds)
    {
        _pausedUntil = nanoseconds;
        Pause();
    }

    public void SendNow(ReadOnlySpan<byte> packet) => _wire!.Send(packet);

    public void CloseNow() => _wire!.Close();

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _wire = connection;
        host.Opened(this, stamp.Nanoseconds);
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        if (!_isOpen)
            return bytes.Length;
        var consumed = host.Received(this, bytes, stamp.Nanoseconds);
        if (_isOpen && PendingBytes > HighWaterBytes)
            Pause();
        return consumed;
    }

    public void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        _isWatched = false;
        if (!_isOpen)
            return;
        if (PendingBytes > LowWaterBytes)
        {
            Watch();
            return;
        }
        if (_isHeldBack)
        {
            _isHeldBack = false;
            host.Drained(this, nowNanoseconds);
        }
        if (nowNanoseconds >= _pausedUntil)
            _wire!.ReadingPaused = false;
        else
            Watch();
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        _delayed?.Clear();
        var why = detail.Length > 0 ? $"{reason}, {detail}" : reason.ToString();
        if (Number < 0)
            host.NotOpened(why);
        if (!_isOpen)
            return;
        _isOpen = false;
        host.Lost(this, why, stamp.Nanoseconds);
    }

    private static DelayedAnswer AnswerKind(byte firstByte) =>
        (firstByte >> 4) switch
        {
            2 => DelayedAnswer.Connack,
            3 => DelayedAnswer.Publish,
            4 => DelayedAnswer.Puback,
            9 => DelayedAnswer.Suback,
            11 => DelayedAnswer.Unsuback,
            13 => DelayedAnswer.Pingresp,
            14 => DelayedAnswer.Close,
            _ => DelayedAnswer.Qos2,
        };

    private void Pause()
    {
        _wire!.ReadingPaused = true;
        Watch();
    }

    private void Watch()
    {
        if (_isWatched)
            return;
        _isWatched = true;
        host.Wire.Schedule(this, host.Wire.NowNanoseconds + LookAgainNanoseconds, 0);
    }
}
