namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>The changes of a session that the register records.</summary>
internal enum SessionChangeKind
{
    /// <summary>Its client has connected to a broker.</summary>
    Opened,

    /// <summary>It is over, with its subscriptions.</summary>
    Ended,

    /// <summary>A subscription begins, or has another quality of service.</summary>
    Subscribed,

    /// <summary>A subscription ends.</summary>
    Unsubscribed,
}
