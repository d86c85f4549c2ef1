namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>Sees what the clients of a simulated transport offer and get.</summary>
internal interface ITransportObserver
{
    /// <summary>A client of a node offers a message for a peer. Each ordered pair numbers its own, from 0.</summary>
    void Offered(int node, int peer, long message, long now);

    /// <summary>A node hands a peer's message upward.</summary>
    void Delivered(int node, int peer, long message, long now);

    /// <summary>A node hears that a message has arrived at the peer.</summary>
    void Acknowledged(int node, int peer, long message, long now);

    /// <summary>A node hears how many messages wait at a peer; 0 where a new connection makes it forget.</summary>
    void Heard(int node, int peer, int waiting, long now);

    /// <summary>A node sends the message with a number to a peer, first or again.</summary>
    void Sent(int node, int peer, long sequence, long now);

    /// <summary>The message with a number arrives at a node from a peer.</summary>
    void Arrived(int node, int peer, long sequence, long now);

    /// <summary>A node asks a peer for messages that are missing.</summary>
    /// <param name="node">The node.</param>
    /// <param name="peer">The peer.</param>
    /// <param name="first">The first number that it asks for.</param>
    /// <param name="last">The last one.</param>
    /// <param name="now">The time.</param>
    void Asked(int node, int peer, long first, long last, long now);
}
