using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Interest;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.ClusterProtocols.Overlays;

/// <summary>
/// One node of the topic overlays: for each topic the brokers with a publisher or a subscriber of it are members, find
/// each other by pings, and build a spanning tree of their own. A message floods the tree of its topic and leaves all
/// other brokers alone.
/// </summary>
/// <remarks>
/// Every pair of brokers needs a link. While members do not know the same members, messages of the topic wait.
/// </remarks>
internal sealed class TopicOverlayCore : IClusterCore
{
    private readonly int[] _neighbours;
    private readonly int[] _places;
    private readonly bool[] _isUp;
    private readonly SeenMessages _seen;
    private readonly Dictionary<string, TopicOverlay> _topics = new(StringComparer.Ordinal);
    private readonly HashSet<string> _filters = new(StringComparer.Ordinal);
    private long? _leftAt;
    private int _clients;

    /// <summary>A node that has not started.</summary>
    /// <param name="self">Its index.</param>
    /// <param name="nodes">How many nodes the topology has.</param>
    /// <param name="neighbours">The indices of its neighbours, each once: all other nodes.</param>
    /// <param name="capability">How fit it is to be a root; the highest wins.</param>
    /// <param name="options">The rules.</param>
    /// <param name="output">The receiver of its outputs.</param>
    public TopicOverlayCore(
        int self,
        int nodes,
        IReadOnlyList<int> neighbours,
        double capability,
        TopicOverlayOptions options,
        IClusterOutput output
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.MostHeld, nameof(options));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(options.TopicLifeNanoseconds, nameof(options));
        (Self, Nodes, Capability, Options, Output) = (self, nodes, capability, options, output);
        _neighbours = [.. neighbours.Order()];
        _places = NeighbourPlaces.Of(nodes, _neighbours);
        _isUp = new bool[_neighbours.Length];
        _seen = new SeenMessages(nodes);
        NextDue = long.MaxValue;
    }

    /// <inheritdoc/>
    public long NextDue { get; private set; }

    internal int Self { get; }

    internal int Nodes { get; }

    internal TopicOverlayOptions Options { get; }

    internal IClusterOutput Output { get; }

    internal IReadOnlyList<int> Neighbours => _neighbours;

    internal double Capability { get; private set; }

    internal ulong Incarnation { get; private set; }

    /// <summary>The time of the input that is being taken.</summary>
    internal long Now { get; private set; }

    /// <summary>The overlays that this node knows, in no order.</summary>
    internal IEnumerable<TopicOverlay> Topics => _topics.Values;

    /// <summary>
    /// How many clients this node has, or how many filters and published topics they have, as the options say.
    /// </summary>
    internal int ClientCount =>
        Options.Balance.CountsFilters
            ? _filters.Count + _topics.Values.Count(topic => topic.IsPublishedHere)
            : _clients;

    internal bool IsUp(int place) => _isUp[place];

    internal int PlaceOf(int peer) => _places[peer];

    /// <summary>How many trees of other topics this node is the root of.</summary>
    internal int RootedWithout(TopicOverlay except)
    {
        var count = 0;
        foreach (var topic in _topics.Values)
            count += topic != except && topic.Root == Self ? 1 : 0;
        return count;
    }

    /// <summary>How fit this node is at present to be the root of a topic's tree.</summary>
    internal double CapabilityFor(TopicOverlay topic) =>
        Options.Root == RootRule.Capacity ? Capability : -Options.Balance.Of(RootedWithout(topic), ClientCount);

    /// <inheritdoc/>
    public void Start(ulong incarnation, long now)
    {
        (Incarnation, Now, NextDue, _clients) = (incarnation, now, long.MaxValue, 0);
        _leftAt = null;
        _topics.Clear();
        _filters.Clear();
        _seen.Begin(Self, incarnation);
        Array.Clear(_isUp);
    }

    /// <inheritdoc/>
    public void LinkUp(int peer, long now)
    {
        Now = now;
        _isUp[_places[peer]] = true;
        foreach (var topic in _topics.Values)
            topic.Meet(_places[peer]);
    }

    /// <inheritdoc/>
    public void LinkDown(int peer, LinkEnd why, long now)
    {
        Now = now;
        _isUp[_places[peer]] = false;
        foreach (var topic in _topics.Values)
        {
            topic.Lose(_places[peer], why, now);
            Rearm(topic);
        }
    }

    /// <inheritdoc/>
    public void Receive(int peer, in PeerMessage message, long now)
    {
        Now = now;
        if (message.Kind == PeerMessageKind.Data)
        {
            Take(peer, message.Data, now);
            return;
        }
        if (message.Kind != PeerMessageKind.Control || !TopicMessage.Is(message.ControlKind))
            return;
        var topic = TopicOf(message.Data.Topic);
        topic.Hear(_places[peer], message, now);
        // A subscriber with a wildcard joins each topic that it hears of.
        topic.Follow(now);
        Rearm(topic);
    }

    /// <inheritdoc/>
    public void Published(in RoutedMessage message, long now)
    {
        Now = now;
        _seen.Add(message);
        var topic = TopicOf(message.Topic);
        (topic.IsPublishedHere, topic.LastPublicationAt) = (true, now);
        topic.Follow(now);
        topic.Take(TopicOverlay.Here, message, now);
        Rearm(topic);
        Output.Accept(message.Counter);
    }

    /// <inheritdoc/>
    /// <remarks>It counts when the members of a topic change, as all that elects a root does.</remarks>
    public void CapabilityChanged(double capability, long now) => (Capability, Now) = (capability, now);

    /// <inheritdoc/>
    public void ClientsChanged(int clients, long now) => (_clients, Now) = (clients, now);

    /// <inheritdoc/>
    public void InterestBegan(string filter, long now)
    {
        Now = now;
        if (!_filters.Add(filter))
            return;
        var isTopic = filter.AsSpan().IndexOfAny('+', '#') < 0;
        var isKnown = _topics.ContainsKey(filter);
        if (isTopic && !isKnown)
        {
            // A new topic counts all filters that match it, this one included.
            Follow(TopicOf(filter), 0, now);
            return;
        }
        foreach (var topic in _topics.Values)
            if (TopicFilter.Matches(filter, topic.Topic))
                Follow(topic, 1, now);
    }

    /// <inheritdoc/>
    public void InterestEnded(string filter, long now)
    {
        Now = now;
        if (!_filters.Remove(filter))
            return;
        foreach (var topic in _topics.Values)
            if (TopicFilter.Matches(filter, topic.Topic))
                Follow(topic, -1, now);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Members learn that this node is none any more. A topic whose messages wait here is left when they flow.
    /// </remarks>
    public long Leave(long now)
    {
        Now = now;
        if (Options.Mutant == OverlayMutant.LeavesAtOnce)
            return now;
        _filters.Clear();
        var mustStay = false;
        foreach (var topic in _topics.Values)
        {
            topic.Leave(now);
            Rearm(topic);
            mustStay |= topic.MustStay;
        }
        _leftAt = now;
        return mustStay ? now + ChangeNanoseconds : now;
    }

    /// <inheritdoc/>
    /// <remarks>Members that join meanwhile let all begin anew; three changes are waited for.</remarks>
    public long StaysUntil =>
        _leftAt is { } left && _topics.Values.Any(topic => topic.MustStay)
            ? left + (3 * ChangeNanoseconds)
            : long.MinValue;

    private long ChangeNanoseconds => OverlaySettings.ChangeNanoseconds(Options.Tree.KeepAliveNanoseconds / 1e9);

    /// <inheritdoc/>
    public void Tick(long now)
    {
        Now = now;
        NextDue = long.MaxValue;
        foreach (var topic in _topics.Values)
        {
            if (topic.NextDue <= now)
                topic.Tick(now);
            Rearm(topic);
            if (topic.IsEmpty)
                _topics.Remove(topic.Topic);
        }
    }

    private void Follow(TopicOverlay topic, int change, long now)
    {
        topic.LocalFilters += change;
        topic.Follow(now);
        Rearm(topic);
    }

    private void Rearm(TopicOverlay topic) => NextDue = Math.Min(NextDue, topic.NextDue);

    private void Take(int peer, in RoutedMessage received, long now)
    {
        var message = received.Forwarded();
        if (_seen.Contains(message))
        {
            Drop(peer, DropReason.Seen);
            return;
        }
        // A node that has left the overlay has nobody to give it to.
        if (!_topics.TryGetValue(message.Topic, out var topic) || !topic.IsMember)
        {
            Drop(peer, DropReason.Blocked);
            return;
        }
        _seen.Add(message);
        if (!_seen.IsOfEarlierProcess(message))
            Output.Deliver(message);
        topic.Take(_places[peer], message, now);
        Rearm(topic);
    }

    private TopicOverlay TopicOf(string name)
    {
        if (_topics.TryGetValue(name, out var topic))
            return topic;
        topic = new TopicOverlay(this, name);
        foreach (var filter in _filters)
            if (TopicFilter.Matches(filter, name))
                topic.LocalFilters++;
        _topics.Add(name, topic);
        return topic;
    }

    private void Drop(int peer, DropReason reason) =>
        Output.Note(new ClusterNote(ClusterNoteKind.Drop, peer, (long)reason));
}
