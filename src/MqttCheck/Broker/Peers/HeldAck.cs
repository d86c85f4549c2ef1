using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.Broker.Peers;

/// <summary>PUBACK or PUBREC that waits until peers accept the publication, or until those before it go.</summary>
/// <param name="Session">The publisher.</param>
/// <param name="Type">PUBACK or PUBREC.</param>
/// <param name="PacketId">The packet identifier.</param>
/// <param name="Reason">The reason code.</param>
internal sealed record HeldAck(Session Session, PacketType Type, ushort PacketId, ReasonCode Reason)
{
    public bool IsAccepted { get; set; }
}
