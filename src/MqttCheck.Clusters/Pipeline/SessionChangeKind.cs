namespace MqttCheck.Clusters.Pipeline;

/// <summary>What becomes of a session.</summary>
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
