using MqttCheck.Protocol;

namespace MqttCheck.Broker.Core;

/// <summary>
/// Receives the outputs of the broker's core to its connections. The core calls it from within its inputs, in order.
/// </summary>
internal interface IBrokerOutput
{
    /// <summary>A client's CONNECT was accepted. CONNACK follows.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="clientId">The client identifier, the client's own or assigned.</param>
    /// <param name="version">The protocol version.</param>
    void Accepted(int connection, string clientId, ProtocolVersion version);

    /// <summary>A packet for a client.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="packet">One whole packet, valid during the call only.</param>
    void Send(int connection, ReadOnlySpan<byte> packet);

    /// <summary>
    /// Ends a connection, after what was sent before. The number may be given to another connection from now on.
    /// </summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="reason">Why.</param>
    void Close(int connection, BrokerCloseReason reason);

    /// <summary>
    /// Whether so many bytes wait for a client that no more messages should be sent to it: QoS 0 messages are then
    /// dropped, others wait until the host calls <see cref="BrokerCore.Drained"/>, which it does some time after it has
    /// answered yes.
    /// </summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    bool IsCongested(int connection);

    /// <summary>Stops reading from a client for a while.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="forNanoseconds">How long.</param>
    void PauseReading(int connection, long forNanoseconds);
}
