namespace MqttCheck.Captures.Messages;

/// <summary>Takes the MQTT packets of all connections of a capture.</summary>
internal interface IMqttListener
{
    /// <summary>A packet passed.</summary>
    void Packet(MqttConversation conversation, in SeenPacket packet);

    /// <summary>Packets passed that nobody can tell: bytes are missing.</summary>
    /// <param name="conversation">Between whom.</param>
    /// <param name="fromClient">The sender.</param>
    /// <param name="nanoseconds">When the last of them had passed.</param>
    void Lost(MqttConversation conversation, bool fromClient, long nanoseconds);

    /// <summary>A side sends no more.</summary>
    void Closed(MqttConversation conversation, bool byClient, long nanoseconds);
}
