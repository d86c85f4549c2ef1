namespace MqttCheck.Clusters.Topologies;

/// <summary>Which node a client connects to again after it lost or left its own.</summary>
internal enum ClientReturn
{
    /// <summary>The same one.</summary>
    Same,

    /// <summary>The next broker of the topology, after the last one the first.</summary>
    Next,
}
