namespace MqttCheck.Clusters.Events;

/// <summary>The kinds of events that monitors observe in a cluster.</summary>
internal enum ClusterEventKind
{
    /// <summary>A client of the node published a message.</summary>
    Published,

    /// <summary>The publisher got its acknowledgement.</summary>
    Acknowledged,

    /// <summary>A subscription of a client of the node was granted.</summary>
    Subscribed,

    /// <summary>A subscription of a client of the node ended.</summary>
    Unsubscribed,

    /// <summary>A client of the node received a message.</summary>
    Delivered,

    /// <summary>A message entered the directed link from the node to the peer.</summary>
    Sent,

    /// <summary>A message left the directed link and reached the node from the peer.</summary>
    Received,

    /// <summary>The node dropped a message, which the note explains.</summary>
    Dropped,

    /// <summary>A fault began at the node, or on the link between node and peer.</summary>
    FaultBegan,

    /// <summary>That fault ended.</summary>
    FaultEnded,

    /// <summary>
    /// The bridges of the node, or those between node and peer, were seen to work again after that fault.
    /// </summary>
    BridgesRestored,

    /// <summary>The node took another node, or itself, for its root.</summary>
    RootChanged,

    /// <summary>The node chose another parent; the peer is the parent.</summary>
    ParentChanged,

    /// <summary>The node changed the role of its link to the peer.</summary>
    RoleChanged,

    /// <summary>The longest receive queue that the node has had; the value is its length.</summary>
    QueueLength,

    /// <summary>The longest send queue that the node has had; the value is its length.</summary>
    SendQueueLength,

    /// <summary>
    /// The node asked the peer to send messages again; the message is the first number that it asked for, and the value
    /// the last one.
    /// </summary>
    GapRequested,

    /// <summary>
    /// A session that should have outlived its connection was gone when its client came back, with its subscriptions.
    /// </summary>
    SessionForgotten,

    /// <summary>The node said that it had a session of the client, which never had one there.</summary>
    SessionInvented,

    /// <summary>The node's discovery entered another state; the value is its number.</summary>
    DiscoveryChanged,

    /// <summary>The node knows other members of a topic's overlay; the value is their version.</summary>
    TopicMembersChanged,

    /// <summary>The node took the peer for the root of a topic's overlay; the value is the members' version.</summary>
    TopicRootChanged,

    /// <summary>
    /// The node took the peer for its parent in the tree of a topic's overlay; the value is the members' version.
    /// </summary>
    TopicParentChanged,

    /// <summary>A connection of the client to the node was accepted; a load's client has subscribed by then.</summary>
    Connected,

    /// <summary>A connection of the client to the node ended.</summary>
    Disconnected,

    /// <summary>The connection of the client broke, so that its will is owed, which is the message.</summary>
    WillOwed,

    /// <summary>The client disconnected in order, so that nobody may get its will, which is the message.</summary>
    WillDiscarded,

    /// <summary>
    /// The node opened a connection to the peer, over which it may send again what was not acknowledged.
    /// </summary>
    LinkOpened,
}
