using MqttCheck.Broker.Sessions;
using MqttCheck.Clusters.Events;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The connections and the clock that a <see cref="PeerNode"/> uses. The node calls them in order, from within its
/// inputs.
/// </summary>
internal interface IPeerTransport
{
    /// <summary>The time, in nanoseconds on a clock that does not run backwards.</summary>
    long NowNanoseconds { get; }

    /// <summary>
    /// Opens a connection to a peer. <see cref="PeerNode.Opened"/> or <see cref="PeerNode.Ended"/> follows, never from
    /// within this call.
    /// </summary>
    /// <param name="peer">The peer.</param>
    void Open(int peer);

    /// <summary>Sends a whole packet over the connection to a peer.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="packet">The packet, valid during the call only.</param>
    void Send(int peer, ReadOnlySpan<byte> packet);

    /// <summary>Ends the connection to a peer at once; nothing of it is told any more.</summary>
    /// <param name="peer">The peer.</param>
    void Abort(int peer);

    /// <summary>Tells all nodes something by multicast.</summary>
    /// <param name="message">A control message.</param>
    /// <returns>False where nodes have no broadcast domain: their connections serve as it.</returns>
    bool Multicast(in PeerMessage message) => false;

    /// <summary>Delivers a message to the node's own subscribers.</summary>
    /// <param name="content">The message.</param>
    void Inject(Message content);

    /// <summary>Lets the acknowledgement of a publication go.</summary>
    /// <param name="token">The number of the publication.</param>
    void Accept(long token);

    /// <summary>The node's protocol has decided something.</summary>
    /// <param name="note">The decision.</param>
    void Note(in ClusterNote note);

    /// <summary>
    /// An application message was given to the link to a peer (<see cref="ClusterEventKind.Sent"/>), has come over the
    /// one from it (<see cref="ClusterEventKind.Received"/>), or was published by a client of the node.
    /// </summary>
    /// <param name="kind">Which of these.</param>
    /// <param name="peer">The peer; -1 for none.</param>
    /// <param name="message">The message.</param>
    void Passed(ClusterEventKind kind, int peer, in RoutedMessage message) { }

    /// <summary>The node has left: its process may end.</summary>
    void Left() { }

    /// <summary><see cref="PeerNode.NextDue"/> may have changed.</summary>
    void Rearm();
}
