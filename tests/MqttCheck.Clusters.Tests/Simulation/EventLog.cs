using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Simulation;

namespace MqttCheck.Clusters.Tests.Simulation;

/// <summary>Keeps what happened.</summary>
internal sealed class EventLog : ISimulationObserver
{
    public List<ClusterEvent> Events { get; } = [];

    public void Observe(in ClusterEvent happened) => Events.Add(happened);
}
