using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>Keeps what happened.</summary>
internal sealed class EventLog : IClusterEventSink
{
    public List<ClusterEvent> Events { get; } = [];

    public void Add(in ClusterEvent happened) => Events.Add(happened);

    /// <summary>The tree as the nodes have told it last.</summary>
    public TreeState Tree(Topology topology)
    {
        var state = new TreeState(topology);
        foreach (var e in Events)
            state.Observe(e);
        return state;
    }
}
