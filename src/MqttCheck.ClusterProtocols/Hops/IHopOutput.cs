namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The outputs of a hop. The hop calls them in order, from within its inputs.</summary>
internal interface IHopOutput
{
    /// <summary>Opens a connection; <see cref="PeerHop.Opened"/> or <see cref="PeerHop.Closed"/> follows.</summary>
    void Open(int peer);

    /// <summary>Sends a packet over the connection.</summary>
    void Transmit(int peer, in HopPacket packet);

    /// <summary>The peer has accepted the connection.</summary>
    void Connected(int peer);

    /// <summary>The peer has answered a PINGREQ.</summary>
    void Answered(int peer);
}
