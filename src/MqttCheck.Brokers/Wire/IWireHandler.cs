namespace MqttCheck.Brokers.Wire;

/// <summary>
/// Handles the events of a connection. A client or a served connection is a state machine behind these calls, without a
/// thread or task of its own. All calls for one wire come from one thread, one at a time.
/// </summary>
public interface IWireHandler
{
    /// <summary>The connection is ready for MQTT bytes (after any TLS and WebSocket handshake).</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="stamp">When it became ready.</param>
    void OnConnected(WireConnection connection, in ArrivalStamp stamp);

    /// <summary>Bytes have arrived.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="bytes">All bytes not yet consumed, in order; valid only during the call.</param>
    /// <param name="stamp">When the newest of them arrived.</param>
    /// <returns>How many bytes were consumed; the rest comes again, with more behind it.</returns>
    int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp);

    /// <summary>
    /// The bytes queued by <see cref="WireConnection.Send"/> since the last such call, or a first part of them, were
    /// handed to the socket. The default does nothing.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="stamp">When.</param>
    void OnSent(WireConnection connection, in SendStamp stamp) { }

    /// <summary>
    /// The connection has ended, or could not be made. Called exactly once for every <see cref="IWire.Connect"/> or
    /// accepted connection; nothing follows it.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <param name="reason">Why.</param>
    /// <param name="detail">The system's own words, or empty.</param>
    /// <param name="stamp">When the end was seen.</param>
    void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp);
}
