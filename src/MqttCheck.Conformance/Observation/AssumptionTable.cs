using MqttCheck.Conformance.Model;
using static MqttCheck.Conformance.Observation.AssumedFaults;

namespace MqttCheck.Conformance.Observation;

/// <summary>
/// Maps each statement to the consequences of its violation: the certainty that the model loses, and the other
/// statements that the same fault violates.
/// </summary>
internal static class AssumptionTable
{
    // Each violation of one of these has a cause of its own: one rule of the format, one defect, one refusal.
    private static readonly HashSet<Statement> s_oneOfMany =
    [
        Statements.Encoding,
        Statements.Malformed,
        Statements.Detected,
        Statements.Permitted,
        Statements.Offered,
        Statements.FilterAccepted,
        Statements.ConnectionKept,
        Statements.Available,
        Statements.Connack,
    ];

    private static readonly Dictionary<Statement, (AssumedFaults Faults, Statement[] Others)> s_consequences = new()
    {
        [Statements.NoLocal] = (NoLocalIgnored, []),
        [Statements.RetainFlagOnStored] = (StoredFlagClear, []),
        [Statements.RetainFlagLive] = (LiveFlagAny, []),
        [Statements.DeliveryQos] = (QosAny, [Statements.Overlap]),
        [Statements.SubackCodes] = (GrantsUnknown | QosAny, []),
        [Statements.TopicMatches] = (TopicsConfused, []),
        [Statements.RetainDeleted] = (StoredStays, []),
        [Statements.Qos0Replaces] = (StoredStays, []),
        [Statements.RetainKept] = (StoredStays | StoredMissing, [Statements.RetainSent, Statements.RetainSentAgain]),
        [Statements.RetainSent] = (StoredMissing, [Statements.RetainSentAgain]),
        [Statements.RetainSentAgain] = (StoredMissing, []),
        [Statements.RetainUntouched] = (StoredTouched, []),
        [Statements.RetainHandling] = (RetainHandlingIgnored, [Statements.RetainSentAgain]),
        [Statements.SessionAbsent] = (SessionOutlives, [Statements.CleanNotPresent, Statements.RefusedNotPresent]),
        [Statements.SessionEnds] = (SessionOutlives, []),
        [Statements.SessionExpiry] = (SessionOutlives, []),
        [Statements.CleanStart] = (CleanStartIgnored, []),
        [Statements.CleanNotPresent] = (CleanStartIgnored, [Statements.SessionAbsent, Statements.RefusedNotPresent]),
        // A will that waits for its delay is published when its session ends.
        [Statements.SessionPresent] = (SessionLost | WillUntimely, []),
        [Statements.WillPublished] = (WillLost, []),
        [Statements.WillDelay] = (WillUntimely, []),
        [Statements.WillDiscarded] = (WillKept, []),
        [Statements.Delivered] = (SubscriptionLost | MessageLost, []),
        [Statements.OneCopy] = (
            SubscriptionLost | GrantsUnknown | CopiesAny,
            [Statements.Qos0Once, Statements.ExactlyOnce]
        ),
        [Statements.SubscriptionIdentifiers] = (None, [Statements.AllIdentifiers]),
        [Statements.AllIdentifiers] = (None, [Statements.SubscriptionIdentifiers]),
        [Statements.Unsubscribed] = (UnsubscribeIgnored, []),
        [Statements.OfflineQueue] = (QueueLost, []),
        [Statements.SharedDelivered] = (SharedLost, []),
        [Statements.SharedNotRetained] = (SharedStored, []),
        [Statements.MessageExpiry] = (None, [Statements.Expired]),
        [Statements.Expired] = (None, [Statements.MessageExpiry]),
        [Statements.SharedOnce] = (None, [Statements.SharedFinish]),
        [Statements.SharedFinish] = (None, [Statements.SharedOnce]),
        [Statements.Qos0Once] = (CopiesAny, [Statements.ExactlyOnce]),
        [Statements.ExactlyOnce] = (CopiesAny, [Statements.Qos0Once]),
        [Statements.DollarTopics] = (DollarMatched, []),
        [Statements.Resend] = (ResendLost, []),
        // A message that had been sent before it expired may be sent again, which DUP tells.
        [Statements.DupOnResend] = (None, [Statements.Expired]),
        [Statements.AnswerIdentifier] = (
            AcknowledgementsAny,
            [
                Statements.Puback,
                Statements.Pubrec,
                Statements.Pubcomp,
                Statements.Pubrel,
                Statements.Suback,
                Statements.SubackCodes,
                Statements.Unsuback,
                Statements.UnsubackCodes,
                Statements.UnsubackTold,
            ]
        ),
        [Statements.Puback] = (AcknowledgementsAny, [Statements.AnswerIdentifier]),
        [Statements.Pubrec] = (AcknowledgementsAny, [Statements.AnswerIdentifier]),
        [Statements.Pubcomp] = (AcknowledgementsAny, [Statements.AnswerIdentifier]),
    };

    /// <summary>Whether each violation of a statement is a fault of its own, from which no other follows.</summary>
    /// <param name="statement">The statement.</param>
    public static bool IsOneOfMany(Statement statement) => s_oneOfMany.Contains(statement);

    /// <summary>The consequences of the violation of a statement.</summary>
    /// <param name="statement">The statement.</param>
    public static (AssumedFaults Faults, Statement[] Others) Of(Statement statement) =>
        s_consequences.GetValueOrDefault(statement, (None, []));
}
