namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>The roles that a link can have in a node's tree.</summary>
internal enum LinkRole
{
    /// <summary>The link is not part of the tree: nothing is sent over it or taken from it.</summary>
    Blocked,

    /// <summary>The link leads to the parent.</summary>
    Root,

    /// <summary>The link leads away from the root.</summary>
    Designated,
}
