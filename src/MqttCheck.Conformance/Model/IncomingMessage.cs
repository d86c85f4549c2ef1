using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Model;

/// <summary>A QoS 1 or 2 message on its way to a client, by its packet identifier.</summary>
internal sealed class IncomingMessage(ushort packetId, PublishPacket packet, Publication? publication, int connection)
{
    public ushort PacketId { get; } = packetId;

    public PublishPacket Packet { get; } = packet;

    public Publication? Publication { get; } = publication;

    /// <summary>The connection on which it came last.</summary>
    public int Connection { get; set; } = connection;

    /// <summary>
    /// Whether it came on a connection that was being replaced: it may belong to a session that the new connection has
    /// ended.
    /// </summary>
    public bool IsOfReplaced { get; init; }

    /// <summary>The entry at which it came first.</summary>
    public int ReceivedAt { get; init; }

    /// <summary>Whether PUBACK or PUBREC was sent.</summary>
    public bool IsAcknowledged { get; set; }

    /// <summary>Whether PUBREL came.</summary>
    public bool IsReleased { get; set; }

    /// <summary>Whether PUBCOMP was sent, or PUBACK.</summary>
    public bool IsFinished { get; set; }

    /// <summary>The entry of a PUBACK or PUBREC with an error; null if there was none.</summary>
    public int? RefusedAt { get; set; }

    /// <summary>Whether it must be sent again on the present connection.</summary>
    public bool ResendDue { get; set; }

    /// <summary>
    /// Whether a clean start was asked for since: if it is never answered, a session that is present later may be the
    /// new one.
    /// </summary>
    public bool MayBeGone { get; set; }
}
