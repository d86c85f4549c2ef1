namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>The operations that a client can do in a case.</summary>
internal enum CaseVerb
{
    /// <summary>It publishes a message.</summary>
    Publish,

    /// <summary>It subscribes.</summary>
    Subscribe,

    /// <summary>It ends a subscription.</summary>
    Unsubscribe,
}
