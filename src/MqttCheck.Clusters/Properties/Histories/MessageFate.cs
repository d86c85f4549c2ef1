namespace MqttCheck.Clusters.Properties.Histories;

/// <summary>
/// The fates of a message, from the worst one to the best one. A message with several readers has the worst of theirs.
/// </summary>
internal enum MessageFate
{
    /// <summary>It was acknowledged, and never came to a reader that was owed it.</summary>
    Lost,

    /// <summary>
    /// It did not come, and nobody had promised that: no acknowledgement, QoS 0, or no reader with a settled
    /// subscription.
    /// </summary>
    Unknown,

    /// <summary>It came to a reader more than once.</summary>
    Repeated,

    /// <summary>It came later than the settling time of the run.</summary>
    Late,

    /// <summary>It came to every reader, once and in time.</summary>
    InTime,
}
