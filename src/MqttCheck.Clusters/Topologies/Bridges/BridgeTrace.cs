namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>
/// Follows one publication over all bridges. A place is a broker, the bridge that brought the message, and its topic.
/// Each place is followed once, however many copies come to it.
/// </summary>
/// <remarks>
/// Bridges change the beginning of a topic only. So a publication never ends in two cases alone. A place comes again on
/// its own way; or the way goes on as before with a longer topic, whose longer rest no line of any bridge tells from
/// the shorter one. Topics are words without modular counting for a filter, so each way that grows comes to the second
/// case after as many rounds as the longest filter has levels.
/// </remarks>
internal sealed class BridgeTrace
{
    private const int MostPlaces = 20_000;

    // Behind a loop only what is reached counts.
    private const int MostBehindLoop = 2000;

    private readonly Topology _topology;
    private readonly BridgeForwarding _forwarding;
    private readonly Dictionary<BridgePlace, BridgeEffect> _effects = [];
    private readonly Dictionary<BridgePlace, int> _onPath = [];
    private readonly List<Step> _path = [];
    private readonly BridgePlace _start;
    private readonly BridgeEffect _reached;
    private int _behindLoop;
    private (int Node, BridgeHop Hop)[] _loop = [];
    private bool _isGrowing;

    /// <summary>Follows a publication.</summary>
    /// <param name="topology">A topology of bridges.</param>
    /// <param name="node">The node at which it is published.</param>
    /// <param name="topic">Its topic.</param>
    /// <exception cref="InputException">It makes too many different copies to follow them.</exception>
    public BridgeTrace(Topology topology, int node, string topic)
        : this(topology, new BridgeForwarding(topology), node, topic) { }

    /// <summary>Follows one publication of several.</summary>
    /// <param name="topology">A topology of bridges.</param>
    /// <param name="forwarding">Its bridges.</param>
    /// <param name="node">The node at which it is published.</param>
    /// <param name="topic">Its topic.</param>
    /// <exception cref="InputException">It makes too many different copies to follow them.</exception>
    public BridgeTrace(Topology topology, BridgeForwarding forwarding, int node, string topic)
    {
        (_topology, _start) = (topology, new(node, -1, topic));
        _forwarding = forwarding;
        _reached = new(topology);
        Follow();
    }

    /// <summary>The route that the trace found.</summary>
    /// <param name="filter">The filter that the topic stands for.</param>
    public BridgeRoute Route(string filter)
    {
        var effect = _loop.Length > 0 ? _reached : _effects[_start];
        return new()
        {
            Node = _start.Node,
            Filter = filter,
            Sample = _start.Topic,
            Copies = effect.Copies,
            Messages = effect.Messages,
            LowestQos = _reached.LowestQos,
            Loop = [.. _loop.Select(step => step.Node), .. _loop.Take(1).Select(step => step.Node)],
            Round = [.. _loop.Select(step => step.Hop)],
            IsGrowing = _isGrowing,
        };
    }

    private void Follow()
    {
        Enter(_start);
        while (_path.Count > 0)
        {
            var step = _path[^1];
            if (step.Next == step.Hops.Count)
            {
                Leave(step);
                continue;
            }
            var hop = step.Hops[step.Next++];
            _reached.Pass(hop);
            var place = new BridgePlace(hop.Node, hop.Way, hop.Topic);
            if (_effects.TryGetValue(place, out var known))
                step.Effect.Add(known, hop.Way);
            else if (LoopTo(place) is { } start)
                Loop(start, isGrowing: !_onPath.ContainsKey(place));
            else
                Enter(place);
        }
    }

    private void Enter(BridgePlace place)
    {
        if (_effects.Count + _path.Count > MostPlaces)
            throw new InputException(
                $"{_topology.Name}: a publication on '{_start.Topic}' at {_topology.Nodes[_start.Node].Name} makes "
                    + $"more than {MostPlaces} different copies, which are not followed; allowed: bridges that make "
                    + "fewer."
            );
        _onPath[place] = _path.Count;
        var effect = new BridgeEffect(_topology);
        effect.Copies[place.Node] = _reached.Copies[place.Node] = 1;
        IReadOnlyList<BridgeHop> hops =
            _loop.Length > 0 && ++_behindLoop > MostBehindLoop
                ? []
                : [.. _forwarding.Next(place.Node, place.Topic, place.Via)];
        _path.Add(new(place, hops, effect));
    }

    private void Leave(Step step)
    {
        _path.RemoveAt(_path.Count - 1);
        _onPath.Remove(step.Place);
        _effects[step.Place] = step.Effect;
        if (_path.Count == 0)
            return;
        _path[^1].Effect.Add(step.Effect, step.Place.Via);
    }

    // The place on the path from which the way repeats itself for ever, if it does.
    private int? LoopTo(BridgePlace place)
    {
        if (_onPath.TryGetValue(place, out var again))
            return again;
        // The shortest rest of the topic that the way since then has left alone.
        var rest = int.MaxValue;
        for (var start = _path.Count - 1; start >= 0; start--)
        {
            var step = _path[start];
            rest = Math.Min(rest, step.Hops[step.Next - 1].Kept);
            var earlier = step.Place;
            if ((earlier.Node, earlier.Via) != (place.Node, place.Via) || earlier.Topic.Length >= place.Topic.Length)
                continue;
            var changed = earlier.Topic.Length - rest;
            if (
                place.Topic.StartsWith(earlier.Topic[..changed], StringComparison.Ordinal)
                && AreAlike(earlier.Topic[changed..], place.Topic[changed..])
            )
                return start;
        }
        return null;
    }

    private bool AreAlike(string one, string other) =>
        Array.TrueForAll(
            _forwarding.Filters,
            filter => FilterStates.Of(filter, one).AsSpan().SequenceEqual(FilterStates.Of(filter, other))
        );

    private void Loop(int start, bool isGrowing)
    {
        if (_loop.Length > 0)
            return;
        _isGrowing = isGrowing;
        var steps = _path.Skip(start).Select(step => (step.Place.Node, step.Hops[step.Next - 1])).ToList();
        // The same loop is the same list, wherever a publication enters it.
        var first = steps.FindIndex(step => step.Node == steps.Min(other => other.Node));
        _loop = [.. steps.Skip(first), .. steps.Take(first)];
    }

    private sealed class Step(BridgePlace place, IReadOnlyList<BridgeHop> hops, BridgeEffect effect)
    {
        public BridgePlace Place => place;

        public IReadOnlyList<BridgeHop> Hops => hops;

        public BridgeEffect Effect => effect;

        public int Next { get; set; }
    }
}
