using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>
/// Carries another protocol: its application messages go over a transport, everything else as before. The messages of
/// both pass the same connections, which must lose nothing while they last.
/// </summary>
/// <remarks>
/// Two processes number their messages from the beginning on. So a node says which process it is before it sends
/// anything, and a peer that turns out to be another one is begun with anew.
/// </remarks>
internal sealed class TransportCore : IClusterCore, IClusterOutput, ITransportOutput<RoutedMessage>
{
    private enum StepKind : byte
    {
        Delivered,
        Settled,
    }

    private readonly int _self;
    private readonly TransportDesign _design;
    private readonly IClusterOutput _output;
    private readonly IClusterCore _carried;
    private readonly bool[] _isUp;
    private readonly bool[] _isReady;
    private readonly ulong?[] _processes;
    private readonly Queue<(StepKind Kind, int Peer, RoutedMessage Message)> _steps = new();
    private TransportNode<RoutedMessage> _node;
    private ulong _incarnation;
    private long _now;

    /// <summary>A node that has not started.</summary>
    /// <param name="self">Its index.</param>
    /// <param name="nodes">How many nodes there are.</param>
    /// <param name="design">How the transport queues and acknowledges.</param>
    /// <param name="carried">Makes the protocol that is carried.</param>
    /// <param name="output">The receiver of its outputs.</param>
    public TransportCore(
        int self,
        int nodes,
        TransportDesign design,
        Func<IClusterOutput, IClusterCore> carried,
        IClusterOutput output
    )
    {
        (_self, _design, _output) = (self, design, output);
        (_isUp, _isReady, _processes) = (new bool[nodes], new bool[nodes], new ulong?[nodes]);
        _node = NewNode();
        _carried = carried(this);
    }

    /// <summary>The work that the transport has done.</summary>
    public TransportCounters Counters => _node.Counters;

    /// <inheritdoc/>
    public long NextDue => Math.Min(_carried.NextDue, _node.NextDue);

    /// <inheritdoc/>
    public void Start(ulong incarnation, long now)
    {
        (_incarnation, _now) = (incarnation, now);
        Array.Clear(_isUp);
        Array.Clear(_isReady);
        Array.Clear(_processes);
        _steps.Clear();
        _node = NewNode();
        _node.Start(now);
        _carried.Start(incarnation, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void LinkUp(int peer, long now)
    {
        _now = now;
        _isUp[peer] = true;
        _output.Send(peer, TransportMessages.OfHello(_incarnation, wantsReply: true));
        _carried.LinkUp(peer, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void LinkDown(int peer, LinkEnd why, long now)
    {
        _now = now;
        (_isUp[peer], _isReady[peer]) = (false, false);
        _node.Disconnected(peer, now);
        _carried.LinkDown(peer, why, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void Receive(int peer, in PeerMessage message, long now)
    {
        _now = now;
        if (TransportMessages.Read(message) is { } frame)
            _node.Receive(peer, frame, now);
        else if (message is { Kind: PeerMessageKind.Control, ControlKind: TransportMessages.Hello })
            HearHello(peer, (ulong)message.Fields[0], wantsReply: message.Fields[1] == 1);
        else
            _carried.Receive(peer, message, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void Published(in RoutedMessage message, long now)
    {
        _now = now;
        _carried.Published(message, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void CapabilityChanged(double capability, long now)
    {
        _now = now;
        _carried.CapabilityChanged(capability, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void InterestBegan(string filter, long now)
    {
        _now = now;
        _carried.InterestBegan(filter, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public void InterestEnded(string filter, long now)
    {
        _now = now;
        _carried.InterestEnded(filter, now);
        Follow(now);
    }

    /// <inheritdoc/>
    public long Leave(long now)
    {
        _now = now;
        var due = _carried.Leave(now);
        Follow(now);
        // Four periods are long enough to send missing messages again.
        return _node.HasHandedOn ? due : Math.Max(due, now + (4 * _design.RetransmissionNanoseconds));
    }

    /// <inheritdoc/>
    public long StaysUntil => _carried.StaysUntil;

    /// <inheritdoc/>
    public void Tick(long now)
    {
        _now = now;
        _node.Advance(now);
        if (_carried.NextDue <= now)
            _carried.Tick(now);
        Follow(now);
    }

    void IClusterOutput.Send(int peer, in PeerMessage message)
    {
        if (message.Kind == PeerMessageKind.Data)
            _node.Offer(peer, message.Data, _now);
        else
            _output.Send(peer, message);
    }

    void IClusterOutput.Deliver(in RoutedMessage message) => _output.Deliver(message);

    void IClusterOutput.Accept(long token) => _output.Accept(token);

    void IClusterOutput.Note(in ClusterNote note) => _output.Note(note);

    void ITransportOutput<RoutedMessage>.Send(int peer, in TransportFrame<RoutedMessage> frame, long now) =>
        _output.Send(peer, TransportMessages.Of(frame));

    // The carried protocol may call the transport again, so it hears of a message only after the transport's step.
    void ITransportOutput<RoutedMessage>.Deliver(int peer, RoutedMessage message, long now) =>
        _steps.Enqueue((StepKind.Delivered, peer, message));

    void ITransportOutput<RoutedMessage>.Acknowledged(int peer, RoutedMessage message, long now) =>
        _steps.Enqueue((StepKind.Settled, peer, message));

    void ITransportOutput<RoutedMessage>.GivenUp(int peer, RoutedMessage message, long now) =>
        _steps.Enqueue((StepKind.Settled, peer, message));

    private void Follow(long now)
    {
        while (_steps.TryDequeue(out var step))
        {
            if (step.Kind == StepKind.Settled)
            {
                (_carried as DirectCore)?.Settled(step.Peer, step.Message);
                continue;
            }
            _output.HandedUp(step.Peer, step.Message);
            _carried.Receive(step.Peer, PeerMessage.Of(step.Message), now);
        }
    }

    // A connection may end for one end only, which then asks anew; an answer that is lost is asked for by both.
    private void HearHello(int peer, ulong process, bool wantsReply)
    {
        if (_processes[peer] is { } known && known != process)
            _node.Restarted(peer, _now);
        _processes[peer] = process;
        if (wantsReply)
            _output.Send(peer, TransportMessages.OfHello(_incarnation, wantsReply: false));
        if (!_isUp[peer] || _isReady[peer])
            return;
        _isReady[peer] = true;
        _node.Reconnected(peer, _now);
    }

    private TransportNode<RoutedMessage> NewNode() =>
        new(_design, _self, _isUp.Length, RandomStream.For(_incarnation, (ulong)_self), this);
}
