using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using static MqttCheck.Benchmarks.Conformance.FaultClass;
using static MqttCheck.Broker.Faults.BrokerMutant;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// The mutants of the embedded broker's core, each with the statements that it violates; the right one comes first.
/// </summary>
/// <param name="Mutant">The mutant.</param>
/// <param name="Class">Why it is tried.</param>
/// <param name="Statements">The names of the statements under which a finding is right.</param>
internal sealed record MutantDescription(BrokerMutant Mutant, FaultClass Class, params string[] Statements)
{
    /// <summary>Limits without which it does not show.</summary>
    public BrokerLimits Limits { get; init; } = new();

    /// <summary>All of them.</summary>
    public static IReadOnlyList<MutantDescription> All { get; } =
    [
        new(RefusedFilterBrings, Language, "refused-filter")
        {
            Limits = new BrokerLimits { WildcardSubscriptions = false, SharedSubscriptions = false },
        },
        new(PublishBehindPubrel, Language, "publish-behind-pubrel"),
        new(ResponseInformationAlways, Language, "response-information"),
        new(AssignedIdentifierRepeated, Language, "assigned-identifier-new"),
        // A message that stays open takes a place of the window.
        new(RefusedResent, Language, "refused-not-resent", "delivered"),
        new(RefusalReleased, Language, "refusal-ends-exchange"),
        new(ProblemInformationAlways, Language, "problem-information"),
        new(WillExpiryDropped, Language, "message-expiry"),
        new(IdentifierCaseIgnored, Language, "identifiers-differ", "session-not-present", "take-over-told"),
        new(IdentifierCut, Language, "identifiers-differ", "session-not-present", "take-over-told"),
        new(LongAckFails, Language, "connection-kept", "pubrel", "pubcomp", "pingresp"),
        new(RequestPropertiesFail, Language, "suback", "unsuback"),
        new(WillLostOnErrorTold, Language, "will-published"),
        new(PiecesFail, Language, "connection-kept", "connack", "puback", "pubrec", "suback", "unsuback", "qos0-taken"),
        new(
            EightPacketsAtOnce,
            Language,
            "pingresp",
            "puback",
            "pubrec",
            "suback",
            "unsuback",
            "qos0-taken",
            "delivered"
        ),
        new(IdentifierOf14Bits, Language, "subscription-identifiers", "all-identifiers"),
        new(LongTopicLost, Language, "delivered"),
        new(LargePayloadCut, Language, "payload", "delivered"),
        new(LeadingMarkStripped, Language, "topic-matches", "delivered"),
        new(TrailingBlankStripped, Language, "topic-matches", "delivered"),
        new(PropertiesKeepFrom311, Language, "delivered", "offline-queue"),
        new(SubscriptionLostAt257, Language, "delivered"),
        new(DupAfterAbsence, Named, "dup-not-copied"),
        new(DupBehindWindow, Named, "dup-not-copied"),
        new(FirstIdentifierOnly, Named, "all-identifiers", "subscription-identifiers"),
        new(LastIdentifierOnly, Named, "all-identifiers", "subscription-identifiers"),
        new(Qos0NotRetained, Named, "retained-qos0-replaces", "retained-kept"),
        new(Qos0DoesNotDelete, Named, "retained-deleted"),
        new(SilentTakeOver, Named, "take-over-told"),
        new(HashWithoutRetained, Named, "retained-sent"),
        new(ParentWithoutRetained, Named, "retained-sent"),
        new(ExpiredHeadSent, Named, "expired"),
        new(ExpiredQueueSent, Named, "expired"),
        new(ExpiredRetainedSent, Named, "expired"),
        new(QueueStallsAtExpired, Named, "offline-queue"),
        // The interval in DISCONNECT may be the shorter or the longer one.
        new(DisconnectExpiryIgnored, Named, "session-expiry", "session-not-present", "session-ends", "session-present"),
        new(DisconnectZeroIgnored, Named, "session-ends", "session-not-present", "session-expiry"),
        new(KeepAliveIgnored, Named, "keep-alive"),
        new(SilentWithoutWill, Named, "will-published"),
        new(WillDelayAtMostTwo, Named, "will-delay"),
        new(WillDelayIgnored, Named, "will-delay"),
        new(WillDelayNotCancelled, Named, "will-delay"),
        new(SessionExpiryIgnored, Named, "session-expiry"),
        new(ShortSessionEndsAtOnce, Named, "session-present"),
        new(SharedToTwo, Named, "shared-once"),
        new(SharedUnsubscribeEndsAll, Named, "shared-delivered"),
        new(SharedAtQos0, Named, "delivery-qos", "shared-delivered"),
        new(AliasNotSetAnew, Named, "topic-matches"),
        new(FifthSubscriptionLost, Named, "delivered"),
        new(ByteOrderMarkStripped, Named, "topic-matches"),
        new(PubrelNotResumed, Named, "resend"),
        new(ReceivedQos2Forgotten, Named, "qos2-exactly-once"),
        new(WindowIgnoredOnResume, Named, "receive-maximum"),
        new(PubackOfEightBits, Named, "answer-identifier", "puback"),
        new(OverlapReplaces, Named, "copies"),
        new(NoLocalIgnored, Further, "no-local"),
        new(StoredWithoutRetain, Further, "retain-flag-stored"),
        new(RetainAsPublishedIgnored, Further, "retain-flag-live"),
        new(PublishedQos, Further, "delivery-qos"),
        new(SessionNeverPresent, Further, "session-present"),
        new(WillAfterDisconnect, Further, "will-discarded"),
        new(SubackReversed, Further, "suback-codes"),
        new(UnsubackAlwaysSuccess, Further, "unsuback-told"),
        new(UnsubscribeFirstOnly, Further, "unsubscribed"),
        new(ResendWithoutDup, Further, "dup-on-resend"),
        new(Qos2Repeated, Further, "qos2-exactly-once"),
        new(SendIfNewAlways, Further, "retain-handling"),
        new(PropertiesDropped, Further, "properties-forwarded"),
        new(DeleteIgnored, Further, "retained-deleted"),
        new(MaximumPacketIgnored, Further, "maximum-packet-size"),
        new(QueueLost, Further, "offline-queue"),
        new(WillNotRetained, Further, "retained-kept", "retained-sent", "retain-flag-live"),
        new(WillLostOnError, Further, "will-published"),
        new(WillLostAtTakeOver, Further, "will-published"),
        new(WillLostOnDisconnect, Further, "will-published"),
        new(WillPropertiesDropped, Further, "properties-forwarded"),
        new(WillOutlivesSession, Further, "will-published", "will-delay", "will-at-take-over"),
        new(WillOfEarlierConnection, Further, "will-discarded"),
        new(ResendReversed, Further, "resend-order"),
        new(InFlightForgotten, Further, "resend"),
        new(WindowFreedAtPubrec, Further, "receive-maximum"),
        new(RetainedExpiryNotCounted, Further, "message-expiry"),
        new(ExpiryNotForwarded, Further, "message-expiry"),
        new(RetainedWithoutIdentifier, Further, "subscription-identifiers"),
        new(SharedWithoutIdentifier, Further, "subscription-identifiers"),
        new(ResubscribeKeepsOptions, Further, "copies", "no-local", "retain-flag-live"),
        new(ResubscribeKeepsIdentifier, Further, "copies", "subscription-identifiers"),
        new(ResubscribeKeepsQos, Further, "copies", "delivery-qos"),
        new(EmptyDeletes, Further, "retained-untouched"),
        new(SendIfNewNever, Further, "retain-handling"),
        new(DoNotSendIgnored, Further, "retain-handling"),
        new(UnsubscribeCovered, Further, "unsubscribed"),
        new(ShareNameIgnored, Further, "shared-delivered"),
        new(SharedRetained, Further, "shared-not-retained"),
        new(NoSubscribersAlways, Further, "no-matching-subscribers"),
        new(NoEndAsZero, Further, "session-present"),
        new(CleanStartKeepsQueue, Further, "clean-start", "session-ends"),
        new(CleanStartKeepsReceived, Further, "clean-start", "delivered"),
        new(SubscriptionsLostOnResume, Further, "session-present", "delivered"),
        new(
            OptionsLostOnResume,
            Further,
            "session-present",
            "no-local",
            "retain-flag-live",
            "subscription-identifiers"
        ),
        new(PingIsNoActivity, Further, "keep-alive", "connection-kept"),
        new(SendingIsActivity, Further, "keep-alive"),
        new(UserPropertiesReversed, Further, "properties-forwarded"),
        new(DupForwarded, Further, "dup-not-copied"),
        new(DollarMatched, Further, "dollar-topics"),
        new(DeleteNotForwarded, Further, "delivered"),
        new(QueueReversed, Further, "order"),
        new(DisconnectTold311, Further, "server-disconnect"),
        new(RetainedOnResume, Further, "copies", "retain-flag-live"),
        new(ExpiryFromConnect, Further, "session-expiry", "session-present"),
    ];
}
