namespace MqttCheck.Clusters.Topologies;

/// <summary>The traits that tell cluster systems apart.</summary>
[Flags]
internal enum SystemTraits
{
    /// <summary>None of these.</summary>
    None = 0,

    /// <summary>The nodes are MqttCheck's own.</summary>
    Own = 1,

    /// <summary>A file may say how nodes find each other and route, or that clients draw their topics.</summary>
    OverlaySettings = 2,

    /// <summary>Nodes elect a root and span a tree.</summary>
    Elects = 4,

    /// <summary>Nodes discover each other and route by interest.</summary>
    Overlay = 8,

    /// <summary>Neighbours speak plain hops: a transport may replace them, and their bytes are simulated.</summary>
    PlainHops = 16,

    /// <summary>
    /// Without a fault the messages of a publisher on a topic keep their order between nodes: each goes one way, and
    /// what carries it is in order.
    /// </summary>
    KeepsOrder = 32,

    /// <summary>
    /// All nodes have one memory of retained messages, which has a message before its publisher is acknowledged.
    /// </summary>
    RetainedLinearizable = 64,

    /// <summary>
    /// Each node has its own memory of retained messages, and all are told of each. So they hold the same ones when
    /// nobody has published for some time.
    /// </summary>
    RetainedConverges = 128,
}
