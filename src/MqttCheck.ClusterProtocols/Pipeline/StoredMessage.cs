namespace MqttCheck.ClusterProtocols.Pipeline;

/// <summary>A message of a persistent session, as the store keeps it.</summary>
/// <param name="PacketId">Its packet identifier; 0 for a message that is not stored.</param>
/// <param name="Score">Its place: messages are sent in the order of their scores.</param>
/// <param name="Message">The message.</param>
internal readonly record struct StoredMessage(ushort PacketId, long Score, PipelineMessage Message)
{
    /// <summary>Whether its client has it (PUBREC), so that only its release (PUBREL) is sent again.</summary>
    public bool IsReceived { get; init; }
}
