using static MqttCheck.Conformance.Model.StatementClass;

namespace MqttCheck.Conformance.Model;

/// <content>Wills, publications and deliveries.</content>
internal static partial class Statements
{
    // Will
    internal static readonly Statement WillPublished = new(
        "will-published",
        "3.1.2-8",
        "3.1.2-8",
        Must,
        "The will is published when the connection ends without DISCONNECT."
    );
    internal static readonly Statement WillDelay = new(
        "will-delay",
        null,
        "3.1.3-9",
        Must,
        "The will waits for its delay interval, and is not published when the session is resumed before."
    );

    // By the letter of 3.1.2-8 a new connection of the client identifier may delete a will that still waits; a note
    // (section 3.1.4) and section 3.1.3.2.2 have it published when the session ends.
    internal static readonly Statement WillAtTakeOver = new(
        "will-at-take-over",
        null,
        "3.1.4",
        Should,
        "A will that waits for its delay is published when a new connection ends its session."
    );
    internal static readonly Statement WillDiscarded = new(
        "will-discarded",
        "3.14.4-3",
        "3.14.4-3",
        Must,
        "A normal DISCONNECT discards the will."
    );

    // Publish, client to server
    internal static readonly Statement Puback = new(
        "puback",
        "4.3.2-2",
        "4.3.2-4",
        Must,
        "A PUBLISH of QoS 1 is answered by PUBACK with its identifier."
    );
    internal static readonly Statement Pubrec = new(
        "pubrec",
        "4.3.3-2",
        "4.3.3-8",
        Must,
        "A PUBLISH of QoS 2 is answered by PUBREC with its identifier, each time until PUBREL."
    );
    internal static readonly Statement Pubcomp = new(
        "pubcomp",
        "4.3.3-2",
        "4.3.3-11",
        Must,
        "PUBREL is answered by PUBCOMP with its identifier."
    );
    internal static readonly Statement Pubrel = new(
        "pubrel",
        "4.3.3-1",
        "4.3.3-4",
        Must,
        "PUBREC is answered by PUBREL with its identifier."
    );
    internal static readonly Statement AnswerIdentifier = new(
        "answer-identifier",
        "2.3.1-6",
        "2.2.1-5",
        Must,
        "An acknowledgement carries the identifier of a packet that waits for it."
    );
    internal static readonly Statement Qos0Taken = new(
        "qos0-taken",
        "4.3.1",
        "4.3.1",
        Must,
        "A PUBLISH of QoS 0 is legal and does not end the connection."
    );

    // "The message is accepted but there are no subscribers" (section 3.4.2.1).
    internal static readonly Statement NoSubscribersTold = new(
        "no-matching-subscribers",
        null,
        "3.4.2.1",
        Should,
        "An acknowledgement says that there are no matching subscribers only where there are none."
    );

    // Publish, server to client
    internal static readonly Statement DeliveryQos = new(
        "delivery-qos",
        "3.8.4-6",
        "3.8.4-8",
        Must,
        "A message is delivered at the lower of the published and the granted quality of service."
    );
    internal static readonly Statement Delivered = new(
        "delivered",
        "4.5.0-1",
        "4.5.0-1",
        Must,
        "A message of QoS 1 or 2 is delivered to every matching subscription."
    );
    internal static readonly Statement Qos0Once = new(
        "qos0-at-most-once",
        "4.3.1",
        "4.3.1",
        Must,
        "A message of QoS 0 is delivered at most once for a subscription."
    );
    internal static readonly Statement ExactlyOnce = new(
        "qos2-exactly-once",
        "4.3.3-2",
        "4.3.3-12",
        Must,
        "A message of QoS 2 is delivered exactly once for a subscription."
    );
    internal static readonly Statement PacketIdentifier = new(
        "packet-identifier",
        "2.3.1-4",
        "2.2.1-4",
        Must,
        "A PUBLISH from the server carries an identifier that is not in use."
    );
    internal static readonly Statement NotBehindPubrel = new(
        "publish-behind-pubrel",
        "4.3.3-1",
        "4.3.3-6",
        Must,
        "A PUBLISH is not sent again once its PUBREL has been sent."
    );
    internal static readonly Statement RefusedNotResent = new(
        "refused-not-resent",
        null,
        "4.4.0-2",
        Must,
        "A PUBLISH that PUBACK or PUBREC refused with an error is not sent again."
    );
    internal static readonly Statement RefusalEndsExchange = new(
        "refusal-ends-exchange",
        null,
        "4.3.3",
        Should,
        "A PUBREC with an error ends the exchange: no PUBREL follows."
    );
    internal static readonly Statement DupOnResend = new(
        "dup-on-resend",
        "3.3.1-1",
        "3.3.1-1",
        Must,
        "DUP is set on a message that is sent again."
    );
    internal static readonly Statement NoDup = new(
        "dup-not-copied",
        "3.3.1-3",
        "3.3.1-3",
        Must,
        "DUP is not set on the first copy of a message, whatever the publisher set."
    );
    internal static readonly Statement ByteOrderMark = new(
        "byte-order-mark",
        "1.5.3-3",
        "1.5.4-3",
        Must,
        "The character U+FEFF stays in a topic, wherever it stands."
    );
    internal static readonly Statement TopicMatches = new(
        "topic-matches",
        "3.3.2-3",
        "3.3.2-3",
        Must,
        "The topic of a delivery matches a subscription of the client."
    );
    internal static readonly Statement Payload = new(
        "payload",
        "3.3.3",
        "3.3.3",
        Must,
        "The payload arrives as it was published."
    );
    internal static readonly Statement Order = new(
        "order",
        "4.6.0-6",
        "4.6.0-6",
        Must,
        "Messages of one publisher, topic and quality of service arrive in the order of their publication."
    );
    internal static readonly Statement Forwarded = new(
        "properties-forwarded",
        null,
        "3.3.2-17",
        Must,
        "Content type, response topic, correlation data, payload format and user properties arrive unchanged."
    );
    internal static readonly Statement ReceiveMaximum = new(
        "receive-maximum",
        null,
        "3.3.4-9",
        Must,
        "No more messages of QoS 1 and 2 are open than the client's Receive Maximum."
    );
    internal static readonly Statement TopicAlias = new(
        "topic-alias",
        null,
        "3.1.2-26",
        Must,
        "The server uses aliases up to the client's maximum, and only those it defined."
    );
    internal static readonly Statement MessageExpiry = new(
        "message-expiry",
        null,
        "3.3.2-6",
        Must,
        "The expiry interval of a delivery is the published one less the time waited."
    );

    internal static readonly Statement Expired = new(
        "expired",
        null,
        "3.3.2-5",
        Must,
        "A message whose delivery had not begun when it expired is not delivered."
    );
    internal static readonly Statement MaximumPacketSize = new(
        "maximum-packet-size",
        null,
        "3.1.2-24",
        Must,
        "No packet is larger than the client's Maximum Packet Size."
    );

    private static readonly Statement[] s_messages =
    [
        WillPublished,
        WillDelay,
        WillAtTakeOver,
        WillDiscarded,
        Puback,
        Pubrec,
        Pubcomp,
        Pubrel,
        AnswerIdentifier,
        Qos0Taken,
        NoSubscribersTold,
        DeliveryQos,
        Delivered,
        Qos0Once,
        ExactlyOnce,
        PacketIdentifier,
        NotBehindPubrel,
        RefusedNotResent,
        RefusalEndsExchange,
        DupOnResend,
        NoDup,
        ByteOrderMark,
        TopicMatches,
        Payload,
        Order,
        Forwarded,
        ReceiveMaximum,
        TopicAlias,
        MessageExpiry,
        Expired,
        MaximumPacketSize,
    ];
}
