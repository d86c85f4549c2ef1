using static MqttCheck.Conformance.Model.StatementClass;

namespace MqttCheck.Conformance.Model;

/// <content>Subscriptions, retained messages and the form of packets.</content>
internal static partial class Statements
{
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
    internal static readonly Statement RefusedFilter = new(
        "refused-filter",
        "3.9.3",
        "3.9.3",
        Must,
        "A filter that SUBACK refuses is not subscribed, and brings nothing."
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

    internal static readonly Statement SharedDiscarded = new(
        "shared-discarded",
        null,
        "4.8.2-6",
        Must,
        "A message that a member of a shared subscription answers with an error goes to no other member."
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

    internal static readonly Statement WebSocketFrames = new(
        "websocket",
        "6.0.0-1",
        "6.0.0-1",
        Must,
        "MQTT over WebSocket uses binary frames and the subprotocol mqtt.",
        "seen only over WebSocket (ws:// and wss://)"
    );

    private static readonly Statement[] s_subscriptions =
    [
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
        RefusedFilter,
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
        SharedDiscarded,
        SharedNotRetained,
        Malformed,
        Detected,
        Encoding,
        WebSocketFrames,
    ];
}
