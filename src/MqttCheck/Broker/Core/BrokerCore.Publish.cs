using System.Text;
using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Broker.Core;

/// <content>PUBLISH from clients, and the acknowledgements in both directions.</content>
internal sealed partial class BrokerCore
{
    private void HandlePublish(Connection from, ReadOnlySpan<byte> packet)
    {
        _dice.Published(_now);
        if (!PublishView.TryParse(from.Version, packet, out var publish, PacketOrigin.Client))
        {
            // The decoder names the rule that is broken.
            if (TryDecode(from, packet, out _))
                Fail(from, ReasonCode.MalformedPacket);
            return;
        }
        var topic = publish.Topic;
        if (publish.TopicAlias > _limits.TopicAliasMaximum)
        {
            Fail(from, ReasonCode.TopicAliasInvalid);
            return;
        }
        if (publish.TopicAlias > 0)
            topic = from.ResolveAlias(
                publish.TopicAlias,
                topic,
                _limits.TopicAliasMaximum,
                Is(BrokerMutant.AliasNotSetAnew)
            );
        topic = SpoiledTopic(topic);
        if (topic.IsEmpty)
            Fail(from, ReasonCode.ProtocolError);
        else if (publish.Qos > _limits.MaximumQos)
            Fail(from, ReasonCode.QosNotSupported);
        else if (publish.Retain && _limits.RetainedMessages == 0)
            Fail(from, ReasonCode.RetainNotSupported);
        else if (TopicLevels.Count(topic) > _limits.TopicLevels)
            Fail(from, ReasonCode.TopicNameInvalid);
        else
            TakePublish(from, publish, topic);
    }

    private void TakePublish(Connection from, in PublishView publish, ReadOnlySpan<byte> topic)
    {
        var session = from.Session!;
        if (publish.Qos == QualityOfService.ExactlyOnce)
        {
            // Until PUBREL the same identifier means the same message (MQTT-4.3.3-2; 5: MQTT-4.3.3-10).
            if (session.ReceivedQos2.Contains(publish.PacketId) && !Is(BrokerMutant.Qos2Repeated))
            {
                if (_peers is null || !IsHeld(session, publish.PacketId))
                    _sender.SendAck(from, PacketType.Pubrec, publish.PacketId, ReasonCode.Success);
                return;
            }
            if (
                from.Version == ProtocolVersion.V5
                && session.ReceivedQos2.Count >= _limits.ReceiveMaximum
                && from.Peer == NoPeer
            )
            {
                Fail(from, ReasonCode.ReceiveMaximumExceeded);
                return;
            }
        }
        if (from.Peer != NoPeer)
        {
            TakeFromPeer(from, publish, topic);
            return;
        }
        var reason = ReasonCode.NotAuthorized;
        string? topicText = null;
        _heldToken = NotHeld;
        var isAllowed = _peers is null || !IsReserved(topic);
        if (
            isAllowed
            && (_access.HasNoRules || _access.MayPublish(from.UserName, topicText = Encoding.UTF8.GetString(topic)))
        )
        {
            var message = MessageOf(from, publish, topic);
            reason =
                (Publish(message, topicText) > 0 || _peers is not null) && !Is(BrokerMutant.NoSubscribersAlways)
                    ? ReasonCode.Success
                    : ReasonCode.NoMatchingSubscribers;
        }
        switch (publish.Qos)
        {
            case QualityOfService.AtLeastOnce:
                Acknowledge(
                    from,
                    PacketType.Puback,
                    Is(BrokerMutant.PubackOfEightBits) ? (ushort)(publish.PacketId & 0xFF) : publish.PacketId,
                    reason
                );
                break;
            case QualityOfService.ExactlyOnce:
                // An identifier whose PUBREC reports an error is free again; 3.1.1 cannot report one.
                if (reason < ReasonCode.UnspecifiedError || from.Version != ProtocolVersion.V5)
                    session.ReceivedQos2.Add(publish.PacketId);
                Acknowledge(from, PacketType.Pubrec, publish.PacketId, reason);
                break;
        }
    }

    private void Acknowledge(Connection to, PacketType type, ushort packetId, ReasonCode reason)
    {
        if (_peers is null || !IsHeld(to, type, packetId, reason))
            _sender.SendAck(to, type, packetId, reason);
    }

    private Message MessageOf(Connection from, in PublishView publish, ReadOnlySpan<byte> topic)
    {
        var properties = _forwarded.Of(publish.RawProperties, out var expirySeconds);
        if (Is(BrokerMutant.PropertiesDropped))
            properties = default;
        var expiresAt = expirySeconds is { } seconds ? _now + (seconds * Second) : long.MaxValue;
        var message = new Message(
            topic,
            properties,
            publish.Payload.Length > ushort.MaxValue && Is(BrokerMutant.LargePayloadCut)
                ? publish.Payload[..ushort.MaxValue]
                : publish.Payload,
            publish.Qos,
            publish.Retain,
            expiresAt,
            from.Session!.ClientId
        )
        {
            Duplicate = publish.Duplicate,
            ExpirySeconds = expirySeconds,
        };
        return Spoil(message);
    }

    private int Publish(Message message, string? topic)
    {
        _counters.Published++;
        var deliveries = Route(message, topic);
        if (_peers is not null)
            TellPeers(message);
        return deliveries;
    }

    private int Route(Message message, string? topic)
    {
        if (message.Retain && ChangesStore(message))
        {
            topic ??= Encoding.UTF8.GetString(message.Topic);
            if (_retainedTurns.Count > 0)
                SendBeforeItGoes(topic);
            if (message.Payload.IsEmpty)
                _retained.Remove(topic);
            else if (!_dice.Happens(BrokerFault.ForgetRetained, _now) && !_retained.Set(topic, message, _now))
                _counters.Dropped++;
        }
        if (Is(BrokerMutant.EmptyDeletes) && message.Payload.IsEmpty)
            _retained.Remove(topic ?? Encoding.UTF8.GetString(message.Topic));
        if (Is(BrokerMutant.DeleteNotForwarded) && message.Retain && message.Payload.IsEmpty)
            return 0;
        var matches = _router.Route(message);
        foreach (ref readonly var match in matches)
        {
            if (KeepsFrom(match.Session, message))
                continue;
            var qos = match.Qos < message.Qos && !Is(BrokerMutant.PublishedQos) ? match.Qos : message.Qos;
            Deliver(
                match.Session,
                new Delivery(
                    message,
                    qos,
                    match.RetainAsPublished && message.Retain && !Is(BrokerMutant.RetainAsPublishedIgnored),
                    match.Identifiers
                )
            );
        }
        return matches.Length;
    }

    private void HandleAck(Connection from, ReadOnlySpan<byte> packet)
    {
        if (!AckView.TryParse(from.Version, packet, out var ack, PacketOrigin.Client))
        {
            if (TryDecode(from, packet, out _))
                Fail(from, ReasonCode.MalformedPacket);
            return;
        }
        if (FailsOn(from, packet, ack))
        {
            Fail(from, ReasonCode.MalformedPacket);
            return;
        }
        var session = from.Session!;
        switch (ack.Type)
        {
            case PacketType.Puback
            or PacketType.Pubrec when Is(BrokerMutant.RefusedResent) && ack.ReasonCode >= ReasonCode.UnspecifiedError:
                break;
            case PacketType.Puback:
                if (session.Window.Finish(ack.PacketId, QualityOfService.AtLeastOnce))
                    Pump(session);
                break;
            case PacketType.Pubrec
                when ack.ReasonCode >= ReasonCode.UnspecifiedError && !Is(BrokerMutant.RefusalReleased):
                if (session.Window.Finish(ack.PacketId, QualityOfService.ExactlyOnce))
                    Pump(session);
                break;
            case PacketType.Pubrec:
                var isKnown = Is(BrokerMutant.PublishBehindPubrel) || session.Window.Release(ack.PacketId);
                if (isKnown && Is(BrokerMutant.WindowFreedAtPubrec))
                    session.Window.FreeQuota(ack.PacketId);
                _sender.SendAck(
                    from,
                    PacketType.Pubrel,
                    ack.PacketId,
                    isKnown ? ReasonCode.Success : ReasonCode.PacketIdentifierNotFound
                );
                if (Is(BrokerMutant.WindowFreedAtPubrec))
                    Pump(session);
                break;
            case PacketType.Pubrel:
                var isReleased = session.ReceivedQos2.Remove(ack.PacketId);
                _sender.SendAck(
                    from,
                    PacketType.Pubcomp,
                    ack.PacketId,
                    isReleased ? ReasonCode.Success : ReasonCode.PacketIdentifierNotFound
                );
                break;
            case PacketType.Pubcomp:
                if (Is(BrokerMutant.PublishBehindPubrel))
                    session.Window.Release(ack.PacketId);
                if (session.Window.Complete(ack.PacketId))
                    Pump(session);
                break;
        }
    }
}
