using System.Collections.Concurrent;
using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>
/// A wire in memory whose clock jumps from event to event: a test of a ten-second deadline takes no time, and every run is the same.
/// Bytes arrive a fixed time after they were sent, up to 10 us longer, differently for each connection, so that no two events fall together by chance.
/// </summary>
public sealed class VirtualWire(long oneWayNanoseconds = 100_000) : IWire
{
    private const int MostEvents = 20_000_000;

    private readonly PriorityQueue<Action, (long Due, long Sequence)> _events = new();
    private readonly HashSet<long> _cancelled = [];
    private readonly Dictionary<IPEndPoint, Func<IWireHandler>> _listeners = [];
    private readonly ConcurrentQueue<Action> _posted = new();
    private readonly List<Connection> _dirty = [];
    private readonly long _oneWay = oneWayNanoseconds;
    private long _sequence, _connections;
    private volatile bool _stopping;

    public long NowNanoseconds { get; private set; } = 1_000_000_000;

    public WireConnection Connect(WireEndpoint endpoint, IWireHandler handler)
    {
        var near = new Connection(this, handler);
        if (!_listeners.TryGetValue(endpoint.Address, out var accept))
        {
            At(NowNanoseconds + _oneWay, () => near.End(CloseReason.Refused, ""));
            return near;
        }
        At(NowNanoseconds + _oneWay, () =>
        {
            if (near.IsEnded) return;
            var far = new Connection(this, accept()) { Peer = near };
            near.Peer = far;
            far.Handler.OnConnected(far, Stamp);
            At(NowNanoseconds + _oneWay, () => near.Open());
        });
        return near;
    }

    public IPEndPoint Listen(IPEndPoint address, Func<IWireHandler> accept)
    {
        _listeners[address] = accept;
        return address;
    }

    /// <summary>Nobody answers at the address any more.</summary>
    public void StopListening(IPEndPoint address) => _listeners.Remove(address);

    /// <summary>Runs an action at a virtual time after now.</summary>
    public void After(TimeSpan time, Action action) => At(NowNanoseconds + time.Ticks * 100, action);

    public long Schedule(IWireHandler handler, long dueNanoseconds, int tag)
    {
        var ticket = _sequence + 1;
        At(Math.Max(dueNanoseconds, NowNanoseconds), () =>
        {
            if (!_cancelled.Remove(ticket)) handler.OnTimer(dueNanoseconds, NowNanoseconds, tag);
        });
        return ticket;
    }

    public void Cancel(long ticket) => _cancelled.Add(ticket);

    public void Post(Action action) => _posted.Enqueue(action);

    public void Run()
    {
        for (var count = 0; !_stopping; count++)
        {
            if (count > MostEvents) throw new InvalidOperationException("The handlers spin: too many events.");
            if (_posted.TryDequeue(out var posted))
            {
                posted();
            }
            else
            {
                if (!_events.TryDequeue(out var next, out var key)) throw new InvalidOperationException("Nothing left to happen: the handlers hang.");
                NowNanoseconds = key.Due;
                next();
            }
            for (var i = 0; i < _dirty.Count; i++) _dirty[i].Flush();
            _dirty.Clear();
        }
        _stopping = false;
    }

    public void Stop() => _stopping = true;

    public void Dispose() { }

    private ArrivalStamp Stamp => new(NowNanoseconds, FromKernel: true);

    private void At(long dueNanoseconds, Action action) => _events.Enqueue(action, (dueNanoseconds, ++_sequence));

    private sealed class Connection(VirtualWire wire, IWireHandler handler) : WireConnection
    {
        private readonly List<byte> _outgoing = [];
        private readonly List<byte> _incoming = [];
        private readonly long _oneWay = wire._oneWay + ++wire._connections * 7919 % 10007;
        private bool _closing, _marked;

        public IWireHandler Handler => handler;

        public Connection? Peer { get; set; }

        public bool IsEnded { get; private set; }

        public override int PendingBytes => _outgoing.Count;

        public override bool ReadingPaused { get; set; }

        public void Open()
        {
            if (!IsEnded) handler.OnConnected(this, wire.Stamp);
        }

        public override void Send(ReadOnlySpan<byte> bytes)
        {
            if (IsEnded || _closing) return;
            _outgoing.AddRange(bytes);
            Mark();
        }

        public override void Close()
        {
            if (IsEnded || _closing) return;
            _closing = true;
            Mark();
            wire.After(TimeSpan.FromSeconds(1), () => End(CloseReason.ClosedHere, ""));
        }

        public override void Abort()
        {
            if (IsEnded) return;
            var peer = Peer;
            if (peer is not null) wire.At(wire.NowNanoseconds + _oneWay, () => peer.End(CloseReason.Reset, ""));
            IsEnded = true;
            wire.At(wire.NowNanoseconds, () => handler.OnClosed(this, CloseReason.ClosedHere, "", wire.Stamp));
        }

        public void End(CloseReason reason, string detail)
        {
            if (IsEnded) return;
            IsEnded = true;
            handler.OnClosed(this, reason, detail, wire.Stamp);
        }

        public void Flush()
        {
            _marked = false;
            if (IsEnded) return;
            var peer = Peer!;
            if (_outgoing.Count > 0)
            {
                var bytes = _outgoing.ToArray();
                _outgoing.Clear();
                wire.At(wire.NowNanoseconds + _oneWay, () => peer.Arrive(bytes));
                handler.OnSent(this, new SendStamp(wire.NowNanoseconds, 0));
            }
            if (_closing) wire.At(wire.NowNanoseconds + _oneWay, () => peer.PeerClosed(this));
        }

        private void Arrive(byte[] bytes)
        {
            if (IsEnded || _closing) return;
            _incoming.AddRange(bytes);
            var consumed = handler.OnBytes(this, System.Runtime.InteropServices.CollectionsMarshal.AsSpan(_incoming), wire.Stamp);
            _incoming.RemoveRange(0, consumed);
        }

        // The end of the peer's bytes ends both sides, as most programs answer it by closing theirs.
        private void PeerClosed(Connection peer)
        {
            var reason = _closing ? CloseReason.ClosedHere : CloseReason.ClosedByPeer;
            End(reason, "");
            wire.At(wire.NowNanoseconds + _oneWay, () => peer.End(CloseReason.ClosedHere, ""));
        }

        private void Mark()
        {
            if (_marked) return;
            _marked = true;
            wire._dirty.Add(this);
        }
    }
}
