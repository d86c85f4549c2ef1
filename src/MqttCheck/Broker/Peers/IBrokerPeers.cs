using MqttCheck.Broker.Core;
using MqttCheck.Broker.Sessions;

namespace MqttCheck.Broker.Peers;

/// <summary>
/// The brokers that a broker works together with, as its core sees them. Called from within the core's inputs, in
/// order; from within these calls <see cref="BrokerCore.Inject"/> and <see cref="BrokerCore.Accept(long)"/> may be
/// called.
/// </summary>
internal interface IBrokerPeers
{
    /// <summary>A CONNECT calls itself that of a peer, and nothing else forbids it.</summary>
    /// <param name="greeting">The value of its user property <see cref="PeerProtocol.PropertyName"/>.</param>
    /// <param name="peer">The number of the peer, at least 0.</param>
    /// <returns>The value of the same property in CONNACK; null to refuse.</returns>
    string? Greet(string greeting, out int peer);

    /// <summary>
    /// Whether peers mark their CONNECT by the top bit of the protocol level, and may put bytes of their own into
    /// PINGREQ.
    /// </summary>
    bool IsInBand => false;

    /// <summary>Whether bytes inside a PINGREQ are those of a peer; otherwise its connection ends.</summary>
    /// <param name="inside">The bytes after its length, at least one.</param>
    bool IsStatement(ReadOnlySpan<byte> inside) => false;

    /// <summary>A peer's PINGREQ with such bytes has come, and was answered.</summary>
    /// <param name="peer">The number of the peer.</param>
    /// <param name="inside">The bytes, valid during the call only.</param>
    void Pinged(int peer, ReadOnlySpan<byte> inside) { }

    /// <summary>The peer's connection was accepted, and CONNACK was sent.</summary>
    /// <param name="peer">The number of the peer.</param>
    void Connected(int peer);

    /// <summary>The peer's connection has ended.</summary>
    /// <param name="peer">The number of the peer.</param>
    void Disconnected(int peer);

    /// <summary>A PUBLISH of a peer has come, and was acknowledged. A repeated QoS 2 packet is left out.</summary>
    /// <param name="peer">The number of the peer.</param>
    /// <param name="message">The message.</param>
    void Receive(int peer, Message message);

    /// <summary>A client published a message, or its will was published; its local deliveries were made.</summary>
    /// <param name="message">The message.</param>
    /// <param name="token">The number of the publication, from 0.</param>
    /// <returns>Whether the acknowledgement waits for <see cref="BrokerCore.Accept(long)"/>.</returns>
    bool Published(Message message, long token);

    /// <summary>A client was accepted, or the connection of one has ended; peers are no clients.</summary>
    /// <param name="clients">How many are connected now.</param>
    void ClientsChanged(int clients) { }

    /// <summary>The first session has a filter.</summary>
    /// <param name="filter">The topic filter, that of a shared subscription without its group.</param>
    void InterestBegan(string filter);

    /// <summary>The last session that had a filter has lost it.</summary>
    /// <param name="filter">The topic filter.</param>
    void InterestEnded(string filter);
}
