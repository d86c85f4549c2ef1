namespace MqttCheck.Clusters.Transport;

/// <summary>What a node's transport does. Called from within its inputs, in order of time.</summary>
internal interface ITransportOutput
{
    /// <summary>Puts a frame on the wire to a peer.</summary>
    void Send(int peer, in TransportFrame frame, long now);

    /// <summary>Hands a peer's message upward: each once, in the order in which the peer offered them.</summary>
    void Deliver(int peer, long message, long now);

    /// <summary>A message that this node offered has arrived at the peer.</summary>
    void Acknowledged(int peer, long message, long now);
}
