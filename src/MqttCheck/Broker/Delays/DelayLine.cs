using MqttCheck.Broker.Core;

namespace MqttCheck.Broker.Delays;

/// <summary>Holds back the packets of one connection, in order.</summary>
internal sealed class DelayLine
{
    private readonly DelaySchedule _schedule;
    private readonly IDelayedConnection _connection;
    private readonly BrokerTimer _timer;
    private readonly Queue<(long Release, int Length, bool IsAnswer)> _held = new();
    private byte[] _bytes = [];
    private int _first,
        _end;
    private long _lastRelease = long.MinValue;

    /// <summary>A line with nothing in it.</summary>
    /// <param name="schedule">Draws the delays.</param>
    /// <param name="connection">Gets what is due.</param>
    public DelayLine(DelaySchedule schedule, IDelayedConnection connection)
    {
        (_schedule, _connection) = (schedule, connection);
        _timer = new BrokerTimer(this, BrokerTimerKind.HeldDelivery);
    }

    /// <summary>The bytes that are held back.</summary>
    public int PendingBytes => _end - _first;

    /// <summary>Takes a packet.</summary>
    /// <param name="answer">The kind of the packet.</param>
    /// <param name="packet">Copied.</param>
    /// <param name="arrivalNanoseconds">When what caused it arrived.</param>
    public void Send(DelayedAnswer answer, ReadOnlySpan<byte> packet, long arrivalNanoseconds)
    {
        MakeRoom(packet.Length);
        packet.CopyTo(_bytes.AsSpan(_end));
        _end += packet.Length;
        Hold(answer, arrivalNanoseconds, packet.Length);
    }

    /// <summary>Takes the end of the connection.</summary>
    /// <param name="arrivalNanoseconds">When what caused it arrived.</param>
    public void Close(long arrivalNanoseconds) => Hold(DelayedAnswer.Close, arrivalNanoseconds, 0);

    /// <summary>Drops everything: the connection is lost.</summary>
    public void Clear()
    {
        _schedule.HeldAnswers -= _held.Count(held => held.IsAnswer);
        _held.Clear();
        (_first, _end, _bytes) = (0, 0, []);
        _schedule.Cancel(_timer);
    }

    internal void Release(long nowNanoseconds)
    {
        while (_held.TryPeek(out var next))
        {
            if (next.Release > nowNanoseconds)
            {
                _schedule.Set(_timer, next.Release);
                return;
            }
            _held.Dequeue();
            if (next.IsAnswer)
                _schedule.HeldAnswers--;
            if (next.Length == 0)
            {
                Clear();
                _connection.CloseNow();
                return;
            }
            _connection.SendNow(_bytes.AsSpan(_first, next.Length));
            _first += next.Length;
        }
        _first = _end = 0;
    }

    private void Hold(DelayedAnswer answer, long arrivalNanoseconds, int length)
    {
        _lastRelease = _schedule.Draw(answer, arrivalNanoseconds, _lastRelease);
        var isAnswer = answer is not (DelayedAnswer.Publish or DelayedAnswer.Close);
        _held.Enqueue((_lastRelease, length, isAnswer));
        if (isAnswer)
            _schedule.HeldAnswers++;
        if (_held.Count == 1)
            _schedule.Set(_timer, _lastRelease);
    }

    private void MakeRoom(int length)
    {
        if (_bytes.Length - _end >= length)
            return;
        var pending = _bytes.AsSpan(_first, _end - _first);
        if (pending.Length + length <= _bytes.Length / 2)
        {
            pending.CopyTo(_bytes);
        }
        else
        {
            var larger = new byte[Math.Max(256, 2 * (pending.Length + length))];
            pending.CopyTo(larger);
            _bytes = larger;
        }
        (_first, _end) = (0, _end - _first);
    }
}
