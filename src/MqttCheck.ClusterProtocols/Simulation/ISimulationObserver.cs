using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Who is told what happens in a simulated cluster, in order of time.</summary>
internal interface ISimulationObserver
{
    /// <summary>Something has happened.</summary>
    /// <param name="happened">What.</param>
    void Observe(in ClusterEvent happened);
}
