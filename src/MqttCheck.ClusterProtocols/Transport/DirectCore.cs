using MqttCheck.ClusterProtocols.Hops;

namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>
/// One node of a cluster whose nodes are all linked to each other: a publication goes straight to the nodes whose
/// clients want it. Its publisher is acknowledged when these have it, so that a full transport holds publishers back.
/// </summary>
/// <param name="self">The index of the node.</param>
/// <param name="nodes">How many nodes there are.</param>
/// <param name="output">The receiver of its outputs.</param>
internal sealed class DirectCore(int self, int nodes, IClusterOutput output) : IClusterCore
{
    private readonly PeerFilters[] _peers = [.. Enumerable.Range(0, nodes).Select(_ => new PeerFilters())];
    private readonly HashSet<string> _own = new(StringComparer.Ordinal);
    private readonly bool[] _isUp = new bool[nodes];
    private readonly Dictionary<long, int> _missing = [];

    /// <inheritdoc/>
    public long NextDue => long.MaxValue;

    /// <inheritdoc/>
    public void Start(ulong incarnation, long now)
    {
        foreach (var peer in _peers)
            peer.BeginAnew(0);
        _own.Clear();
        Array.Clear(_isUp);
        _missing.Clear();
    }

    /// <inheritdoc/>
    public void LinkUp(int peer, long now)
    {
        _isUp[peer] = true;
        output.Send(peer, PeerMessage.Control(TransportMessages.Filters, new ControlFields { [0] = _own.Count }));
        foreach (var filter in _own)
            output.Send(peer, PeerMessage.Control(TransportMessages.FilterBegan, topic: filter));
    }

    /// <inheritdoc/>
    public void LinkDown(int peer, LinkEnd why, long now) =>
        // The filters of the peer stay known, so that messages for it wait for the connection.
        _isUp[peer] = false;

    /// <inheritdoc/>
    public void Receive(int peer, in PeerMessage message, long now)
    {
        if (message.Kind == PeerMessageKind.Data)
        {
            output.Deliver(message.Data.Forwarded());
            return;
        }
        switch (message.ControlKind)
        {
            case TransportMessages.Filters:
                _peers[peer].BeginAnew((int)message.Fields[0]);
                break;
            case TransportMessages.FilterBegan:
                _peers[peer].Add(message.Data.Topic);
                break;
            case TransportMessages.FilterEnded:
                _peers[peer].Remove(message.Data.Topic);
                break;
        }
    }

    /// <inheritdoc/>
    public void Published(in RoutedMessage message, long now)
    {
        var data = PeerMessage.Of(message);
        var count = 0;
        for (var peer = 0; peer < _peers.Length; peer++)
        {
            if (peer == self || !_peers[peer].Match(message.Topic))
                continue;
            count++;
            output.Send(peer, data);
        }
        if (count == 0)
            output.Accept(message.Counter);
        else
            _missing.Add(message.Counter, count);
    }

    /// <summary>The peer has acknowledged a message, or its process has ended and the message is given up.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="message">The message.</param>
    public void Settled(int peer, in RoutedMessage message)
    {
        if (!_missing.TryGetValue(message.Counter, out var left))
            return;
        if (left > 1)
        {
            _missing[message.Counter] = left - 1;
            return;
        }
        _missing.Remove(message.Counter);
        output.Accept(message.Counter);
    }

    /// <inheritdoc/>
    public void InterestBegan(string filter, long now)
    {
        if (_own.Add(filter))
            Tell(TransportMessages.FilterBegan, filter);
    }

    /// <inheritdoc/>
    public void InterestEnded(string filter, long now)
    {
        if (_own.Remove(filter))
            Tell(TransportMessages.FilterEnded, filter);
    }

    /// <inheritdoc/>
    public void Tick(long now)
    {
        // This core sets no timers, because it only reacts to its peers.
    }

    private void Tell(byte kind, string filter)
    {
        for (var peer = 0; peer < _isUp.Length; peer++)
            if (_isUp[peer])
                output.Send(peer, PeerMessage.Control(kind, topic: filter));
    }
}
