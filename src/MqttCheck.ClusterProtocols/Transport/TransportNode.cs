using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>
/// The transport of one node to all its peers, as a pure state machine: a send queue, a receive queue, a task for each.
/// Messages and frames go in with the time, frames and messages come out.
/// </summary>
/// <remarks>
/// Not thread-safe. Times are nanoseconds on a clock that never runs backwards. The tasks take exponential times.
/// A free slot of the send queue goes to a producer or to the receiving task with its acknowledgement, with equal
/// probability where both wait, as with a lock that keeps no order. A message is sent again only if there is room. Gap
/// requests pass neither queue. Messages for a peer without a connection wait, and take no slot.
/// </remarks>
/// <typeparam name="T">The type of a message.</typeparam>
/// <param name="design">How it queues and acknowledges.</param>
/// <param name="self">The number of this node.</param>
/// <param name="nodes">How many nodes there are, numbered from 0.</param>
/// <param name="random">The stream of its times.</param>
/// <param name="output">The receiver of its outputs.</param>
internal sealed class TransportNode<T>(
    TransportDesign design,
    int self,
    int nodes,
    RandomStream random,
    ITransportOutput<T> output
)
{
    private const long Second = 1_000_000_000;
    private const long TimerNanoseconds = 50_000_000;

    private readonly TransportDesign _design = design;
    private readonly ITransportOutput<T> _output = output;
    private readonly TransportPeer<T>[] _peers = [.. Enumerable.Range(0, nodes).Select(_ => new TransportPeer<T>())];
    private readonly int _self = self;
    private Queue<Slot> _sendQueue = new();
    private Queue<Arrival> _receiveQueue = new();
    private Queue<Offered> _offers = new();
    private RandomStream _random = random;
    private TransportCounters _counters;
    private int? _acknowledgementWaits;
    private long _sendDue = long.MaxValue;
    private long _receiveDue = long.MaxValue;
    private long _timerDue = TimerNanoseconds;

    /// <summary>When <see cref="Advance"/> has something to do.</summary>
    public long NextDue => Math.Min(_timerDue, Math.Min(_sendDue, _receiveDue));

    public TransportCounters Counters => _counters;

    /// <summary>Whether the peers that can be reached have all that was offered.</summary>
    public bool HasHandedOn =>
        _offers.Count == 0 && Array.TrueForAll(_peers, peer => peer.IsAway || !peer.Unacknowledged.Any());

    private bool HasRoom => _sendQueue.Count < _design.SendQueueCapacity;

    /// <summary>
    /// The process begins on a clock that does not begin with it, and without a connection to any peer.
    /// </summary>
    public void Start(long now)
    {
        _timerDue = now + TimerNanoseconds;
        foreach (var peer in _peers)
            peer.IsAway = true;
    }

    /// <summary>A producer offers a message; it waits where the send queue is full or a peer is overloaded.</summary>
    public void Offer(int peer, T message, long now)
    {
        Advance(now);
        if (_peers[peer].IsAway)
            _peers[peer].Parked.Enqueue(message);
        else
            _offers.Enqueue(new Offered(peer, message));
        Admit(now);
    }

    /// <summary>A frame has arrived.</summary>
    public void Receive(int peer, in TransportFrame<T> frame, long now)
    {
        Advance(now);
        _peers[peer].ReceiveQueueLength = frame.ReceiveQueueLength;
        switch (frame.Kind)
        {
            case TransportFrameKind.Data:
                Enqueue(new Arrival(peer, frame.Sequence, frame.Message!), now);
                break;
            case TransportFrameKind.Acknowledgement:
                while (_peers[peer].TryForget(frame.Sequence, out var message))
                    _output.Acknowledged(peer, message, now);
                break;
            case TransportFrameKind.GapRequest:
                for (var sequence = frame.Sequence; sequence <= frame.Last; sequence++)
                {
                    if (_peers[peer].IsOnTheWire(sequence))
                        SendAgain(peer, sequence, now);
                }
                break;
        }
        Admit(now);
    }

    /// <summary>The connection to a peer was lost and is there again; what was on the wire is gone.</summary>
    public void Reconnected(int peer, long now)
    {
        Advance(now);
        _peers[peer].MarkLost();
        _peers[peer].IsAway = false;
        while (_peers[peer].Parked.TryDequeue(out var message))
            _offers.Enqueue(new Offered(peer, message));
        // The peer may have heard that the receive queue is long, but not that it is short again.
        SendAcknowledgement(peer, now);
        Admit(now);
    }

    /// <summary>The connection to a peer was lost: nothing is sent to it until <see cref="Reconnected"/>.</summary>
    public void Disconnected(int peer, long now)
    {
        Advance(now);
        _peers[peer].MarkLost();
        _peers[peer].IsAway = true;
        // At the head of the queue, offers to this peer would hold up those to others.
        foreach (var offer in _offers.Where(offer => offer.Peer == peer))
            _peers[peer].Parked.Enqueue(offer.Message);
        _offers = new Queue<Offered>(_offers.Where(offer => offer.Peer != peer));
        Admit(now);
    }

    /// <summary>
    /// The peer is a new process, which knows nothing, so both ends number anew. Messages that the former process had
    /// not acknowledged are given up. Messages from it that still wait are dropped.
    /// </summary>
    public void Restarted(int peer, long now)
    {
        Advance(now);
        var former = _peers[peer];
        _peers[peer] = new TransportPeer<T> { IsAway = former.IsAway, Parked = former.Parked };
        _sendQueue = new Queue<Slot>(_sendQueue.Where(slot => slot.Peer != peer));
        if (_sendQueue.Count == 0)
            _sendDue = long.MaxValue;
        var wasOverloaded = _design.UnboundedReceiveQueue && _receiveQueue.Count > _design.ShedLength;
        _receiveQueue = new Queue<Arrival>(_receiveQueue.Where(arrival => arrival.Peer != peer));
        if (wasOverloaded && _receiveQueue.Count <= _design.ShedLength)
            AnnounceReadiness(now);
        if (_receiveQueue.Count == 0)
            _receiveDue = long.MaxValue;
        if (_acknowledgementWaits == peer)
            _acknowledgementWaits = null;
        foreach (var message in former.Unacknowledged)
            _output.GivenUp(peer, message, now);
        StartReceive(now);
        Admit(now);
    }

    /// <summary>Does what has become due, each at its own time.</summary>
    public void Advance(long now)
    {
        for (var due = NextDue; due <= now; due = NextDue)
        {
            if (due == _sendDue)
                CompleteSend(due);
            else if (due == _receiveDue)
                CompleteReceive(due);
            else
                SendAgainWhatIsOverdue(due);
        }
    }

    private void CompleteSend(long now)
    {
        var slot = _sendQueue.Dequeue();
        _sendDue = _sendQueue.Count > 0 ? now + Duration(_design.SendsPerSecond) : long.MaxValue;
        if (slot.IsAcknowledgement)
            SendAcknowledgement(slot.Peer, now);
        else if (_peers[slot.Peer].IsAway)
            _peers[slot.Peer].Lose(slot.Sequence);
        else if (_peers[slot.Peer].TryGet(slot.Sequence, out var message))
        {
            _peers[slot.Peer].Stamp(slot.Sequence, now);
            _counters.DataFrames++;
            _counters.Retransmissions += slot.IsAgain ? 1 : 0;
            var frame = new TransportFrame<T>
            {
                Kind = TransportFrameKind.Data,
                Sequence = slot.Sequence,
                Message = message,
                ReceiveQueueLength = _receiveQueue.Count,
            };
            _output.Send(slot.Peer, frame, now);
        }
        Admit(now);
    }

    private void CompleteReceive(long now)
    {
        var arrival = _receiveQueue.Dequeue();
        _receiveDue = long.MaxValue;
        if (_design.UnboundedReceiveQueue && _receiveQueue.Count == _design.ShedLength)
            AnnounceReadiness(now);
        var peer = _peers[arrival.Peer];
        if (peer.Take(arrival.Sequence, arrival.Message, out var missingFrom))
        {
            _counters.Received++;
            while (peer.TryNext(out var message))
            {
                _counters.Delivered++;
                _output.Deliver(arrival.Peer, message, now);
            }
            if (missingFrom > 0)
                AskFor(arrival.Peer, missingFrom, arrival.Sequence - 1, now);
        }
        if (_design.SeparateAcknowledgements)
            SendAcknowledgement(arrival.Peer, now);
        else
            _acknowledgementWaits = arrival.Peer;
        Admit(now);
        StartReceive(now);
    }

    // Producers that an overloaded peer holds back do not wait for a slot, so an acknowledgement may pass them.
    private void Admit(long now)
    {
        while (HasRoom)
        {
            var offer = _offers.TryPeek(out var first) && !IsHeldBack() ? first : (Offered?)null;
            if (_acknowledgementWaits is { } peer && (offer is null || _random.NextDouble() < .5))
            {
                _acknowledgementWaits = null;
                Add(new Slot(peer, 0, IsAcknowledgement: true, IsAgain: false), now);
                StartReceive(now);
            }
            else if (offer is { } admitted)
            {
                _offers.Dequeue();
                var sequence = _peers[admitted.Peer].Register(admitted.Message);
                Add(new Slot(admitted.Peer, sequence, IsAcknowledgement: false, IsAgain: false), now);
            }
            else
                return;
        }
    }

    private bool IsHeldBack() =>
        _design.UnboundedReceiveQueue
        && _design.Mutant != TransportMutant.NeverHoldsBack
        && _peers.Any(peer => peer.ReceiveQueueLength > _design.ShedLength);

    private void Add(in Slot slot, long now)
    {
        _sendQueue.Enqueue(slot);
        _counters.LongestSendQueue = Math.Max(_counters.LongestSendQueue, _sendQueue.Count);
        if (_sendDue == long.MaxValue)
            _sendDue = now + Duration(_design.SendsPerSecond);
    }

    private void Enqueue(in Arrival arrival, long now)
    {
        if (!_design.UnboundedReceiveQueue && _receiveQueue.Count >= _design.ReceiveQueueCapacity)
        {
            _counters.Dropped++;
            return;
        }
        _receiveQueue.Enqueue(arrival);
        _counters.LongestReceiveQueue = Math.Max(_counters.LongestReceiveQueue, _receiveQueue.Count);
        StartReceive(now);
    }

    private void StartReceive(long now)
    {
        if (_receiveDue == long.MaxValue && _acknowledgementWaits is null && _receiveQueue.Count > 0)
            _receiveDue = now + Duration(_design.ReceivesPerSecond);
    }

    private void SendAcknowledgement(int peer, long now)
    {
        var frame = new TransportFrame<T>
        {
            Kind = TransportFrameKind.Acknowledgement,
            Sequence =
                _design.Mutant == TransportMutant.AcknowledgesOverGaps ? _peers[peer].Highest : _peers[peer].Contiguous,
            ReceiveQueueLength = _receiveQueue.Count,
        };
        _output.Send(peer, frame, now);
    }

    // A peer that is held back may have nothing under way whose acknowledgement would tell it.
    private void AnnounceReadiness(long now)
    {
        for (var peer = 0; peer < _peers.Length; peer++)
        {
            if (peer != _self && !_peers[peer].IsAway)
                SendAcknowledgement(peer, now);
        }
    }

    private void AskFor(int peer, long first, long last, long now)
    {
        var frame = new TransportFrame<T>
        {
            Kind = TransportFrameKind.GapRequest,
            Sequence = first,
            Last = last,
            ReceiveQueueLength = _receiveQueue.Count,
        };
        _output.Send(peer, frame, now);
    }

    private void SendAgainWhatIsOverdue(long now)
    {
        _timerDue = now + TimerNanoseconds;
        for (var peer = 0; peer < _peers.Length; peer++)
        {
            if (_peers[peer].IsAway)
                continue;
            foreach (var sequence in _peers[peer].SentBefore(now - _design.RetransmissionNanoseconds))
            {
                if (!HasRoom)
                    return;
                SendAgain(peer, sequence, now);
            }
        }
    }

    private void SendAgain(int peer, long sequence, long now)
    {
        if (!HasRoom)
            return;
        _peers[peer].Stamp(sequence, TransportPeer<T>.InQueue);
        Add(new Slot(peer, sequence, IsAcknowledgement: false, IsAgain: true), now);
    }

    private long Duration(double perSecond) => (long)(-Math.Log(_random.NextOpenDouble()) * Second / perSecond);

    private readonly record struct Slot(int Peer, long Sequence, bool IsAcknowledgement, bool IsAgain);

    private readonly record struct Arrival(int Peer, long Sequence, T Message);

    private readonly record struct Offered(int Peer, T Message);
}
