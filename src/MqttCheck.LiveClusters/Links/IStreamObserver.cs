using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Links;

/// <summary>Is told of the bytes of relayed connections, on the thread of the links.</summary>
internal interface IStreamObserver
{
    /// <summary>A connection was accepted.</summary>
    void Opened(RelayedConnection connection, long nanoseconds);

    /// <summary>Bytes came, and are passed on.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isForward">Whether the end that opened it has sent them.</param>
    /// <param name="bytes">The bytes; valid only during the call.</param>
    /// <param name="nanoseconds">When they came.</param>
    void Passed(RelayedConnection connection, bool isForward, ReadOnlySpan<byte> bytes, long nanoseconds);

    /// <summary>An end was closed, or could not be made.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isForward">Whether it is the end that opened the connection.</param>
    /// <param name="reason">Why.</param>
    /// <param name="detail">The system's own words, or empty.</param>
    /// <param name="nanoseconds">When.</param>
    void Ended(RelayedConnection connection, bool isForward, CloseReason reason, string detail, long nanoseconds);
}
