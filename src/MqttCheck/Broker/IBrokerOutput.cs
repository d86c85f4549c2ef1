namespace MqttCheck.Broker;

/// <summary>What the broker's core has done to its connections. Called from within its inputs, in order.</summary>
public interface IBrokerOutput
{
    /// <summary>A packet for a client.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="packet">One whole packet, valid during the call only.</param>
    void Send(int connection, ReadOnlySpan<byte> packet);

    /// <summary>Ends a connection, after what was sent before. The number may be given to another connection from now on.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="reason">Why.</param>
    void Close(int connection, BrokerCloseReason reason);

    /// <summary>Whether so many bytes wait for a client that QoS 0 messages for it are better dropped.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    bool IsCongested(int connection);

    /// <summary>Stops reading from a client for a while.</summary>
    /// <param name="connection">The number given by <see cref="BrokerCore.TryOpen"/>.</param>
    /// <param name="forNanoseconds">How long.</param>
    void PauseReading(int connection, long forNanoseconds);
}
