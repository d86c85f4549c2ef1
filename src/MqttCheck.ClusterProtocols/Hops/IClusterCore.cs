namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The protocol of one node of a cluster as a pure state machine: what happens to the node goes in, what it does comes
/// out through <see cref="IClusterOutput"/>. It has no clock, socket or thread; equal inputs give equal outputs.
/// </summary>
/// <remarks>
/// Not thread-safe. All times are nanoseconds on one clock that never runs backwards. Peers are indices of nodes in the
/// topology. The host calls <see cref="Start"/> first.
/// </remarks>
internal interface IClusterCore
{
    /// <summary>When <see cref="Tick"/> has something to do; <see cref="long.MaxValue"/> for never.</summary>
    long NextDue { get; }

    /// <summary>The node's process begins, or begins anew with nothing remembered.</summary>
    /// <param name="incarnation">A random number that tells this process from those before it.</param>
    /// <param name="now">The time.</param>
    void Start(ulong incarnation, long now);

    /// <summary>The link to a peer works in both directions.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="now">The time.</param>
    void LinkUp(int peer, long now);

    /// <summary>The link to a peer is gone.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="why">How the node came to know.</param>
    /// <param name="now">The time.</param>
    void LinkDown(int peer, LinkEnd why, long now);

    /// <summary>A peer's message has arrived, over the link or by multicast.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="message">The message.</param>
    /// <param name="now">The time.</param>
    void Receive(int peer, in PeerMessage message, long now);

    /// <summary>A client of this node published a message, or its will was published.</summary>
    /// <param name="message">The message, whose origin is this node.</param>
    /// <param name="now">The time.</param>
    void Published(in RoutedMessage message, long now);

    /// <summary>The node is more or less fit to be a root than before.</summary>
    /// <param name="capability">How fit it is now; the highest wins.</param>
    /// <param name="now">The time.</param>
    void CapabilityChanged(double capability, long now) { }

    /// <summary>Another number of clients is connected to this node than before.</summary>
    /// <param name="clients">How many are connected now.</param>
    /// <param name="now">The time.</param>
    void ClientsChanged(int clients, long now) { }

    /// <summary>The first session of this node has subscribed to a filter.</summary>
    /// <param name="filter">The topic filter.</param>
    /// <param name="now">The time.</param>
    void InterestBegan(string filter, long now);

    /// <summary>The last session of this node that had a filter has lost it.</summary>
    /// <param name="filter">The topic filter.</param>
    /// <param name="now">The time.</param>
    void InterestEnded(string filter, long now);

    /// <summary>
    /// The process is about to end in order. Its clients are gone; its neighbours are to do without it.
    /// </summary>
    /// <param name="now">The time.</param>
    /// <returns>Until when the others may still need it.</returns>
    long Leave(long now) => now;

    /// <summary>
    /// Until when a node that leaves stays on because of messages that wait here, beyond the time of
    /// <see cref="Leave"/>; a time in the past where none wait.
    /// </summary>
    long StaysUntil => long.MinValue;

    /// <summary>Does what has become due.</summary>
    /// <param name="now">The time.</param>
    void Tick(long now);
}
