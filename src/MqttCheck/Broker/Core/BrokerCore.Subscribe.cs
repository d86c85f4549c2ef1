using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Routing;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Broker.Core;

/// <content>SUBSCRIBE and UNSUBSCRIBE.</content>
internal sealed partial class BrokerCore
{
    private void HandleSubscribe(Connection from, SubscribePacket packet)
    {
        var session = from.Session!;
        if (Violation(from, packet) is { } violation)
        {
            Fail(from, violation);
            return;
        }
        var identifiers = IdentifiersOf(packet);
        var codes = new ReasonCode[packet.Subscriptions.Count];
        var wantRetained = new List<Subscription>();
        for (var i = 0; i < codes.Length; i++)
        {
            var request = packet.Subscriptions[i];
            if (ReasonToFail(from, request) is { } failure)
            {
                codes[i] = from.Version == ProtocolVersion.V5 ? failure : ReasonCode.UnspecifiedError;
                if (Is(BrokerMutant.RefusedFilterBrings))
                    wantRetained.Add(
                        new()
                        {
                            Session = session,
                            Filter = request.Filter,
                            Qos = request.Qos,
                        }
                    );
                continue;
            }
            var qos = request.Qos < _limits.MaximumQos ? request.Qos : _limits.MaximumQos;
            if (Has(BrokerHabits.LowerGrant) && qos == QualityOfService.ExactlyOnce)
                qos = QualityOfService.AtLeastOnce;
            codes[i] = (ReasonCode)qos;
            var subscription = new Subscription
            {
                Session = session,
                Filter = request.Filter,
                Qos = qos,
                NoLocal = request.NoLocal && !Is(BrokerMutant.NoLocalIgnored),
                RetainAsPublished = request.RetainAsPublished,
                Identifiers = identifiers,
            };
            if (IsFifthLost(session, request.Filter))
                continue;
            if (Is(BrokerMutant.OverlapReplaces))
                RemoveCovered(session, request.Filter);
            var isNew = Add(subscription);
            isNew |= Is(BrokerMutant.SendIfNewAlways);
            isNew &= !Is(BrokerMutant.SendIfNewNever);
            if (WantsRetained(request, isNew))
                wantRetained.Add(subscription);
        }
        if (Is(BrokerMutant.SubackReversed))
            Array.Reverse(codes);
        Answer(from, new SubackPacket(packet.PacketId, [.. codes]) { Properties = Problem() });
        foreach (var subscription in wantRetained)
            SendRetained(subscription);
    }

    // A shared subscription gets no retained messages (section 4.8.2).
    private bool WantsRetained(in SubscriptionRequest request, bool isNew) =>
        (
            request.RetainHandling == RetainHandling.Send
            || (request.RetainHandling == RetainHandling.SendIfNew && isNew)
            || Is(BrokerMutant.DoNotSendIgnored)
        ) && (!SharedFilter.IsShared(request.Filter) || Is(BrokerMutant.SharedRetained));

    private uint[]? IdentifiersOf(SubscribePacket packet) =>
        packet.Properties.SubscriptionIdentifiers is not [var first, ..] ? null
        : Is(BrokerMutant.IdentifierOf14Bits) ? [first & 0x3FFF | 1]
        : [first];

    private PacketProperties Problem() =>
        Is(BrokerMutant.ProblemInformationAlways)
            ? new PacketProperties { ReasonString = "done" }
            : PacketProperties.Empty;

    // In MQTT 5, using a feature that the broker announced as missing is a protocol error (sections 3.2.2.3.11 to
    // 3.2.2.3.13). MQTT 3.1.1 only lets single filters fail.
    private ReasonCode? Violation(Connection from, SubscribePacket packet)
    {
        if (from.Version != ProtocolVersion.V5)
            return null;
        if (packet.Properties.UserProperties.Count > 0 && Is(BrokerMutant.RequestPropertiesFail))
            return ReasonCode.MalformedPacket;
        if (packet.Properties.SubscriptionIdentifiers.Count > 0 && !_limits.SubscriptionIdentifiers)
            return ReasonCode.SubscriptionIdentifiersNotSupported;
        foreach (var request in packet.Subscriptions)
        {
            var isShared = SharedFilter.IsShared(request.Filter);
            if (isShared && !_limits.SharedSubscriptions)
                return ReasonCode.SharedSubscriptionsNotSupported;
            if (isShared && request.NoLocal)
                return ReasonCode.ProtocolError;
            if (!_limits.WildcardSubscriptions && HasWildcard(request.Filter))
                return ReasonCode.WildcardSubscriptionsNotSupported;
        }
        return null;
    }

    private ReasonCode? ReasonToFail(Connection from, in SubscriptionRequest request)
    {
        if (
            !TopicFilter.IsValid(request.Filter, ProtocolVersion.V5)
            || TopicLevels.Count(request.Filter) > _limits.TopicLevels
        )
            return ReasonCode.TopicFilterInvalid;
        if (SharedFilter.IsShared(request.Filter) && !_limits.SharedSubscriptions)
            return ReasonCode.SharedSubscriptionsNotSupported;
        if (!_limits.WildcardSubscriptions && HasWildcard(request.Filter))
            return ReasonCode.WildcardSubscriptionsNotSupported;
        if (!_access.MaySubscribe(from.UserName, SharedFilter.FilterOf(request.Filter)))
            return ReasonCode.NotAuthorized;
        var subscriptions = from.Session!.Subscriptions;
        return subscriptions.Count >= _limits.SubscriptionsPerSession && !subscriptions.ContainsKey(request.Filter)
            ? ReasonCode.QuotaExceeded
            : null;
    }

    private static bool HasWildcard(string filter) => filter.AsSpan().ContainsAny('+', '#');

    private void HandleUnsubscribe(Connection from, UnsubscribePacket packet)
    {
        if (packet.Properties.UserProperties.Count > 0 && Is(BrokerMutant.RequestPropertiesFail))
        {
            Fail(from, ReasonCode.MalformedPacket);
            return;
        }
        var codes = new ReasonCode[packet.Filters.Count];
        for (var i = 0; i < codes.Length; i++)
        {
            var exists = from.Session!.Subscriptions.ContainsKey(packet.Filters[i]);
            codes[i] =
                exists || Is(BrokerMutant.UnsubackAlwaysSuccess)
                    ? ReasonCode.Success
                    : ReasonCode.NoSubscriptionExisted;
            if (
                !exists
                || _dice.Happens(BrokerFault.IgnoreUnsubscribe, _now)
                || (i > 0 && Is(BrokerMutant.UnsubscribeFirstOnly))
            )
                continue;
            RemoveUnsubscribed(from.Session, packet.Filters[i]);
            from.Session.Retained?.Remove(packet.Filters[i]);
        }
        Answer(from, new UnsubackPacket(packet.PacketId, [.. codes]) { Properties = Problem() });
    }
}
