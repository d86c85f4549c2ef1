using MqttCheck.Clusters.Events;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// Takes the events of a live run while they happen: of its clients, of relays, and of faults. Called from one thread,
/// in the order in which they were seen; times may be some microseconds out of order.
/// </summary>
internal interface IClusterEventSink
{
    /// <summary>Takes an event.</summary>
    /// <param name="clusterEvent">The event.</param>
    void Append(in ClusterEvent clusterEvent);
}
