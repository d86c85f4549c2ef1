namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The kinds of decisions that a node's protocol reports to the monitors.</summary>
internal enum ClusterNoteKind
{
    /// <summary>The node takes the peer, or itself, for the root of its tree.</summary>
    Root,

    /// <summary>The peer is the parent; -1 for none. The value is the path cost to the root in nanoseconds.</summary>
    Parent,

    /// <summary>The link to the peer has another role; the value is its number.</summary>
    Role,

    /// <summary>A message from the peer was dropped; the value is the number of the reason.</summary>
    Drop,

    /// <summary>Discovery has entered another state; the value is its number.</summary>
    Discovery,

    /// <summary>The node takes part in a topic's overlay with other members; the value is their version.</summary>
    TopicMembers,

    /// <summary>The peer is the root of a topic's overlay; the value is the version of its members.</summary>
    TopicRoot,

    /// <summary>
    /// The peer is the parent in the tree of a topic's overlay, -1 for none; the value is the version of its members.
    /// </summary>
    TopicParent,
}
