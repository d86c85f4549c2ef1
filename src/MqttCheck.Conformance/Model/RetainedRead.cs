using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Model;

/// <summary>The retained message of one topic that a SUBSCRIBE may or must bring.</summary>
/// <param name="Subscription">The subscription.</param>
/// <param name="PacketId">The identifier of its SUBSCRIBE.</param>
/// <param name="Request">The place of the filter in its SUBSCRIBE.</param>
/// <param name="Topic">The topic.</param>
/// <param name="Start">The entry of SUBSCRIBE.</param>
internal sealed record RetainedRead(
    SubscriptionState Subscription,
    ushort PacketId,
    int Request,
    string Topic,
    int Start
)
{
    /// <summary>The entry of SUBACK; what is written later is not its answer.</summary>
    public int? End { get; set; }

    public bool IsDue { get; set; }

    /// <summary>
    /// Whether a message is legal: not with retain handling 2, nor 1 for a filter that is subscribed.
    /// </summary>
    public bool IsAllowed { get; init; } = true;

    /// <summary>Whether a retained message is asked for whatever the broker held before.</summary>
    public bool IsCertainlyAsked { get; init; }

    /// <summary>Whether that is so without retain handling.</summary>
    public bool IsCertainlyAskedByDefault { get; init; }

    public bool IsRepeated { get; init; }

    public bool IsSatisfied { get; set; }

    /// <summary>Whether SUBACK has refused its filter, which was not subscribed before either.</summary>
    public bool IsRefused { get; set; }

    /// <summary>The message that it alone explains, if one came.</summary>
    public Publication? Brought { get; set; }

    /// <summary>The qualities of service that the broker may have granted, as bits.</summary>
    public int GrantBits { get; set; }

    public bool RetainAsPublished { get; init; }

    public bool NoLocal { get; init; }

    /// <summary>MQTT 5: the identifier of the subscription, 0 for none.</summary>
    public uint Identifier { get; init; }

    /// <summary>
    /// The statement that is violated when it brings nothing. Only a filter that is the topic itself shows that nothing
    /// was kept.
    /// </summary>
    public Statement Statement =>
        IsRepeated ? Statements.RetainSentAgain
        : Subscription.Plain == Topic ? Statements.RetainKept
        : Statements.RetainSent;

    /// <summary>Whether it may bring a publication at a quality of service.</summary>
    public bool Brings(Publication publication, QualityOfService qos) => publication.MayComeAt(qos, GrantBits);

    /// <summary>
    /// Whether it may bring that twice. A QoS 1 message may be repeated, also on its way to a QoS 0 subscription.
    /// </summary>
    public bool MayRepeat(Publication publication, QualityOfService qos) =>
        Brings(publication, qos)
        && (
            qos == QualityOfService.AtLeastOnce
            || (qos == QualityOfService.AtMostOnce && publication.Qos == QualityOfService.AtLeastOnce)
        );
}
