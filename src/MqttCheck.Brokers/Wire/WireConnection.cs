namespace MqttCheck.Brokers.Wire;

/// <summary>One connection of a wire. Used only from the wire's own thread.</summary>
public abstract class WireConnection
{
    /// <summary>
    /// Queues bytes to be sent. Everything queued during one batch of events leaves in one call to the socket at its
    /// end.
    /// </summary>
    /// <param name="bytes">
    /// Copied before the call returns. Dropped when the connection has ended or <see cref="Close"/> was called.
    /// </param>
    public abstract void Send(ReadOnlySpan<byte> bytes);

    /// <summary>Bytes queued or accepted but not yet taken by the socket: the measure of back-pressure.</summary>
    public abstract int PendingBytes { get; }

    /// <summary>
    /// Sends the queued bytes, then ends this side of the connection in order (FIN).
    /// <see cref="IWireHandler.OnClosed"/> follows when the peer has ended its side too, or after a second without
    /// progress. Further bytes of the peer are read and dropped.
    /// </summary>
    public abstract void Close();

    /// <summary>
    /// Ends the connection at once (RST) and drops queued bytes. <see cref="IWireHandler.OnClosed"/> follows before the
    /// batch ends.
    /// </summary>
    public abstract void Abort();

    /// <summary>
    /// Whether bytes are read. While paused the peer's bytes stay in the system's buffers, which causes back-pressure.
    /// Unconsumed bytes are offered again after the pause.
    /// </summary>
    public abstract bool ReadingPaused { get; set; }
}
