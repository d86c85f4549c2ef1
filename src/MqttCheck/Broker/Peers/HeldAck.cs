using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Peers;

/// <summary>PUBACK or PUBREC that waits until peers accept the publication, or until those before it go.</summary>
/// <param name="session">The publisher.</param>
/// <param name="type">PUBACK or PUBREC.</param>
/// <param name="packetId">The packet identifier.</param>
/// <param name="reason">The reason code.</param>
internal sealed class HeldAck(Session session, PacketType type, ushort packetId, ReasonCode reason)
{
    public Session Session { get; } = session;

    public PacketType Type { get; } = type;

    public ushort PacketId { get; } = packetId;

    public ReasonCode Reason { get; } = reason;

    public bool IsAccepted { get; set; }
}
