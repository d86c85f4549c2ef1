namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>Why a node dropped a peer's message: the value of such a note.</summary>
internal enum DropReason
{
    /// <summary>It has seen the message before.</summary>
    Seen,

    /// <summary>The link is not part of the tree.</summary>
    Blocked,

    /// <summary>It has crossed more links than a path through all nodes has.</summary>
    HopLimit,

    /// <summary>Too many messages of its topic wait for the members of the overlay to agree.</summary>
    HoldFull,
}
