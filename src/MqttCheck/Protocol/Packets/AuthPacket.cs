namespace MqttCheck.Protocol.Packets;

/// <summary>AUTH: a step of enhanced authentication (MQTT 5, section 3.15).</summary>
/// <param name="ReasonCode">Success, continue or re-authenticate.</param>
internal sealed record AuthPacket(ReasonCode ReasonCode = ReasonCode.Success) : Packet(PacketType.Auth)
{
    /// <summary>The properties; MQTT 5 only.</summary>
    public PacketProperties Properties { get; init; } = PacketProperties.Empty;
}
