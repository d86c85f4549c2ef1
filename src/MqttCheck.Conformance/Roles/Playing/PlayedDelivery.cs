using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>A message of QoS 1 or 2 on its way to the client.</summary>
internal sealed class PlayedDelivery(PublishPacket packet)
{
    public PublishPacket Packet => packet;

    /// <summary>The connection that carried it last; 0 if none did.</summary>
    public int SentOn { get; set; }

    /// <summary>Whether PUBREC came, so that PUBREL is due in place of PUBLISH.</summary>
    public bool IsReceived { get; set; }

    /// <summary>Whether each of its packets is sent twice.</summary>
    public bool IsTwice { get; init; }

    /// <summary>The most bytes of a piece in which it is written; 0 for one piece.</summary>
    public int PieceBytes { get; init; }
}
