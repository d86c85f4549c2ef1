using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>
/// One node of a spanning tree of brokers, after "MQTT-ST: a spanning tree protocol for distributed MQTT brokers".
/// Neighbours exchange statements (BPDU) about the root, the path cost to it and the parent; application messages flow
/// over the links of the tree.
/// </summary>
/// <remarks>
/// The best root has the highest capability, then the lowest number. Without election every link is used, and messages
/// flood the topology as it was configured.
/// </remarks>
internal sealed partial class SpanningTreeCore : IClusterCore
{
    private const long Millisecond = 1_000_000;
    private const int Self = -1;

    private readonly int _id;
    private readonly int _nodes;
    private double _capability;
    private readonly SpanningTreeOptions _options;
    private readonly bool _isSafe;
    private readonly IClusterOutput _output;
    private readonly TreeNeighbour[] _neighbours;
    private readonly int[] _places;
    private readonly SeenMessages _seen;
    private long _epoch;
    private double _rootCapability;
    private int _root;
    private long _cost;
    private int _hops;
    private int _parent;
    private long _nextStatement;
    private long _silenceDue;

    /// <summary>A node that has not started.</summary>
    /// <param name="self">Its index.</param>
    /// <param name="nodes">How many nodes the topology has.</param>
    /// <param name="neighbours">The indices of its neighbours, each once.</param>
    /// <param name="capability">How fit it is to be the root; the highest wins.</param>
    /// <param name="options">The rules.</param>
    /// <param name="output">The receiver of its outputs.</param>
    public SpanningTreeCore(
        int self,
        int nodes,
        IReadOnlyList<int> neighbours,
        double capability,
        SpanningTreeOptions options,
        IClusterOutput output
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.KeepAliveNanoseconds, nameof(options));
        (_id, _nodes, _capability, _options, _output) = (self, nodes, capability, options, output);
        _isSafe = options.Rules == TreeRules.Safe;
        _neighbours = [.. neighbours.Select(peer => new TreeNeighbour { Peer = peer })];
        _places = NeighbourPlaces.Of(nodes, neighbours);
        _seen = new SeenMessages(nodes);
    }

    /// <inheritdoc/>
    public long NextDue => Math.Min(_nextStatement, _silenceDue);

    /// <inheritdoc/>
    public void Start(ulong incarnation, long now)
    {
        foreach (ref var neighbour in _neighbours.AsSpan())
            neighbour.Forget();
        _seen.Begin(_id, incarnation);
        _epoch = 0;
        (_root, _parent) = (int.MinValue, int.MinValue);
        Decide(_capability, _id, 0, 0, Self);
        var spread = RandomStream.For(incarnation, (ulong)_id).NextDouble() * _options.FirstStatementSpread;
        _nextStatement = _options.Elects ? now + (long)spread : long.MaxValue;
        _silenceDue = long.MaxValue;
    }

    /// <inheritdoc/>
    public void LinkUp(int peer, long now)
    {
        ref var neighbour = ref _neighbours[_places[peer]];
        (neighbour.IsUp, neighbour.IsSilent) = (true, false);
        neighbour.PingedAt = TreeNeighbour.Unknown;
        if (!_options.Elects)
        {
            SetRoles();
            return;
        }
        Ping(ref neighbour, now);
        // A statement that came before the link counted as up is a fresh one: LinkDown has forgotten older ones.
        if (Select(now) && _isSafe)
            StateToAll();
        else if (_isSafe)
            StateTo(neighbour);
    }

    /// <inheritdoc/>
    public void LinkDown(int peer, LinkEnd why, long now)
    {
        ref var neighbour = ref _neighbours[_places[peer]];
        var wasUp = neighbour.IsUp;
        neighbour.IsUp = false;
        neighbour.IsSilent = why == LinkEnd.Silent;
        neighbour.HasLast = false;
        neighbour.PingedAt = TreeNeighbour.Unknown;
        if (!wasUp)
            return;
        if (!_options.Elects)
        {
            SetRoles();
            return;
        }
        _epoch++;
        Reset();
        if (_options.Rules != TreeRules.Silent)
            StateToAll(topologyChange: true);
    }

    /// <summary>
    /// A peer that was silent for long is forgotten. An epoch in which it has said nothing holds nothing of it, so it
    /// needs no successor: nodes that notice one after the other rebuild the tree once.
    /// </summary>
    internal void Forget(int peer, long now)
    {
        ref var neighbour = ref _neighbours[_places[peer]];
        if (neighbour.HasLast || neighbour.Role != LinkRole.Blocked)
            LinkDown(peer, LinkEnd.Silent, now);
        (neighbour.IsUp, neighbour.IsSilent, neighbour.PingedAt) = (false, false, TreeNeighbour.Unknown);
        SetRoles();
    }

    /// <inheritdoc/>
    public void Receive(int peer, in PeerMessage message, long now)
    {
        ref var from = ref _neighbours[_places[peer]];
        if (from.IsSilent)
            LinkUp(peer, now);
        switch (message.Kind)
        {
            case PeerMessageKind.Data:
                Take(ref from, message.Data);
                break;
            case PeerMessageKind.Control when message.ControlKind == Bpdu.ControlKind:
                Hear(ref from, Bpdu.From(message), now);
                break;
            case PeerMessageKind.Pong:
                TakeRoundTrip(ref from, now);
                break;
        }
    }

    /// <inheritdoc/>
    /// <remarks>
    /// A root that is less fit than it said needs a new epoch, because its old statements would be better than all
    /// others until they are too old. In all other cases the new statement is the better one.
    /// </remarks>
    public void CapabilityChanged(double capability, long now)
    {
        var isWorseRoot = _root == _id && capability < _capability;
        _capability = capability;
        if (!_options.Elects)
            return;
        if (isWorseRoot)
        {
            _epoch++;
            Reset();
        }
        else
            Select(now);
        if (_options.Rules != TreeRules.Silent)
            StateToAll(topologyChange: isWorseRoot);
    }

    /// <inheritdoc/>
    public void InterestBegan(string filter, long now)
    {
        // Every message reaches every node, whoever wants it.
    }

    /// <inheritdoc/>
    public void InterestEnded(string filter, long now)
    {
        // Every message reaches every node, whoever wants it.
    }

    /// <inheritdoc/>
    public void Tick(long now)
    {
        if (now >= _silenceDue)
            FindSilent(now);
        if (now < _nextStatement)
            return;
        _nextStatement = now + _options.KeepAliveNanoseconds;
        Select(now);
        foreach (ref var neighbour in _neighbours.AsSpan())
        {
            if (!neighbour.IsUp)
                continue;
            var pings = neighbour.PingedAt == TreeNeighbour.Unknown;
            if (!pings || !_options.IsInBand)
                StateTo(neighbour);
            if (pings)
                Ping(ref neighbour, now);
        }
    }

    private void FindSilent(long now)
    {
        _silenceDue = long.MaxValue;
        foreach (ref var neighbour in _neighbours.AsSpan())
        {
            if (!neighbour.IsUp || neighbour.PingedAt == TreeNeighbour.Unknown)
                continue;
            var due = neighbour.PingedAt + _options.Silence;
            if (due <= now)
                LinkDown(neighbour.Peer, LinkEnd.Silent, now);
            else
                _silenceDue = Math.Min(_silenceDue, due);
        }
    }

    private void Ping(ref TreeNeighbour neighbour, long now)
    {
        neighbour.PingedAt = now;
        _silenceDue = Math.Min(_silenceDue, now + _options.Silence);
        _output.Send(
            neighbour.Peer,
            _options.IsInBand ? PeerMessage.PingWith(StatementTo(neighbour, topologyChange: false)) : PeerMessage.Ping
        );
    }

    // One cost for both ends: the end with the lower number measures, the other takes it from its statements.
    private void TakeRoundTrip(ref TreeNeighbour from, long now)
    {
        if (from.PingedAt == TreeNeighbour.Unknown)
            return;
        from.Smooth(now - from.PingedAt);
        from.PingedAt = TreeNeighbour.Unknown;
        if (_id > from.Peer || !IsAnotherCost(from.RoundTrip, from.Cost))
            return;
        var isNews = from.Cost == TreeNeighbour.Unknown;
        from.Cost = from.RoundTrip;
        if (!_isSafe)
            return;
        if (Select(now, keepsParent: !isNews))
            StateToAll();
        else
            StateTo(from);
    }

    private static bool IsAnotherCost(long roundTrip, long cost) =>
        cost == TreeNeighbour.Unknown || Math.Abs(roundTrip - cost) > Math.Max(Millisecond, cost / 10);

    private void Hear(ref TreeNeighbour from, in Bpdu bpdu, long now)
    {
        if (_isSafe && bpdu.Epoch < _epoch)
        {
            StateTo(from);
            return;
        }
        var isNewEpoch = _isSafe && bpdu.Epoch > _epoch && _options.Mutant != TreeMutant.EpochNotAdopted;
        if (isNewEpoch)
        {
            _epoch = bpdu.Epoch;
            Reset();
        }
        else if (bpdu.TopologyChange && _options.Rules == TreeRules.Paper)
            Reset();
        var isNews = !from.HasLast || from.Last.Root != bpdu.Root || from.Cost == TreeNeighbour.Unknown;
        (from.Last, from.LastAt, from.HasLast) = (bpdu, now, true);
        if (from.Peer < _id && bpdu.LinkCost != TreeNeighbour.Unknown)
            from.Cost = bpdu.LinkCost;
        var hasChanged = Select(now, keepsParent: !isNews);
        if (_isSafe && (hasChanged || isNewEpoch))
            StateToAll();
    }

    private void Reset()
    {
        foreach (ref var neighbour in _neighbours.AsSpan())
            neighbour.HasLast = false;
        Decide(_capability, _id, 0, 0, Self);
    }

    private void StateToAll(bool topologyChange = false)
    {
        foreach (ref var neighbour in _neighbours.AsSpan())
            StateTo(neighbour, topologyChange);
    }

    private void StateTo(in TreeNeighbour neighbour, bool topologyChange = false)
    {
        if (!neighbour.IsUp)
            return;
        _output.Send(neighbour.Peer, StatementTo(neighbour, topologyChange));
    }

    private PeerMessage StatementTo(in TreeNeighbour neighbour, bool topologyChange)
    {
        var bpdu = new Bpdu
        {
            Epoch = _epoch,
            RootCapability = _rootCapability,
            Root = _root,
            Cost = _cost,
            Hops = _hops,
            Parent = _parent,
            SenderCapability = _capability,
            LinkCost = neighbour.Cost,
            TopologyChange = topologyChange,
        };
        return bpdu.ToMessage();
    }
}
