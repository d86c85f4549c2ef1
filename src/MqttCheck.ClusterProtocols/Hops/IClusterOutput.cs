namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The outputs of a node's protocol. The protocol calls them in order, from within its inputs.</summary>
internal interface IClusterOutput
{
    /// <summary>Stands for all nodes that hear a multicast.</summary>
    const int Everyone = -1;

    /// <summary>Sends a message to a peer whose link is up, or to all nodes.</summary>
    /// <param name="peer">The peer; <see cref="Everyone"/> for a control message by multicast.</param>
    /// <param name="message">The message, valid during the call only.</param>
    void Send(int peer, in PeerMessage message);

    /// <summary>Delivers a peer's message to this node's own subscribers.</summary>
    /// <param name="message">The message, valid during the call only.</param>
    void Deliver(in RoutedMessage message);

    /// <summary>Lets the publisher's acknowledgement go.</summary>
    /// <param name="token">The <see cref="RoutedMessage.Counter"/> of the publication.</param>
    void Accept(long token);

    /// <summary>Says what the protocol has decided; monitors read it.</summary>
    /// <param name="note">The decision.</param>
    void Note(in ClusterNote note);

    /// <summary>
    /// A hop with a queue of its own hands a peer's message to the protocol now. Without such a queue that is when the
    /// message arrives, and nothing is said.
    /// </summary>
    /// <param name="peer">The peer.</param>
    /// <param name="message">The message, valid during the call only.</param>
    void HandedUp(int peer, in RoutedMessage message) { }
}
