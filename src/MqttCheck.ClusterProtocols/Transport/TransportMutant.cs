namespace MqttCheck.ClusterProtocols.Transport;

/// <summary>A rule that is broken on purpose, to see that a check finds it.</summary>
internal enum TransportMutant
{
    /// <summary>All rules hold.</summary>
    None,

    /// <summary>A node acknowledges the highest number that it has seen, whatever is missing below it.</summary>
    AcknowledgesOverGaps,

    /// <summary>A node takes new messages although it has heard that a peer is overloaded.</summary>
    NeverHoldsBack,
}
