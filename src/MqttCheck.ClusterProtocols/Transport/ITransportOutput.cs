namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>
/// The outputs of a node's transport. The transport calls them in order of time, from within its inputs.
/// </summary>
/// <typeparam name="T">The type of a message.</typeparam>
internal interface ITransportOutput<T>
{
    /// <summary>Puts a frame on the wire to a peer.</summary>
    void Send(int peer, in TransportFrame<T> frame, long now);

    /// <summary>Hands a peer's message upward: each once, in the order in which the peer offered them.</summary>
    void Deliver(int peer, T message, long now);

    /// <summary>A message that this node offered has arrived at the peer.</summary>
    void Acknowledged(int peer, T message, long now);

    /// <summary>
    /// A message that this node offered is given up, because the peer's process has ended: whether it had the message
    /// is unknown. By default nothing follows.
    /// </summary>
    void GivenUp(int peer, T message, long now) { }
}
