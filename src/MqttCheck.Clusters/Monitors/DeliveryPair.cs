namespace MqttCheck.Clusters.Monitors;

/// <summary>One publication and one client that subscribed to it.</summary>
/// <param name="Message">The number of the message.</param>
/// <param name="Publisher">The index of the client that published it.</param>
/// <param name="Subscriber">The index of the client that subscribed.</param>
/// <param name="Qos">The lower quality of service of the two.</param>
/// <param name="State">Whether the subscriber was certainly owed the message.</param>
/// <param name="IsAcknowledged">Whether the publisher got its acknowledgement.</param>
/// <param name="PublishedNanoseconds">When it was published.</param>
/// <param name="DeliveredNanoseconds">When it came first; null if never.</param>
/// <param name="Deliveries">How often it came.</param>
/// <param name="IsForgotten">Whether the broker forgot the session that it was for.</param>
/// <param name="GrantedNanoseconds">When the subscription was acknowledged.</param>
internal readonly record struct DeliveryPair(
    long Message,
    int Publisher,
    int Subscriber,
    int Qos,
    PairState State,
    bool IsAcknowledged,
    long PublishedNanoseconds,
    long? DeliveredNanoseconds,
    int Deliveries,
    bool IsForgotten = false,
    long GrantedNanoseconds = 0
)
{
    /// <summary>Whether a client may say that it was lost: acknowledged, QoS 1 or 2, and never there.</summary>
    public bool IsLost => IsAcknowledged && Qos > 0 && Deliveries == 0 && State != PairState.Racing;

    /// <summary>Whether its time counts: it came, and no fault and no change of the subscription was near.</summary>
    internal bool IsTimed => State == PairState.Settled && DeliveredNanoseconds is not null;

    /// <summary>How long it took, where it came.</summary>
    internal long TakenNanoseconds => DeliveredNanoseconds!.Value - PublishedNanoseconds;
}
