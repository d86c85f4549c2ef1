namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>How a kind of fault names its targets.</summary>
internal enum FaultShape
{
    /// <summary>A node, or any.</summary>
    Node,

    /// <summary>A link by its two ends, or any.</summary>
    Link,

    /// <summary>Sides of nodes: the links between them are hit.</summary>
    Sides,
}
