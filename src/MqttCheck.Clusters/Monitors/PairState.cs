namespace MqttCheck.Clusters.Monitors;

/// <summary>
/// The states of a pair of a publication and a subscription: whether the subscriber was certainly owed the message.
/// </summary>
internal enum PairState
{
    /// <summary>
    /// Settled: the subscription stood long enough before the publication, lasted until after it,
    /// and no fault was near.
    /// </summary>
    Settled,

    /// <summary>The subscription stood, but a fault was near.</summary>
    NearFault,

    /// <summary>
    /// The client subscribed or unsubscribed near the publication: either outcome is right. A subscription that the
    /// broker forgot is no such end.
    /// </summary>
    Racing,
}
