namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>Follows one publication over all bridges, copy by copy.</summary>
internal sealed class BridgeTrace
{
    private const int MostCopies = 100_000;

    private readonly Topology _topology;
    private readonly BridgeForwarding _forwarding;
    private readonly int _node;
    private readonly string _topic;
    private readonly int[] _copies;
    private readonly int[] _messages;
    private readonly List<(int Node, string Topic, int Via)> _path = [];
    private readonly int _mostTurns;
    private int _lowestQos = 2;
    private int _total;
    private int[] _loop = [];
    private bool _isGrowing;

    /// <summary>Follows a publication.</summary>
    /// <param name="topology">A topology of bridges.</param>
    /// <param name="node">The node at which it is published.</param>
    /// <param name="topic">Its topic.</param>
    public BridgeTrace(Topology topology, int node, string topic)
    {
        (_topology, _node, _topic) = (topology, node, topic);
        _forwarding = new BridgeForwarding(topology);
        _copies = new int[topology.Nodes.Count];
        _messages = new int[2 * topology.Links.Count];
        // Each turn of a loop that ends uses up a line that renames.
        _mostTurns = 1 + topology.Links.Sum(link => link.Topics.Count);
        Visit(node, topic, -1);
    }

    /// <summary>The route that the trace found.</summary>
    /// <param name="filter">The filter that the topic stands for.</param>
    public BridgeRoute Route(string filter) =>
        new()
        {
            Node = _node,
            Filter = filter,
            Sample = _topic,
            Copies = _copies,
            Messages = _messages,
            LowestQos = _lowestQos,
            Loop = _loop,
            IsGrowing = _isGrowing,
        };

    private void Visit(int node, string topic, int via)
    {
        var start = _path.IndexOf((node, topic, via));
        var turns = start >= 0 ? [] : _path.FindAll(place => (place.Node, place.Via) == (node, via));
        if (start >= 0 || turns.Count > _mostTurns)
        {
            if (_loop.Length == 0)
            {
                _isGrowing = start < 0;
                start = start < 0 ? _path.LastIndexOf(turns[^1]) : start;
                _loop = Circle([.. _path.Skip(start).Select(place => place.Node)]);
            }
            return;
        }
        _copies[node]++;
        if (++_total > MostCopies)
            return;
        _path.Add((node, topic, via));
        foreach (var hop in _forwarding.Next(node, topic, via))
        {
            _messages[2 * hop.Link + (_topology.Links[hop.Link].From == node ? 0 : 1)]++;
            _lowestQos = Math.Min(_lowestQos, (int)hop.Qos);
            Visit(hop.Node, hop.Topic, hop.Link);
        }
        _path.RemoveAt(_path.Count - 1);
    }

    // The same loop is the same list, wherever a publication enters it.
    private static int[] Circle(List<int> nodes)
    {
        var first = nodes.IndexOf(nodes.Min());
        return [.. nodes.Skip(first), .. nodes.Take(first + 1)];
    }
}
