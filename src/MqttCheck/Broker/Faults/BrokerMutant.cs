namespace MqttCheck.Broker.Faults;

/// <summary>
/// Ways in which the core can be made to violate one statement each time. They measure the checker; no option of the
/// product leads here.
/// </summary>
internal enum BrokerMutant : byte
{
    /// <summary>The core as it is.</summary>
    None,

    /// <summary>A message that was queued while its client was away comes with DUP the first time.</summary>
    DupAfterAbsence,

    /// <summary>A message that waited behind a full window comes with DUP the first time.</summary>
    DupBehindWindow,

    /// <summary>One copy for overlapping subscriptions carries the identifier of the first only.</summary>
    FirstIdentifierOnly,

    /// <summary>One copy for overlapping subscriptions carries the identifier of the last only.</summary>
    LastIdentifierOnly,

    /// <summary>A QoS 0 message with RETAIN neither replaces nor deletes what is stored.</summary>
    Qos0NotRetained,

    /// <summary>An empty QoS 0 message with RETAIN does not delete what is stored.</summary>
    Qos0DoesNotDelete,

    /// <summary>A connection that is taken over ends without DISCONNECT 0x8E.</summary>
    SilentTakeOver,

    /// <summary>A subscription to # gets no retained messages.</summary>
    HashWithoutRetained,

    /// <summary>A filter that ends with /# does not bring the retained message of the parent level.</summary>
    ParentWithoutRetained,

    /// <summary>The message at the head of a queue is sent although it has expired.</summary>
    ExpiredHeadSent,

    /// <summary>Messages that expired in the queue are sent.</summary>
    ExpiredQueueSent,

    /// <summary>Retained messages that have expired are sent.</summary>
    ExpiredRetainedSent,

    /// <summary>Messages behind an expired one in the queue are not sent.</summary>
    QueueStallsAtExpired,

    /// <summary>The session expiry interval of DISCONNECT is ignored.</summary>
    DisconnectExpiryIgnored,

    /// <summary>A session expiry interval of 0 in DISCONNECT is ignored.</summary>
    DisconnectZeroIgnored,

    /// <summary>A silent client stays connected.</summary>
    KeepAliveIgnored,

    /// <summary>The will of a client that was silent for too long is not published.</summary>
    SilentWithoutWill,

    /// <summary>A will delay of more than 2 s ends after 2 s.</summary>
    WillDelayAtMostTwo,

    /// <summary>A will does not wait for its delay.</summary>
    WillDelayIgnored,

    /// <summary>A will that waits is published although the session was resumed.</summary>
    WillDelayNotCancelled,

    /// <summary>A session with an expiry interval never ends.</summary>
    SessionExpiryIgnored,

    /// <summary>A session with an expiry interval below 10 s ends with its connection.</summary>
    ShortSessionEndsAtOnce,

    /// <summary>A message goes to two members of a shared subscription.</summary>
    SharedToTwo,

    /// <summary>The UNSUBSCRIBE of one member ends a shared subscription for all.</summary>
    SharedUnsubscribeEndsAll,

    /// <summary>Messages of shared subscriptions come at QoS 0.</summary>
    SharedAtQos0,

    /// <summary>An alias that is set anew stands for its first topic still.</summary>
    AliasNotSetAnew,

    /// <summary>The fifth subscription of a session is granted and not kept.</summary>
    FifthSubscriptionLost,

    /// <summary>U+FEFF is stripped from topics.</summary>
    ByteOrderMarkStripped,

    /// <summary>A resumed session does not get its open PUBREL packets.</summary>
    PubrelNotResumed,

    /// <summary>Identifiers of QoS 2 messages that were received are forgotten when a session is resumed.</summary>
    ReceivedQos2Forgotten,

    /// <summary>Receive Maximum is ignored while a session is resumed.</summary>
    WindowIgnoredOnResume,

    /// <summary>The identifier of PUBACK is cut to 8 bits.</summary>
    PubackOfEightBits,

    /// <summary>A new subscription ends those that its filter covers.</summary>
    OverlapReplaces,

    /// <summary>No Local is ignored.</summary>
    NoLocalIgnored,

    /// <summary>Retained messages that answer a subscription have RETAIN clear.</summary>
    StoredWithoutRetain,

    /// <summary>Retain As Published is ignored.</summary>
    RetainAsPublishedIgnored,

    /// <summary>Messages come at the published quality of service.</summary>
    PublishedQos,

    /// <summary>CONNACK never says that a session is present.</summary>
    SessionNeverPresent,

    /// <summary>A normal DISCONNECT does not discard the will.</summary>
    WillAfterDisconnect,

    /// <summary>The codes of SUBACK are in reverse order.</summary>
    SubackReversed,

    /// <summary>UNSUBACK reports success for every filter.</summary>
    UnsubackAlwaysSuccess,

    /// <summary>UNSUBSCRIBE ends its first filter only.</summary>
    UnsubscribeFirstOnly,

    /// <summary>Messages are sent again without DUP.</summary>
    ResendWithoutDup,

    /// <summary>A QoS 2 PUBLISH that is sent again is delivered again.</summary>
    Qos2Repeated,

    /// <summary>Retain handling 1 is taken for 0.</summary>
    SendIfNewAlways,

    /// <summary>Properties for the receiver are not forwarded.</summary>
    PropertiesDropped,

    /// <summary>An empty message with RETAIN does not delete what is stored.</summary>
    DeleteIgnored,

    /// <summary>The Maximum Packet Size of a client is ignored.</summary>
    MaximumPacketIgnored,

    /// <summary>Messages queued while a client was away are lost.</summary>
    QueueLost,

    /// <summary>A will with RETAIN is not stored.</summary>
    WillNotRetained,

    /// <summary>The will of a connection that ends for a broken rule is not published.</summary>
    WillLostOnError,

    /// <summary>The will of a connection that is taken over is not published.</summary>
    WillLostAtTakeOver,

    /// <summary>DISCONNECT with reason 0x04 (with will) discards the will as well.</summary>
    WillLostOnDisconnect,

    /// <summary>A will is published without the properties for its receiver.</summary>
    WillPropertiesDropped,

    /// <summary>A will that waits is not published when its session ends, but when its delay has passed.</summary>
    WillOutlivesSession,

    /// <summary>A will that DISCONNECT discarded is published when a later connection is lost.</summary>
    WillOfEarlierConnection,

    /// <summary>A resumed session gets its open messages again in reverse order.</summary>
    ResendReversed,

    /// <summary>Messages that were sent and not acknowledged are not sent again.</summary>
    InFlightForgotten,

    /// <summary>PUBREC makes room for another message, and not only PUBCOMP.</summary>
    WindowFreedAtPubrec,

    /// <summary>A retained message comes with the expiry interval that was published, however long it waited.</summary>
    RetainedExpiryNotCounted,

    /// <summary>Deliveries have no expiry interval.</summary>
    ExpiryNotForwarded,

    /// <summary>A stored message that answers a subscription lacks its identifier.</summary>
    RetainedWithoutIdentifier,

    /// <summary>Messages of shared subscriptions lack the identifier of the subscription.</summary>
    SharedWithoutIdentifier,

    /// <summary>Subscribing again leaves the options of the subscription as they were.</summary>
    ResubscribeKeepsOptions,

    /// <summary>Subscribing again leaves the identifier of the subscription as it was.</summary>
    ResubscribeKeepsIdentifier,

    /// <summary>Subscribing again leaves the quality of service as it was.</summary>
    ResubscribeKeepsQos,

    /// <summary>An empty message without RETAIN deletes the retained message.</summary>
    EmptyDeletes,

    /// <summary>Retain handling 1 is taken for 2.</summary>
    SendIfNewNever,

    /// <summary>Retain handling 2 is taken for 0.</summary>
    DoNotSendIgnored,

    /// <summary>UNSUBSCRIBE ends every subscription that its filter covers.</summary>
    UnsubscribeCovered,

    /// <summary>Shared subscriptions to one filter are one, whatever their share names.</summary>
    ShareNameIgnored,

    /// <summary>A shared subscription gets retained messages when it is made.</summary>
    SharedRetained,

    /// <summary>Acknowledgements always say that there are no matching subscribers.</summary>
    NoSubscribersAlways,

    /// <summary>A session that was to have no end ends with its connection.</summary>
    NoEndAsZero,

    /// <summary>A clean start ends the subscriptions, and not what waits for the client.</summary>
    CleanStartKeepsQueue,

    /// <summary>A clean start does not forget the identifiers of QoS 2 messages that were received.</summary>
    CleanStartKeepsReceived,

    /// <summary>A resumed session has no subscriptions.</summary>
    SubscriptionsLostOnResume,

    /// <summary>The subscriptions of a resumed session have no options.</summary>
    OptionsLostOnResume,

    /// <summary>PINGREQ does not keep a connection alive.</summary>
    PingIsNoActivity,

    /// <summary>A packet sent to a client keeps its connection alive.</summary>
    SendingIsActivity,

    /// <summary>User properties come in reverse order.</summary>
    UserPropertiesReversed,

    /// <summary>DUP of a publication is forwarded.</summary>
    DupForwarded,

    /// <summary>A wildcard at the first level matches topics that begin with $.</summary>
    DollarMatched,

    /// <summary>An empty message with RETAIN is not delivered to subscribers.</summary>
    DeleteNotForwarded,

    /// <summary>Messages that waited for a client come in reverse order.</summary>
    QueueReversed,

    /// <summary>MQTT 3.1.1 clients get DISCONNECT as well.</summary>
    DisconnectTold311,

    /// <summary>A resumed session gets the retained messages of its subscriptions again.</summary>
    RetainedOnResume,

    /// <summary>The session expiry interval begins with the connection.</summary>
    ExpiryFromConnect,

    /// <summary>A resumed session gets PUBLISH again in place of PUBREL.</summary>
    PublishBehindPubrel,

    /// <summary>A filter that is refused brings its retained messages.</summary>
    RefusedFilterBrings,

    /// <summary>CONNACK has response information that nobody asked for.</summary>
    ResponseInformationAlways,

    /// <summary>All clients without an identifier are told the same one.</summary>
    AssignedIdentifierRepeated,

    /// <summary>A message that PUBACK or PUBREC refuses stays open, and is sent again.</summary>
    RefusedResent,

    /// <summary>A PUBREC with an error is answered by PUBREL.</summary>
    RefusalReleased,

    /// <summary>SUBACK and UNSUBACK have a reason string, whatever CONNECT asked for.</summary>
    ProblemInformationAlways,

    /// <summary>The message expiry interval of a will is not forwarded.</summary>
    WillExpiryDropped,

    /// <summary>Client identifiers that differ by case are taken for one.</summary>
    IdentifierCaseIgnored,

    /// <summary>Client identifiers count up to their 23rd byte.</summary>
    IdentifierCut,

    /// <summary>An acknowledgement in the long form ends the connection.</summary>
    LongAckFails,

    /// <summary>SUBSCRIBE and UNSUBSCRIBE with user properties end the connection.</summary>
    RequestPropertiesFail,

    /// <summary>A DISCONNECT with an error discards the will.</summary>
    WillLostOnErrorTold,

    /// <summary>A packet whose fixed header comes in pieces ends the connection.</summary>
    PiecesFail,

    /// <summary>The ninth of the packets that come at once is lost, and all behind it.</summary>
    EightPacketsAtOnce,

    /// <summary>Subscription identifiers have 14 bits.</summary>
    IdentifierOf14Bits,

    /// <summary>A message on a topic of more than 255 bytes is lost.</summary>
    LongTopicLost,

    /// <summary>Payloads are cut to 65 535 bytes.</summary>
    LargePayloadCut,

    /// <summary>A byte order mark at the beginning of a topic is left out.</summary>
    LeadingMarkStripped,

    /// <summary>Blanks at the end of a topic are left out.</summary>
    TrailingBlankStripped,

    /// <summary>A message with properties does not reach clients of MQTT 3.1.1.</summary>
    PropertiesKeepFrom311,

    /// <summary>The 257th subscription of a session is granted and forgotten.</summary>
    SubscriptionLostAt257,

    /// <summary>A filter that ends with # matches no topic of more than 16 levels.</summary>
    HashOfSixteenLevels,
}
