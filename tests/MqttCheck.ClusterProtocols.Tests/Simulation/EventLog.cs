using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>Keeps what happened.</summary>
internal sealed class EventLog : IClusterEventSink
{
    public List<ClusterEvent> Events { get; } = [];

    public void Add(in ClusterEvent happened) => Events.Add(happened);
}
