namespace MqttCheck.Protocol.Packets;

/// <summary>DISCONNECT: the last packet of a connection (section 3.14); 3.1.1: from the client only.</summary>
/// <param name="ReasonCode">Why; MQTT 5 only.</param>
internal sealed record DisconnectPacket(ReasonCode ReasonCode = ReasonCode.Success) : Packet(PacketType.Disconnect)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
