namespace MqttCheck.ClusterProtocols.SpanningTree;

/// <summary>A defect put into the core on purpose, to measure whether checks find it.</summary>
internal enum TreeMutant
{
    None,

    /// <summary>A message also goes back to where it came from.</summary>
    ForwardsToIngress,

    /// <summary>A message from a blocked link is taken.</summary>
    AcceptsFromBlocked,

    /// <summary>A neighbour's BPDU never expires.</summary>
    NoAge,

    /// <summary>A higher epoch is not adopted.</summary>
    EpochNotAdopted,

    /// <summary>The identity of a message is not remembered.</summary>
    IdsNotRemembered,
}
