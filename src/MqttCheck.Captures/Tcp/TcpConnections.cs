using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tcp;

/// <summary>The TCP connections of a capture, each from its first segment to its last.</summary>
/// <param name="open">Makes what takes the bytes of a new connection.</param>
/// <param name="counts">Counts what cannot be used.</param>
internal sealed class TcpConnections(Func<FlowKey, TcpBeginning, IConversation> open, CaptureCounts counts)
{
    private const int MostConnections = 1 << 17;
    private const long SweepNanoseconds = 50_000_000;
    private const long LingerNanoseconds = 5_000_000_000;
    private const long IdleNanoseconds = 60_000_000_000;

    private readonly Dictionary<FlowKey, TcpConnection> _connections = [];
    private readonly Queue<(FlowKey Key, TcpConnection Connection)> _over = [];
    private readonly List<TcpConnection> _holding = [];
    private FlowKey _lastKey;
    private TcpConnection? _last;
    private long _now = long.MinValue,
        _nextSweep = long.MinValue;

    /// <summary>Takes a segment.</summary>
    public void Add(in TcpSegment segment)
    {
        counts.Segments++;
        _now = Math.Max(_now, segment.Nanoseconds);
        if (_now >= _nextSweep)
            Sweep();
        var key = FlowKey.Of(segment, out var side);
        if (Find(key, side, segment) is not { } connection)
            return;
        connection.Add(segment, side, counts);
        if (connection is { IsHolding: true, IsListed: false })
        {
            connection.IsListed = true;
            _holding.Add(connection);
        }
        if (connection.IsOver && _last == connection)
        {
            _over.Enqueue((key, connection));
            _last = null;
        }
    }

    /// <summary>The capture ends.</summary>
    public void End()
    {
        foreach (var connection in _connections.Values)
            connection.GiveUp(long.MaxValue, counts);
    }

    private TcpConnection? Find(in FlowKey key, int side, in TcpSegment segment)
    {
        var isFirst = segment is { IsSyn: true, IsAck: false };
        if (!isFirst && _last is not null && _lastKey == key)
            return _last;
        _connections.TryGetValue(key, out var connection);
        // A port that is used again begins anew; the packet itself may be repeated.
        if (connection is not null && isFirst && !connection.BeganWith(side, segment.Sequence))
        {
            connection.BreakOff(counts);
            connection = null;
        }
        if (connection is null)
        {
            if (segment.Length == 0 && !segment.IsSyn)
                return null;
            TcpBeginning beginning =
                !segment.IsSyn ? new(-1, false, null)
                : segment.IsAck ? new(1 - side, true, null)
                : new(side, true, segment.Nanoseconds);
            connection = new(open(key, beginning));
            _connections[key] = connection;
        }
        (_lastKey, _last) = (key, connection);
        return connection;
    }

    private void Sweep()
    {
        _nextSweep = _now + SweepNanoseconds;
        for (var i = _holding.Count - 1; i >= 0; i--)
        {
            var connection = _holding[i];
            connection.GiveUp(_now, counts);
            if (connection.IsHolding)
                continue;
            connection.IsListed = false;
            _holding.RemoveAt(i);
        }
        while (_over.TryPeek(out var over) && _now - over.Connection.LastNanoseconds is > LingerNanoseconds or < 0)
        {
            _over.Dequeue();
            if (_connections.TryGetValue(over.Key, out var known) && known == over.Connection)
                _connections.Remove(over.Key);
        }
        if (_connections.Count > MostConnections)
            DropIdle();
    }

    // The oldest half goes where none is idle for long.
    private void DropIdle()
    {
        _last = null;
        var byAge = _connections.OrderBy(pair => pair.Value.LastNanoseconds).ToList();
        foreach (var (key, connection) in byAge)
        {
            if (_now - connection.LastNanoseconds < IdleNanoseconds && _connections.Count <= MostConnections / 2)
                break;
            connection.BreakOff(counts);
            _connections.Remove(key);
        }
    }
}
