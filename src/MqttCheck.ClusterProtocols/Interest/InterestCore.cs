using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.ClusterProtocols.Interest;

/// <summary>
/// One node of the single overlay: one spanning tree of all brokers, over which a message travels only towards those
/// who want it. Three tables say where: tree neighbours (ORT), topics with the neighbours that lead to publishers
/// (SRT), and topics with the neighbours that want them (PRT).
/// </summary>
/// <remarks>
/// A node tells a tree neighbour the topics that are published on its own side of the link, and wants of these what is
/// wanted on its own side. On a tree both sets depend on nodes beyond alone, so the tables become right whatever they
/// were before. Filters with wildcards are matched with the topics that are advertised.
/// </remarks>
internal sealed partial class InterestCore : IClusterCore
{
    private const int MostCarried = 1024;
    private const int Here = -1;

    private readonly int _self;
    private readonly int _nodes;
    private readonly InterestOptions _options;
    private readonly IClusterOutput _output;
    private readonly SpanningTreeCore _tree;
    private readonly int[] _neighbours;
    private readonly int[] _places;
    private readonly bool[] _isUp;
    private readonly LinkRole[] _roles;
    private readonly bool[] _isActive;
    private readonly SeenMessages _seen;
    private readonly Dictionary<string, TopicRoute> _routes = new(StringComparer.Ordinal);
    private readonly HashSet<string> _filters = new(StringComparer.Ordinal);
    private readonly Dictionary<MessageIdentity, int> _carried = [];
    private bool _rolesChanged;
    private long _expiryDue;

    /// <summary>A node that has not started.</summary>
    /// <param name="self">Its index.</param>
    /// <param name="nodes">How many nodes the topology has.</param>
    /// <param name="neighbours">The indices of its neighbours, each once.</param>
    /// <param name="capability">How fit it is to be the root; the highest wins.</param>
    /// <param name="tree">The rules of the tree.</param>
    /// <param name="options">The rules of routing.</param>
    /// <param name="output">The receiver of its outputs.</param>
    public InterestCore(
        int self,
        int nodes,
        IReadOnlyList<int> neighbours,
        double capability,
        SpanningTreeOptions tree,
        InterestOptions options,
        IClusterOutput output
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.TopicLifeNanoseconds, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegative(options.ChangeNanoseconds, nameof(options));
        (_self, _nodes, _options, _output) = (self, nodes, options, output);
        _neighbours = [.. neighbours];
        _places = NeighbourPlaces.Of(nodes, _neighbours);
        _isUp = new bool[_neighbours.Length];
        _roles = new LinkRole[_neighbours.Length];
        _isActive = new bool[_neighbours.Length];
        _leftUntil = new long[_neighbours.Length];
        _heardChanges = new (ulong, long)[nodes];
        _seen = new SeenMessages(nodes);
        _tree = new SpanningTreeCore(self, nodes, neighbours, capability, tree, new TreeOutput(this));
    }

    /// <summary>The topics that are known here, in no order.</summary>
    internal IEnumerable<TopicRoute> Routes => _routes.Values;

    /// <summary>The neighbours' indices, by their places.</summary>
    internal IReadOnlyList<int> Neighbours => _neighbours;

    /// <summary>Whether the neighbour at a place is one in the tree: ORT.</summary>
    internal bool IsTreeNeighbour(int place) => _isActive[place];

    /// <inheritdoc/>
    public long NextDue => Math.Min(_isLeaving ? long.MaxValue : _tree.NextDue, _expiryDue);

    /// <inheritdoc/>
    public void Start(ulong incarnation, long now)
    {
        _routes.Clear();
        _filters.Clear();
        _carried.Clear();
        _seen.Begin(_self, incarnation);
        Array.Clear(_isUp);
        Array.Clear(_roles);
        Array.Clear(_isActive);
        (_rolesChanged, _expiryDue) = (false, long.MaxValue);
        StartChanges(incarnation);
        _tree.Start(incarnation, now);
    }

    /// <inheritdoc/>
    public void LinkUp(int peer, long now)
    {
        _isUp[_places[peer]] = true;
        if (_isLeaving)
            return;
        _tree.LinkUp(peer, now);
        FollowTree(now);
    }

    /// <inheritdoc/>
    public void LinkDown(int peer, LinkEnd why, long now)
    {
        _isUp[_places[peer]] = false;
        if (_isLeaving)
            return;
        if (why == LinkEnd.Silent)
            _tree.Forget(peer, now);
        else
            _tree.LinkDown(peer, why, now);
        FollowTree(now);
    }

    /// <inheritdoc/>
    public void Receive(int peer, in PeerMessage message, long now)
    {
        if (message.Kind == PeerMessageKind.Data)
            Take(_places[peer], message.Data, now);
        else if (message.Kind == PeerMessageKind.Control && InterestMessage.Is(message.ControlKind))
            Hear(_places[peer], message, now);
        else if (!_isLeaving)
        {
            _tree.Receive(peer, message, now);
            FollowTree(now);
        }
    }

    /// <inheritdoc/>
    public void Published(in RoutedMessage message, long now)
    {
        _seen.Add(message);
        var route = RouteOf(message.Topic);
        var isFirst = !route.IsPublishedHere;
        (route.IsPublishedHere, route.LastPublicationAt) = (true, now);
        _expiryDue = Math.Min(_expiryDue, now + _options.TopicLifeNanoseconds);
        if (isFirst && _options.Advertisement == AdvertisementMode.Carry)
            Carry(route, message, now);
        else
        {
            if (isFirst)
                Settle(route);
            Forward(message, Here, now);
        }
        _output.Accept(message.Counter);
    }

    /// <inheritdoc/>
    public void CapabilityChanged(double capability, long now)
    {
        if (_isLeaving)
            return;
        _tree.CapabilityChanged(capability, now);
        FollowTree(now);
    }

    /// <inheritdoc/>
    public void InterestBegan(string filter, long now)
    {
        if (_filters.Add(filter))
            CountFilter(filter, 1);
    }

    /// <inheritdoc/>
    public void InterestEnded(string filter, long now)
    {
        if (_filters.Remove(filter))
            CountFilter(filter, -1);
    }

    /// <inheritdoc/>
    public void Tick(long now)
    {
        if (now >= _expiryDue)
            Expire(now);
        if (!_isLeaving && now >= _tree.NextDue)
        {
            _tree.Tick(now);
            FollowTree(now);
        }
    }

    private void CountFilter(string filter, int change)
    {
        foreach (var route in _routes.Values)
        {
            if (!TopicFilter.Matches(filter, route.Topic))
                continue;
            route.LocalFilters += change;
            Settle(route);
        }
    }

    private void Expire(long now)
    {
        _expiryDue = long.MaxValue;
        foreach (var route in _routes.Values)
        {
            if (!route.IsPublishedHere)
                continue;
            var due = route.LastPublicationAt + _options.TopicLifeNanoseconds;
            if (due > now)
            {
                _expiryDue = Math.Min(_expiryDue, due);
                continue;
            }
            route.IsPublishedHere = false;
            Settle(route);
        }
        ForgetEmpty();
    }

    private TopicRoute RouteOf(string topic)
    {
        if (_routes.TryGetValue(topic, out var route))
            return route;
        route = new TopicRoute(topic, _neighbours.Length);
        foreach (var filter in _filters)
            if (TopicFilter.Matches(filter, topic))
                route.LocalFilters++;
        _routes.Add(topic, route);
        return route;
    }

    private void ForgetEmpty()
    {
        foreach (var (topic, route) in _routes)
            if (route.IsEmpty)
                _routes.Remove(topic);
    }

    /// <summary>Brings what the tree decides to the tables.</summary>
    private sealed class TreeOutput(InterestCore owner) : IClusterOutput
    {
        public void Send(int peer, in PeerMessage message) => owner._output.Send(peer, message);

        public void Deliver(in RoutedMessage message) =>
            throw new InvalidOperationException("The tree of an overlay carries no application messages.");

        public void Accept(long token) =>
            throw new InvalidOperationException("The tree of an overlay takes no publications.");

        public void Note(in ClusterNote note)
        {
            if (note.Kind == ClusterNoteKind.Role)
            {
                owner._roles[owner._places[note.Peer]] = (LinkRole)note.Value;
                owner._rolesChanged = true;
            }
            owner._output.Note(note);
        }
    }
}
