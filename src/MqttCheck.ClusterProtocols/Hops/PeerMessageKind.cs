namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>The kinds of messages that nodes send to each other.</summary>
internal enum PeerMessageKind : byte
{
    /// <summary>An application message.</summary>
    Data,

    /// <summary>A message of the protocol itself.</summary>
    Control,

    /// <summary>PINGREQ.</summary>
    Ping,

    /// <summary>PINGRESP.</summary>
    Pong,
}
