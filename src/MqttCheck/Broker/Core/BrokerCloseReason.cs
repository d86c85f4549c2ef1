namespace MqttCheck.Broker.Core;

/// <summary>Why the broker ends a connection.</summary>
internal enum BrokerCloseReason : byte
{
    /// <summary>The client sent DISCONNECT.</summary>
    Disconnected,

    /// <summary>The client's CONNECT was refused.</summary>
    Refused,

    /// <summary>The client broke a rule of the protocol.</summary>
    ProtocolError,

    /// <summary>Another connection took the session over.</summary>
    TakenOver,

    /// <summary>
    /// The client was silent for longer than 1.5 times its keep alive, or did not send CONNECT in time.
    /// </summary>
    Silent,

    /// <summary>A limit of the broker, such as the number of connections.</summary>
    Limit,

    /// <summary>A disturbance that was asked for.</summary>
    Disturbance,

    /// <summary>The broker is shutting down.</summary>
    ShuttingDown,
}
