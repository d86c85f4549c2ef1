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
        new(DisconnectExpiryIgnored, true, "session-expiry", "session-not-present", "session-ends"),
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
        new(UnsubackAlwaysSuccess, false, "unsuback-codes"),
        new(UnsubscribeFirstOnly, false, "unsubscribed"),
        new(ResendWithoutDup, false, "dup-on-resend"),
        new(Qos2Repeated, false, "qos2-exactly-once"),
        new(SendIfNewAlways, false, "retain-handling"),
        new(PropertiesDropped, false, "properties-forwarded"),
        new(DeleteIgnored, false, "retained-deleted"),
        new(MaximumPacketIgnored, false, "maximum-packet-size"),
        new(QueueLost, false, "offline-queue"),
        new(WillNotRetained, false, "retained-kept", "retained-sent", "retain-flag-live"),
    ];
}
