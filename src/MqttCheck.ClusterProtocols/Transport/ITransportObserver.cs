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
}
