using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Model;

/// <summary>A message that a client published, or left as its will.</summary>
internal sealed class Publication(int number, int client, PublishPacket packet, int sentAt)
{
    /// <summary>Numbered in the order of sending.</summary>
    public int Number { get; } = number;

    public int Client { get; } = client;

    /// <summary>The connection on which it was sent; -1 for a will.</summary>
    public int Connection { get; init; } = -1;

    /// <summary>The packet as sent, with the topic that an alias stands for.</summary>
    public PublishPacket Packet => packet;

    public string Topic => packet.Topic;

    public QualityOfService Qos => packet.Qos;

    /// <summary>The entry of its sending; of a will, of the end of the connection.</summary>
    public int SentAt { get; set; } = sentAt;

    /// <summary>
    /// The entry by which the broker had received it for sure, the last time that it was sent; null while that is not
    /// known. Its expiry interval begins when the broker receives it.
    /// </summary>
    public int? ReceivedAt => TakenAt > SentAgainAt ? TakenAt : null;

    /// <summary>The entry at which it was sent again; 0 where it was not.</summary>
    public int SentAgainAt { get; set; }

    /// <summary>The entry of the answer by which the broker took it over; null while it has not.</summary>
    public int? TakenAt { get; set; }

    public bool IsWill { get; init; }

    /// <summary>A will that no end of a connection has set free.</summary>
    public bool IsDormant { get; set; }

    /// <summary>A will that a resumed session keeps from being published.</summary>
    public bool IsCancelled { get; set; }

    /// <summary>A will that waits: the earliest moment at which it may be published.</summary>
    public long? EarliestNanoseconds { get; set; }

    /// <summary>A will that waits: when its delay has passed for sure; null while that is not known.</summary>
    public long? DueNanoseconds { get; set; }

    /// <summary>A will whose session a new connection ended before the delay had passed.</summary>
    public bool IsFreedByConnection { get; set; }

    /// <summary>The connection was refused: it must have no effect.</summary>
    public bool IsForbidden { get; set; }

    /// <summary>How long it lives, in seconds; null for ever.</summary>
    public uint? ExpirySeconds => packet.Properties.MessageExpiryIntervalSeconds;

    /// <summary>Whether it may expire while a scenario runs.</summary>
    public bool MayExpire => ExpirySeconds < 300;

    /// <summary>Its connection ended before the broker took it over: it may be lost.</summary>
    public bool IsUncertain { get; set; }

    /// <summary>QoS 2: PUBREL is withheld on purpose.</summary>
    public bool IsHalf { get; set; }

    /// <summary>Its place in the order is not that of its number: it was sent again, or finished late.</summary>
    public bool IsIrregular { get; set; }

    public bool IsRejected { get; set; }

    /// <summary>The broker is taken to have confused its topic with another: nothing is known of it.</summary>
    public bool IsConfused { get; set; }

    /// <summary>The copies that members of shared subscriptions got.</summary>
    public List<SharedCopy> SharedCopies { get; } = [];

    /// <summary>Whether the broker may still route it: a subscription made now may or may not see it.</summary>
    public bool IsOpen => !IsDormant && (TakenAt is null || Qos == QualityOfService.AtMostOnce);

    /// <summary>The quality of service of a delivery to a subscription.</summary>
    public QualityOfService QosAt(QualityOfService granted) => Qos < granted ? Qos : granted;

    /// <summary>
    /// Whether a delivery to one of several subscriptions, whose grants are given as bits, can have a quality of
    /// service.
    /// </summary>
    public bool MayComeAt(QualityOfService qos, int grantBits)
    {
        for (var granted = QualityOfService.AtMostOnce; granted <= QualityOfService.ExactlyOnce; granted++)
            if ((grantBits & (1 << (int)granted)) != 0 && QosAt(granted) == qos)
                return true;
        return false;
    }

    public override string ToString() => $"{(IsWill ? "will" : "message")} {DescribePayload()} on {packet.Topic}";

    private string DescribePayload() =>
        packet.Payload.Length switch
        {
            0 => "with empty payload",
            <= 40 => packet.Payload.ToText(),
            _ => packet.Payload.ToText()[..24] + "...",
        };
}
