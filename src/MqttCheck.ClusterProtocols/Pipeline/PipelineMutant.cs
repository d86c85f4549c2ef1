namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>A rule that is broken on purpose, to see that a check finds it.</summary>
internal enum PipelineMutant
{
    /// <summary>All rules hold.</summary>
    None,

    /// <summary>A message's score is its packet identifier, so the order breaks where these start again.</summary>
    ScoreIsPacketId,

    /// <summary>
    /// The last packet identifier is read from the highest score where something is stored, so it does not start again.
    /// </summary>
    IdFromScore,

    /// <summary>The publisher gets its acknowledgement before the log has the message.</summary>
    AcknowledgeBeforeAppend,

    /// <summary>The log hears that a pack is done before the store has it.</summary>
    CommitBeforeStore,

    /// <summary>The store takes a message again that a stage hands on twice.</summary>
    StoreAgain,

    /// <summary>A message of QoS 2 is released before the store knows that its client has it.</summary>
    ReleaseBeforeStore,
}
