using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>Keeps what happened.</summary>
internal sealed class EventLog : ISimulationObserver
{
    public List<ClusterEvent> Events { get; } = [];

    public void Observe(in ClusterEvent happened) => Events.Add(happened);
}
