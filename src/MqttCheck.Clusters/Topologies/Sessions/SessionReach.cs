namespace MqttCheck.Clusters.Topologies.Sessions;

/// <summary>How far brokers that work together agree on what clients of several of them share.</summary>
internal enum SessionReach
{
    /// <summary>Nobody has said it: the brokers are the user's own.</summary>
    Unknown,

    /// <summary>The brokers do not know it at all.</summary>
    Nowhere,

    /// <summary>Each node for itself, as a broker of its own.</summary>
    Node,

    /// <summary>All nodes together, as if they were one broker.</summary>
    Cluster,
}
