namespace MqttCheck.ClusterProtocols.Discovery;

/// <summary>The phases that a node goes through to find other brokers and to link with them.</summary>
internal enum DiscoveryState
{
    /// <summary>It announces itself and collects announcements. Messages flow over the tree that there is.</summary>
    Discovery,

    /// <summary>It is linked with every broker that it knows, and the tree may still change.</summary>
    Tree,

    /// <summary>The tree has stayed as it is for some time.</summary>
    Runtime,
}
