using MqttCheck.Protocol.Packets;

namespace MqttCheck.Protocol.Decoders;

/// <summary>The result of the observing decoder for a packet.</summary>
/// <param name="Packet">The packet as far as it can be understood; null if its fields cannot be found.</param>
/// <param name="Violations">The broken rules in the order found; empty for a legal packet.</param>
public sealed record ObservedPacket(Packet? Packet, ValueList<Violation> Violations)
{
    /// <summary>True if the packet breaks no rule.</summary>
    public bool IsLegal => Violations.Count == 0;
}
