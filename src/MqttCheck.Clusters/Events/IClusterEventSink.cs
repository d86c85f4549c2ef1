namespace MqttCheck.Clusters.Events;

/// <summary>Takes the events of one run of a cluster, simulated or live.</summary>
internal interface IClusterEventSink
{
    /// <summary>Takes the next event.</summary>
    /// <param name="clusterEvent">An event that is not earlier than the one before.</param>
    void Add(in ClusterEvent clusterEvent);
}
