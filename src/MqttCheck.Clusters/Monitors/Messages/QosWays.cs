using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Protocol;

namespace MqttCheck.Clusters.Monitors.Messages;

/// <summary>
/// The quality of service that the way from one node to another leaves a message. Within a node that is all of it.
/// Bridges lower it to that of their lines, and some brokers know less than QoS 2.
/// </summary>
internal sealed class QosWays
{
    private static readonly int[] s_all = [2];
    private static readonly int[] s_any = [0, 1, 2];

    // NATS before 2.10 and RabbitMQ deliver what was published with QoS 2 with QoS 1.
    private static readonly int[] s_lowered = [1, 2];

    private readonly Topology _topology;
    private readonly BridgeForwarding? _bridges;
    private readonly bool _isRaised;
    private readonly Dictionary<(int From, int To, string Topic), int[]> _known = [];

    /// <summary>The ways of a cluster.</summary>
    public QosWays(Topology topology)
    {
        _topology = topology;
        _bridges = topology.HasBridges ? new BridgeForwarding(topology) : null;
        // Such a broker delivers with the QoS of the subscription, or with less than anybody asked for.
        _isRaised = topology.Nodes.Any(node =>
            node.Options.ContainsKey("upgrade_outgoing_qos") || node.Options.ContainsKey("max_qos")
        );
    }

    /// <summary>Whether deliveries can be judged at all.</summary>
    public bool AreKnown => !_isRaised;

    /// <summary>
    /// The highest QoS that a message may have behind each way, one for each way that has another one; none if nothing
    /// is known.
    /// </summary>
    /// <param name="from">The node that it is published to.</param>
    /// <param name="to">The node that delivers it.</param>
    /// <param name="topic">Its topic.</param>
    public IReadOnlyList<int> Between(int from, int to, string topic)
    {
        if (_topology.System is ClusterSystem.Nats or ClusterSystem.RabbitMq)
            return s_lowered;
        if (_bridges is null)
        {
            // Nobody knows what joins the brokers of a user.
            var isUnknown = _topology.System is ClusterSystem.Exec or ClusterSystem.Running && from != to;
            return isUnknown ? s_any : s_all;
        }
        if (!_known.TryGetValue((from, to, topic), out var levels))
            _known[(from, to, topic)] = levels = Follow(_bridges, from, to, topic);
        return levels;
    }

    private int[] Follow(BridgeForwarding bridges, int from, int to, string topic)
    {
        var levels = new SortedSet<int>();
        var start = (Place: new BridgePlace(from, -1, topic), Qos: MostAt(from));
        var seen = new HashSet<(BridgePlace Place, int Qos)> { start };
        var waiting = new Queue<(BridgePlace Place, int Qos)>(seen);
        while (waiting.TryDequeue(out var here))
        {
            if (here.Place.Node == to)
                levels.Add(here.Qos);
            foreach (var hop in bridges.Next(here.Place.Node, here.Place.Topic, here.Place.Via))
            {
                var next = (
                    new BridgePlace(hop.Node, hop.Way, hop.Topic),
                    Math.Min(here.Qos, Math.Min((int)hop.Qos, MostAt(hop.Node)))
                );
                if (seen.Count < BridgeReach.MostPlaces && seen.Add(next))
                    waiting.Enqueue(next);
            }
        }
        return [.. levels];
    }

    private int MostAt(int node) => BridgePeers.Of(_topology.Nodes[node].Broker).MostQos;
}
