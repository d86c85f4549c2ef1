namespace MqttCheck.ClusterProtocols.Interest;

/// <summary>A defect put into an overlay on purpose, to measure whether checks find it.</summary>
internal enum OverlayMutant
{
    None,

    /// <summary>Nobody is told that an interest has ended.</summary>
    NoUnsubscribe,

    /// <summary>A node does not clear what neighbours advertised when the tree changes.</summary>
    TablesKept,

    /// <summary>Messages follow the tables, however lately the tree has changed.</summary>
    ChangesNotFlooded,

    /// <summary>The number of trees that a node roots counts as it is at each moment.</summary>
    RootsNotFrozen,

    /// <summary>A link carries a topic whatever members its ends know.</summary>
    NoMembersVersion,

    /// <summary>A node that leaves in order ends at once, and tells nobody.</summary>
    LeavesAtOnce,
}
