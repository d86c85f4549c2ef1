namespace MqttCheck.Brokers.Fleets;

/// <summary>The role of a message that arrived in the run.</summary>
internal enum DeliveryKind : byte
{
    /// <summary>It was awaited, and others of the same publication still are.</summary>
    Awaited,

    /// <summary>It was awaited, and it was the last one.</summary>
    LastAwaited,

    /// <summary>
    /// It was allowed but not awaited: the receiver's subscription or connection changed meanwhile, or the exchange is
    /// over.
    /// </summary>
    Optional,

    /// <summary>The receiver has had it.</summary>
    Repeated,

    /// <summary>The run never published it.</summary>
    Stray,
}
