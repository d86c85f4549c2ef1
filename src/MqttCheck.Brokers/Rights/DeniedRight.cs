namespace MqttCheck.Brokers.Rights;

/// <summary>The subject of a denial, which decides what mends it.</summary>
internal enum DeniedRight
{
    /// <summary>Publishing or subscribing to a topic.</summary>
    Topic,

    /// <summary>A quality of service.</summary>
    QualityOfService,

    /// <summary>Messages that the broker keeps.</summary>
    Retained,
}
