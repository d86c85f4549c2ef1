using static MqttCheck.Conformance.Model.StatementClass;

namespace MqttCheck.Conformance.Model;

/// <summary>
/// The statements about servers that can be judged from outside. The OASIS texts of MQTT 3.1.1 (with errata) and 5.0
/// decide; the sentences here are in our words.
/// </summary>
internal static class Statements
{
    private const string NeedsRules = "needs a broker with rules that say who may publish what";
    private const string NeedsMethod = "needs a broker with a method of enhanced authentication; MQTT defines none";

    /// <summary>Availability: no statement of MQTT, but the ground of all of them.</summary>
    public static readonly Statement Available = new(
        "available",
        "1.2",
        "1.2",
        Must,
        "The broker runs on, accepts connections and answers, whatever clients do."
    );
    internal static readonly Statement ConnectionKept = new(
        "connection-kept",
        "4.8",
        "4.13",
        Should,
        "A connection on which no rule was broken stays."
    );

    // A broker may be set up to refuse certain requests, and announce it. That is no violation, but must be known,
    // because it keeps other statements from being judged.
    internal static readonly Statement Permitted = new(
        "permitted",
        "5.4.2",
        "5.4.2",
        Configuration,
        "The broker is set up to let the check's clients connect, subscribe and publish."
    );
    internal static readonly Statement Offered = new(
        "offered",
        null,
        "3.2.2.3",
        Configuration,
        "The broker is set up to take every kind of subscription; what CONNACK says is not offered may be refused."
    );

    /// <summary>Bounds: what comes ends at some time.</summary>
    public static readonly Statement NoFlood = new(
        "no-flood",
        "4.3",
        "4.3",
        Must,
        "A client gets no more messages than its subscriptions explain."
    );

    // Connect
    internal static readonly Statement Connack = new(
        "connack",
        "3.1.4-4",
        "3.1.4-5",
        Must,
        "A valid CONNECT is answered by CONNACK with code 0."
    );
    internal static readonly Statement ConnackFirst = new(
        "connack-first",
        "3.2.0-1",
        "3.2.0-1",
        Must,
        "CONNACK is the first packet from the server."
    );
    internal static readonly Statement OneConnack = new(
        "one-connack",
        "3.2.0",
        "3.2.0-2",
        Must,
        "A connection gets one CONNACK only."
    );
    internal static readonly Statement CleanNotPresent = new(
        "clean-session-not-present",
        "3.2.2-1",
        "3.2.2-2",
        Must,
        "The answer to a clean start says that no session is present."
    );
    internal static readonly Statement SessionPresent = new(
        "session-present",
        "3.1.2-4",
        "3.1.2-5",
        Must,
        "A stored session is resumed, and CONNACK says so."
    );
    internal static readonly Statement SessionAbsent = new(
        "session-not-present",
        "3.2.2-3",
        "3.2.2-3",
        Must,
        "Without a stored session CONNACK says that none is present."
    );
    internal static readonly Statement TakeOver = new(
        "take-over",
        "3.1.4-2",
        "3.1.4-3",
        Must,
        "A second connection of a client identifier ends the first."
    );

    // The specification says that the server tells the old connection, but without a keyword of its own; the MUST is
    // about closing.
    internal static readonly Statement TakeOverTold = new(
        "take-over-told",
        null,
        "3.1.4-3",
        Should,
        "A connection that is taken over gets DISCONNECT with 0x8E (session taken over)."
    );
    internal static readonly Statement WillWithinLimits = new(
        "will-within-limits",
        null,
        "3.2.2-12",
        Must,
        "A CONNECT whose will exceeds Maximum QoS, or is retained where nothing is (3.2.2-13), is refused."
    );
    internal static readonly Statement SecondConnect = new(
        "second-connect",
        "3.1.0-2",
        "3.1.0-2",
        Must,
        "A second CONNECT on a connection ends it."
    );
    internal static readonly Statement LegalDisconnect = new(
        "server-disconnect",
        "3.14",
        "3.14.2-1",
        Must,
        "The server sends DISCONNECT only where the version has it, with a listed code."
    );

    internal static readonly Statement FirstPacket = new(
        "first-packet",
        "3.1.0-1",
        "3.1.0-1",
        Must,
        "A connection that begins with something else than CONNECT is closed."
    );
    internal static readonly Statement RefusedNotPresent = new(
        "refused-not-present",
        "3.2.2-4",
        "3.2.2-6",
        Must,
        "The answer to a refused CONNECT says that no session is present."
    );
    internal static readonly Statement RefusedCloses = new(
        "refused-closes",
        "3.2.2-5",
        "3.2.2-7",
        Must,
        "A connection whose CONNECT was refused is closed."
    );
    internal static readonly Statement RefusedIgnored = new(
        "refused-ignored",
        "3.1.4-5",
        "3.1.4-6",
        Must,
        "What came behind a refused CONNECT has no effect."
    );
    internal static readonly Statement EmptyIdentifier = new(
        "empty-identifier",
        "3.1.3-8",
        "3.2.2-16",
        Must,
        "An empty client identifier is refused without a clean session (3.1.1); the one that the server chose is "
            + "told (5)."
    );

    // Session
    internal static readonly Statement CleanStart = new(
        "clean-start",
        "3.1.2-6",
        "3.1.2-4",
        Must,
        "A clean start drops the old session: its subscriptions and its messages."
    );
    internal static readonly Statement SessionEnds = new(
        "session-ends",
        "3.1.2-6",
        "4.1.0-2",
        Must,
        "A session that does not outlive its connection ends with it."
    );
    internal static readonly Statement OfflineQueue = new(
        "offline-queue",
        "3.1.2-5",
        "4.5.0-1",
        Must,
        "Messages of QoS 1 and 2 that match a session without connection are delivered when it is resumed."
    );
    internal static readonly Statement Resend = new(
        "resend",
        "4.4.0-1",
        "4.4.0-1",
        Must,
        "A resumed session gets every open PUBLISH and PUBREL again, with its packet identifier."
    );
    internal static readonly Statement ResendOrder = new(
        "resend-order",
        "4.6.0-1",
        "4.6.0-1",
        Must,
        "Messages that are sent again come in the order in which they were sent first."
    );
    internal static readonly Statement NoLiveResend = new(
        "no-live-resend",
        null,
        "4.4.0-1",
        Must,
        "A message is not sent again on the connection it was sent on."
    );

    internal static readonly Statement SessionExpiry = new(
        "session-expiry",
        null,
        "4.1.0-2",
        Must,
        "A session ends when its expiry interval has passed since its connection ended."
    );

    // Keep alive
    internal static readonly Statement KeepAlive = new(
        "keep-alive",
        "3.1.2-24",
        "3.1.2-22",
        Must,
        "A client that is silent for one and a half times its keep alive is disconnected."
    );
    internal static readonly Statement Pingresp = new(
        "pingresp",
        "3.12.4-1",
        "3.12.4-1",
        Must,
        "PINGREQ is answered by PINGRESP."
    );

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
    internal static readonly Statement WebSocketFrames = new(
        "websocket",
        "6.0.0-1",
        "6.0.0-1",
        Must,
        "MQTT over WebSocket uses binary frames and the subprotocol mqtt.",
        "seen only over WebSocket (ws:// and wss://)"
    );

    // Retained
    internal static readonly Statement RetainKept = new(
        "retained-kept",
        "3.3.1-5",
        "3.3.1-5",
        Must,
        "A message of QoS 1 or 2 with RETAIN is kept and replaces the one before it."
    );
    internal static readonly Statement RetainSent = new(
        "retained-sent",
        "3.3.1-6",
        "3.3.1-9",
        Must,
        "A new subscription gets the retained message of each matching topic."
    );
    internal static readonly Statement RetainSentAgain = new(
        "retained-sent-again",
        "3.8.4-3",
        "3.8.4-4",
        Must,
        "Subscribing to the same filter again sends the retained messages again."
    );
    internal static readonly Statement RetainDeleted = new(
        "retained-deleted",
        "3.3.1-10",
        "3.3.1-6",
        Must,
        "A message with RETAIN and without payload deletes the retained message."
    );
    internal static readonly Statement Qos0Replaces = new(
        "retained-qos0-replaces",
        "3.3.1-7",
        "3.3.1-5",
        Must,
        "A message of QoS 0 with RETAIN takes the place of the retained message, whether it is kept or not."
    );
    internal static readonly Statement RetainUntouched = new(
        "retained-untouched",
        "3.3.1-12",
        "3.3.1-8",
        Must,
        "A message without RETAIN leaves the retained message alone."
    );
    internal static readonly Statement RetainFlagOnStored = new(
        "retain-flag-stored",
        "3.3.1-8",
        "3.3.1.3",
        Must,
        "A retained message that answers a subscription has RETAIN set."
    );
    internal static readonly Statement RetainFlagLive = new(
        "retain-flag-live",
        "3.3.1-9",
        "3.3.1-12",
        Must,
        "A message to an established subscription has RETAIN clear (5: as published if asked for)."
    );
    internal static readonly Statement RetainHandling = new(
        "retain-handling",
        null,
        "3.3.1-11",
        Must,
        "Retain handling 1 sends retained messages to new subscriptions only, 2 never."
    );

    // Subscribe
    internal static readonly Statement Suback = new(
        "suback",
        "3.8.4-1",
        "3.8.4-1",
        Must,
        "SUBSCRIBE is answered by SUBACK with its identifier."
    );
    internal static readonly Statement SubackCodes = new(
        "suback-codes",
        "3.8.4-5",
        "3.8.4-6",
        Must,
        "SUBACK has one code for each filter, in order, no higher than asked for."
    );
    internal static readonly Statement FilterAccepted = new(
        "filter-accepted",
        "3.9.3",
        "3.9.3",
        Option,
        "A valid filter is accepted."
    );
    internal static readonly Statement Overlap = new(
        "overlapping-qos",
        "3.3.5-1",
        "3.3.4-2",
        Must,
        "Overlapping subscriptions deliver at the highest of their qualities of service."
    );
    internal static readonly Statement OneCopy = new(
        "copies",
        "3.8.4-3",
        "3.8.4-3",
        Must,
        "A message is delivered at most once for each matching filter; subscribing again replaces."
    );
    internal static readonly Statement SubscriptionIdentifiers = new(
        "subscription-identifiers",
        null,
        "3.3.4-3",
        Must,
        "A delivery carries the identifiers of the subscriptions that it answers."
    );
    internal static readonly Statement AllIdentifiers = new(
        "all-identifiers",
        null,
        "3.3.4-4",
        Must,
        "A single copy of a message carries the identifiers of all matching subscriptions that have one."
    );
    internal static readonly Statement NoLocal = new(
        "no-local",
        null,
        "3.8.3-3",
        Must,
        "A subscription with No Local gets nothing from its own client."
    );
    internal static readonly Statement Unsuback = new(
        "unsuback",
        "3.10.4-4",
        "3.10.4-4",
        Must,
        "UNSUBSCRIBE is answered by UNSUBACK with its identifier, also if nothing was subscribed."
    );
    internal static readonly Statement UnsubackCodes = new(
        "unsuback-codes",
        null,
        "3.11.3-1",
        Must,
        "UNSUBACK has one code for each filter, in order."
    );

    // "Success: the subscription is deleted" and "No subscription existed: no matching Topic Filter is being used by
    // the Client" (section 3.11.3); the MUST (MQTT-3.11.3-2) is about the set of codes.
    internal static readonly Statement UnsubackTold = new(
        "unsuback-told",
        null,
        "3.11.3",
        Should,
        "UNSUBACK says of each filter whether there was a subscription."
    );
    internal static readonly Statement Unsubscribed = new(
        "unsubscribed",
        "3.10.4-1",
        "3.10.4-1",
        Must,
        "After UNSUBACK nothing newly published is delivered for the filter."
    );
    internal static readonly Statement BeforeSubscription = new(
        "before-subscription",
        "3.8.4",
        "3.8.4",
        Should,
        "A message whose publication was acknowledged before a subscription was asked for is not delivered to it, "
            + "unless it is retained."
    );

    // Topics, shared subscriptions
    internal static readonly Statement DollarTopics = new(
        "dollar-topics",
        "4.7.2-1",
        "4.7.2-1",
        Must,
        "A filter that begins with a wildcard does not match a topic that begins with $."
    );

    // That one member gets each message is laid down in section 4.8.2 without a number of its own; that it is not lost
    // follows from the server's ownership.
    internal static readonly Statement SharedDelivered = new(
        "shared-delivered",
        null,
        "4.5.0-1",
        Must,
        "A message of QoS 1 or 2 that matches a shared subscription is delivered to one of its members."
    );
    internal static readonly Statement SharedOnce = new(
        "shared-once",
        null,
        "4.8.2",
        Must,
        "A message goes to one member of a shared subscription."
    );
    internal static readonly Statement SharedFinish = new(
        "shared-finish",
        null,
        "4.8.2-4",
        Must,
        "A QoS 2 delivery that began is finished with that member or nobody."
    );

    internal static readonly Statement SharedNotRetained = new(
        "shared-not-retained",
        null,
        "4.8.2",
        Should,
        "A shared subscription gets no retained messages when it is made."
    );

    // Malformed
    internal static readonly Statement Malformed = new(
        "malformed",
        "4.8.0-1",
        null,
        Must,
        "A packet that breaks a rule ends the connection."
    );

    // MQTT 5 leaves it to the receiver how thoroughly it checks (section 4.13); what it detects it must act upon.
    internal static readonly Statement Detected = new(
        "malformed-detected",
        null,
        "4.13",
        Should,
        "A packet that breaks a rule is detected and ends the connection."
    );

    /// <summary>The wire format of what the broker sends.</summary>
    public static readonly Statement Encoding = new(
        "encoding",
        "1.5",
        "1.5",
        Must,
        "What the server sends is well formed."
    );

    /// <summary>All statements, those that are exercised first.</summary>
    public static IReadOnlyList<Statement> All { get; } =
    [
        Available,
        NoFlood,
        ConnectionKept,
        Permitted,
        Offered,
        Connack,
        ConnackFirst,
        OneConnack,
        CleanNotPresent,
        SessionPresent,
        SessionAbsent,
        TakeOver,
        TakeOverTold,
        WillWithinLimits,
        FirstPacket,
        SecondConnect,
        LegalDisconnect,
        RefusedNotPresent,
        RefusedCloses,
        RefusedIgnored,
        EmptyIdentifier,
        CleanStart,
        SessionEnds,
        SessionExpiry,
        OfflineQueue,
        Resend,
        ResendOrder,
        NoLiveResend,
        KeepAlive,
        Pingresp,
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
        DupOnResend,
        NoDup,
        TopicMatches,
        Payload,
        Order,
        Forwarded,
        ReceiveMaximum,
        TopicAlias,
        MessageExpiry,
        Expired,
        MaximumPacketSize,
        RetainKept,
        RetainSent,
        RetainSentAgain,
        RetainDeleted,
        Qos0Replaces,
        RetainUntouched,
        RetainFlagOnStored,
        RetainFlagLive,
        RetainHandling,
        Suback,
        SubackCodes,
        FilterAccepted,
        Overlap,
        OneCopy,
        SubscriptionIdentifiers,
        AllIdentifiers,
        NoLocal,
        Unsuback,
        UnsubackCodes,
        UnsubackTold,
        Unsubscribed,
        BeforeSubscription,
        DollarTopics,
        SharedDelivered,
        SharedOnce,
        SharedFinish,
        SharedNotRetained,
        Malformed,
        Detected,
        Encoding,
        WebSocketFrames,
        new(
            "authorisation",
            "3.3.5-2",
            "3.4.2.1",
            Must,
            "A publication that is not authorised gets a normal acknowledgement, or the connection is closed.",
            NeedsRules
        ),
        new(
            "maximum-qos",
            null,
            "3.2.2-9",
            Must,
            "A limit of the quality of service is announced and kept.",
            "a broker that refuses a quality of service without announcing it is reported under the answer that is "
                + "missing"
        ),
        new("authentication", null, "4.12.0-1", Must, "Enhanced authentication follows AUTH.", NeedsMethod),
    ];

    /// <summary>
    /// The statements of a name, or of a number in a version (<c>MQTT-3.8.4-6</c> or <c>3.8.4-6</c>); a <c>*</c> at the
    /// end stands for anything.
    /// </summary>
    /// <param name="text">Name or number.</param>
    /// <param name="where">The origin of the text, for the message.</param>
    /// <exception cref="InputException">There is none.</exception>
    public static IReadOnlyList<Statement> Find(string text, string where)
    {
        var wanted = text.StartsWith("MQTT-", StringComparison.OrdinalIgnoreCase) ? text[5..] : text;
        var found = All.Where(statement => Is(statement.Name) || Is(statement.In311) || Is(statement.In5)).ToList();
        if (found.Count > 0)
            return found;
        throw new InputException(
            $"{where}: there is no statement '{text}'; allowed are numbers such as MQTT-3.8.4-6 and names: "
                + $"{string.Join(", ", All.Select(s => s.Name))}."
        );

        bool Is(string? name) =>
            name is not null
            && (
                wanted.EndsWith('*')
                    ? name.StartsWith(wanted[..^1], StringComparison.OrdinalIgnoreCase)
                    : name.Equals(wanted, StringComparison.OrdinalIgnoreCase)
            );
    }
}
