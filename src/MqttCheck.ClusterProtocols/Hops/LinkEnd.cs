namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>How a node came to know that a link is gone.</summary>
internal enum LinkEnd
{
    /// <summary>The system reported that the connection is closed.</summary>
    Closed,

    /// <summary>The peer has not answered for too long.</summary>
    Silent,
}
