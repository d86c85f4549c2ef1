namespace MqttCheck.Brokers.Wire;

/// <summary>Why a connection ended, or was never made.</summary>
public enum CloseReason : byte
{
    /// <summary>The peer closed it in order.</summary>
    ClosedByPeer,

    /// <summary>The peer reset it, or the network broke it.</summary>
    Reset,

    /// <summary>This side closed or aborted it.</summary>
    ClosedHere,

    /// <summary>Nobody answers at the address.</summary>
    Refused,

    /// <summary>The connection, or its TLS or WebSocket handshake, was not completed in time.</summary>
    ConnectTimeout,

    /// <summary>The TLS or WebSocket handshake failed.</summary>
    HandshakeFailed,

    /// <summary>More bytes wait to be sent than the connection may hold.</summary>
    SendBufferFull,

    /// <summary>This machine lacks something: descriptors, ports, memory.</summary>
    LocalFailure,
}
