using System.Diagnostics;
using System.Text;
using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Core;

/// <content>Supports mutants and unusual habits; the core itself does not need it.</content>
internal sealed partial class BrokerCore
{
    private const long LateNanoseconds = 5_000_000;

    private bool Is(BrokerMutant mutant) => _mutant == mutant;

    private bool Has(BrokerHabits habit) => (_habits & habit) != 0;

    private void SendLate(Connection to, byte[] packet)
    {
        to.Late.Enqueue((_now + LateNanoseconds, packet));
        if (to.Late.Count == 1)
            _timers.Set(to.Lateness, _now + LateNanoseconds);
    }

    private void SendDue(Connection to)
    {
        while (to.Late.TryPeek(out var next) && next.DueNanoseconds <= _now)
            _output.Send(to.Number, to.Late.Dequeue().Packet);
        if (to.Late.TryPeek(out var rest))
            _timers.Set(to.Lateness, rest.DueNanoseconds);
    }

    private uint DelaySeconds(Will will) =>
        Is(BrokerMutant.WillDelayIgnored) ? 0
        : Is(BrokerMutant.WillDelayAtMostTwo) ? Math.Min(2, will.DelaySeconds)
        : will.DelaySeconds;

    private bool SendsExpired(bool isHead) =>
        Is(BrokerMutant.ExpiredQueueSent) || (isHead && Is(BrokerMutant.ExpiredHeadSent));

    private bool ChangesStore(Message message) =>
        Is(BrokerMutant.Qos0NotRetained) ? message.Qos > QualityOfService.AtMostOnce
        : Is(BrokerMutant.Qos0DoesNotDelete) ? message.Qos > QualityOfService.AtMostOnce || !message.Payload.IsEmpty
        : !Is(BrokerMutant.DeleteIgnored) || !message.Payload.IsEmpty;

    // Whether a will is lost that the end of its connection sets free.
    private bool LosesWill(Connection connection, BrokerCloseReason reason) =>
        reason switch
        {
            BrokerCloseReason.ProtocolError => Is(BrokerMutant.WillLostOnError),
            BrokerCloseReason.TakenOver => Is(BrokerMutant.WillLostAtTakeOver),
            BrokerCloseReason.Disconnected => Is(BrokerMutant.WillLostOnDisconnect),
            BrokerCloseReason.Silent => Is(BrokerMutant.SilentWithoutWill),
            BrokerCloseReason.Refused
            or BrokerCloseReason.Limit
            or BrokerCloseReason.Disturbance
            or BrokerCloseReason.ShuttingDown => false,
            _ => throw new UnreachableException(),
        };

    // Adds a subscription in place of another to the same filter, whose options may stay.
    private bool Add(Subscription subscription)
    {
        if (subscription.Session.Subscriptions.TryGetValue(subscription.Filter, out var before))
            subscription = subscription.With(
                Is(BrokerMutant.ResubscribeKeepsQos) ? before.Qos : subscription.Qos,
                (Is(BrokerMutant.ResubscribeKeepsOptions) ? before : subscription).NoLocal,
                (Is(BrokerMutant.ResubscribeKeepsOptions) ? before : subscription).RetainAsPublished,
                (Is(BrokerMutant.ResubscribeKeepsIdentifier) ? before : subscription).Identifiers
            );
        return _router.Add(subscription);
    }

    // Applies the mutants that make a resumed session lose something or get it once more.
    private void SpoilResumed(Session session)
    {
        foreach (var subscription in session.Subscriptions.Values.ToArray())
        {
            if (Is(BrokerMutant.SubscriptionsLostOnResume))
                _router.Remove(session, subscription.Filter);
            else if (Is(BrokerMutant.OptionsLostOnResume))
                _router.Add(subscription.With(subscription.Qos, false, false, null));
            else if (Is(BrokerMutant.RetainedOnResume) && !SharedFilter.IsShared(subscription.Filter))
                SendRetained(subscription);
        }
        if (Is(BrokerMutant.InFlightForgotten))
            session.Window.ForgetPublished();
        if (Is(BrokerMutant.ResendReversed))
            session.Window.Reverse();
        if (Is(BrokerMutant.QueueReversed))
            session.ReverseQueue();
    }

    // Applies the mutants that keep state of the earlier session although the client asks for a clean start.
    private void Inherit(Session? before, Session session)
    {
        if (before is null)
            return;
        if (Is(BrokerMutant.CleanStartKeepsReceived))
            session.ReceivedQos2.UnionWith(before.ReceivedQos2);
        if (Is(BrokerMutant.CleanStartKeepsQueue))
            while (before.TryDequeue(out var delivery))
                session.Enqueue(delivery);
    }

    private bool EndsAtOnce(Connection connection, Session session) =>
        (Is(BrokerMutant.ShortSessionEndsAtOnce) && session.ExpirySeconds < 10)
        || (
            Is(BrokerMutant.NoEndAsZero)
            && session.ExpirySeconds == uint.MaxValue
            && connection.Version == ProtocolVersion.V5
        );

    private bool IsFifthLost(Session session, string filter) =>
        (
            (Is(BrokerMutant.FifthSubscriptionLost) && session.Subscriptions.Count >= 4)
            || (Is(BrokerMutant.SubscriptionLostAt257) && session.Subscriptions.Count >= 256)
        ) && !session.Subscriptions.ContainsKey(filter);

    private void RemoveUnsubscribed(Session session, string filter)
    {
        _router.Remove(session, filter);
        if (Is(BrokerMutant.SharedUnsubscribeEndsAll))
            _router.RemoveGroup(filter);
        if (Is(BrokerMutant.UnsubscribeCovered))
            RemoveCovered(session, filter);
    }

    private Message Spoil(Message message)
    {
        if (Is(BrokerMutant.ExpiryNotForwarded) && message.ExpiresAtNanoseconds != long.MaxValue)
            return message.Expiring(long.MaxValue);
        if (!Is(BrokerMutant.UserPropertiesReversed) || message.Properties.IsEmpty)
            return message;
        return message.WithProperties(ForwardedProperties.Reversed(message.Properties));
    }

    // Whether the bytes that came are not handled: a single byte, or the ninth packet of those that came at once.
    private bool LosesRest(Connection from, ReadOnlySpan<byte> bytes, int packets)
    {
        if (Is(BrokerMutant.PiecesFail) && bytes.Length == 1)
            Fail(from, ReasonCode.MalformedPacket);
        return from.IsClosed || (Is(BrokerMutant.EightPacketsAtOnce) && packets >= 8);
    }

    private string SpoiledIdentifier(string identifier) =>
        Is(BrokerMutant.IdentifierCaseIgnored) ? identifier.ToUpperInvariant()
        : Is(BrokerMutant.IdentifierCut) && identifier.Length > 23 ? identifier[..23]
        : identifier;

    private ReadOnlySpan<byte> SpoiledTopic(ReadOnlySpan<byte> topic) =>
        Is(BrokerMutant.ByteOrderMarkStripped) ? WithoutByteOrderMarks(topic)
        : Is(BrokerMutant.LeadingMarkStripped) && topic.StartsWith("\uFEFF"u8) ? topic[3..]
        : Is(BrokerMutant.TrailingBlankStripped) ? topic.TrimEnd((byte)' ')
        : topic;

    private bool KeepsFrom(Session session, Message message) =>
        (
            Is(BrokerMutant.PropertiesKeepFrom311)
            && !message.Properties.IsEmpty
            && session.Connection is { Version: not ProtocolVersion.V5 }
        ) || (Is(BrokerMutant.LongTopicLost) && message.Topic.Length > 255);

    private bool FailsOn(Connection from, ReadOnlySpan<byte> packet, in AckView ack) =>
        Is(BrokerMutant.LongAckFails)
        && from.Version == ProtocolVersion.V5
        && packet.Length == 6
        && ack.ReasonCode == ReasonCode.Success;

    private static bool IsParentOf(string filter, Message message) =>
        filter.EndsWith("/#", StringComparison.Ordinal)
        && TopicFilter.Matches(filter[..^2], Encoding.UTF8.GetString(message.Topic));

    private void RemoveCovered(Session session, string filter)
    {
        foreach (
            var other in session
                .Subscriptions.Keys.Where(other => other != filter && FilterRelations.Covers(filter, other))
                .ToArray()
        )
            _router.Remove(session, other);
    }

    private static ReadOnlySpan<byte> WithoutByteOrderMarks(ReadOnlySpan<byte> topic) =>
        topic.IndexOf("\uFEFF"u8) < 0
            ? topic
            : Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(topic).Replace("\uFEFF", "", StringComparison.Ordinal));
}
