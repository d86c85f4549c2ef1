using MqttCheck.Broker.Faults;
using static MqttCheck.Broker.Faults.BrokerMutant;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// The mutants of the embedded broker's core, each with the statements that it violates; the right one comes first.
/// </summary>
/// <param name="Mutant">The mutant.</param>
/// <param name="IsOfNamedClass">
/// Whether it is of a class that an earlier trial found the checker blind to, or short of scenarios for.
/// </param>
/// <param name="Statements">The names of the statements under which a finding is right.</param>
internal sealed record MutantDescription(BrokerMutant Mutant, bool IsOfNamedClass, params string[] Statements)
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<MutantDescription> All { get; } =
    [
        new(DupAfterAbsence, true, "dup-not-copied"),
        new(DupBehindWindow, true, "dup-not-copied"),
        new(FirstIdentifierOnly, true, "all-identifiers", "subscription-identifiers"),
        new(LastIdentifierOnly, true, "all-identifiers", "subscription-identifiers"),
        new(Qos0NotRetained, true, "retained-qos0-replaces", "retained-kept"),
        new(Qos0DoesNotDelete, true, "retained-deleted"),
        new(SilentTakeOver, true, "take-over-told"),
        new(HashWithoutRetained, true, "retained-sent"),
        new(ParentWithoutRetained, true, "retained-sent"),
        new(ExpiredHeadSent, true, "expired"),
        new(ExpiredQueueSent, true, "expired"),
        new(ExpiredRetainedSent, true, "expired"),
        new(QueueStallsAtExpired, true, "offline-queue"),
        // The interval in DISCONNECT may be the shorter or the longer one.
        new(DisconnectExpiryIgnored, true, "session-expiry", "session-not-present", "session-ends", "session-present"),
        new(DisconnectZeroIgnored, true, "session-ends", "session-not-present", "session-expiry"),
        new(KeepAliveIgnored, true, "keep-alive"),
        new(SilentWithoutWill, true, "will-published"),
        new(WillDelayAtMostTwo, true, "will-delay"),
        new(WillDelayIgnored, true, "will-delay"),
        new(WillDelayNotCancelled, true, "will-delay"),
        new(SessionExpiryIgnored, true, "session-expiry"),
        new(ShortSessionEndsAtOnce, true, "session-present"),
        new(SharedToTwo, true, "shared-once"),
        new(SharedUnsubscribeEndsAll, true, "shared-delivered"),
        new(SharedAtQos0, true, "delivery-qos", "shared-delivered"),
        new(AliasNotSetAnew, true, "topic-matches"),
        new(FifthSubscriptionLost, true, "delivered"),
        new(ByteOrderMarkStripped, true, "topic-matches"),
        new(PubrelNotResumed, true, "resend"),
        new(ReceivedQos2Forgotten, true, "qos2-exactly-once"),
        new(WindowIgnoredOnResume, true, "receive-maximum"),
        new(PubackOfEightBits, true, "answer-identifier", "puback"),
        new(OverlapReplaces, true, "copies"),
        new(NoLocalIgnored, false, "no-local"),
        new(StoredWithoutRetain, false, "retain-flag-stored"),
        new(RetainAsPublishedIgnored, false, "retain-flag-live"),
        new(PublishedQos, false, "delivery-qos"),
        new(SessionNeverPresent, false, "session-present"),
        new(WillAfterDisconnect, false, "will-discarded"),
        new(SubackReversed, false, "suback-codes"),
        new(UnsubackAlwaysSuccess, false, "unsuback-told"),
        new(UnsubscribeFirstOnly, false, "unsubscribed"),
        new(ResendWithoutDup, false, "dup-on-resend"),
        new(Qos2Repeated, false, "qos2-exactly-once"),
        new(SendIfNewAlways, false, "retain-handling"),
        new(PropertiesDropped, false, "properties-forwarded"),
        new(DeleteIgnored, false, "retained-deleted"),
        new(MaximumPacketIgnored, false, "maximum-packet-size"),
        new(QueueLost, false, "offline-queue"),
        new(WillNotRetained, false, "retained-kept", "retained-sent", "retain-flag-live"),
        new(WillLostOnError, false, "will-published"),
        new(WillLostAtTakeOver, false, "will-published"),
        new(WillLostOnDisconnect, false, "will-published"),
        new(WillPropertiesDropped, false, "properties-forwarded"),
        new(WillOutlivesSession, false, "will-published", "will-delay", "will-at-take-over"),
        new(WillOfEarlierConnection, false, "will-discarded"),
        new(ResendReversed, false, "resend-order"),
        new(InFlightForgotten, false, "resend"),
        new(WindowFreedAtPubrec, false, "receive-maximum"),
        new(RetainedExpiryNotCounted, false, "message-expiry"),
        new(ExpiryNotForwarded, false, "message-expiry"),
        new(RetainedWithoutIdentifier, false, "subscription-identifiers"),
        new(SharedWithoutIdentifier, false, "subscription-identifiers"),
        new(ResubscribeKeepsOptions, false, "copies", "no-local", "retain-flag-live"),
        new(ResubscribeKeepsIdentifier, false, "copies", "subscription-identifiers"),
        new(ResubscribeKeepsQos, false, "copies", "delivery-qos"),
        new(EmptyDeletes, false, "retained-untouched"),
        new(SendIfNewNever, false, "retain-handling"),
        new(DoNotSendIgnored, false, "retain-handling"),
        new(UnsubscribeCovered, false, "unsubscribed"),
        new(ShareNameIgnored, false, "shared-delivered"),
        new(SharedRetained, false, "shared-not-retained"),
        new(NoSubscribersAlways, false, "no-matching-subscribers"),
        new(NoEndAsZero, false, "session-present"),
        new(CleanStartKeepsQueue, false, "clean-start", "session-ends"),
        new(CleanStartKeepsReceived, false, "clean-start", "delivered"),
        new(SubscriptionsLostOnResume, false, "session-present", "delivered"),
        new(OptionsLostOnResume, false, "session-present", "no-local", "retain-flag-live", "subscription-identifiers"),
        new(PingIsNoActivity, false, "keep-alive", "connection-kept"),
        new(SendingIsActivity, false, "keep-alive"),
        new(UserPropertiesReversed, false, "properties-forwarded"),
        new(DupForwarded, false, "dup-not-copied"),
        new(DollarMatched, false, "dollar-topics"),
        new(DeleteNotForwarded, false, "delivered"),
        new(QueueReversed, false, "order"),
        new(DisconnectTold311, false, "server-disconnect"),
        new(RetainedOnResume, false, "copies", "retain-flag-live"),
        new(ExpiryFromConnect, false, "session-expiry", "session-present"),
    ];
}
