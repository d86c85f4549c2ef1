using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Broker.Core;

/// <content>CONNECT: who is let in, with which session.</content>
internal sealed partial class BrokerCore
{
    private long _assignedIdentifiers;

    private void HandleConnect(Connection from, ReadOnlySpan<byte> packet)
    {
        if (_peers is { IsInBand: true } && ConnectLevel.Unmarked(packet) is { } unmarked)
        {
            from.IsMarked = true;
            packet = unmarked;
        }
        ConnectPacket connect;
        try
        {
            connect = (ConnectPacket)
                PacketDecoder.Decode(packet, ProtocolVersion.V311, PacketOrigin.Client, _limits.PacketBytes);
        }
        catch (ProtocolException exception)
        {
            var level = ConnectLevel.Peek(packet);
            if (level == (byte)ProtocolVersion.V5)
                from.Version = ProtocolVersion.V5;
            // A packet that is not MQTT gets no answer (MQTT-3.1.2-1).
            if (level is null)
                End(from, BrokerCloseReason.Refused, null);
            else
                Refuse(from, exception.ReasonCode);
            return;
        }
        from.Version = connect.ProtocolVersion;
        if (ReasonToRefuse(from, connect) is { } reason)
            Refuse(from, reason);
        else
            Accept(from, connect);
    }

    private ReasonCode? ReasonToRefuse(Connection from, ConnectPacket connect)
    {
        var isV5 = connect.ProtocolVersion == ProtocolVersion.V5;
        if (connect.Properties.AuthenticationMethod is not null)
            return ReasonCode.BadAuthenticationMethod;
        if (connect.ClientId.Length == 0 && !isV5 && !connect.CleanStart)
            return ReasonCode.ClientIdentifierNotValid;
        if (System.Text.Encoding.UTF8.GetByteCount(connect.ClientId) > _limits.ClientIdentifierBytes)
            return ReasonCode.ClientIdentifierNotValid;
        if (!_access.MayConnect(connect.UserName, connect.Password.GetValueOrDefault().Span))
            return connect.UserName is null ? ReasonCode.NotAuthorized : ReasonCode.BadUserNameOrPassword;
        if (connect.Will is { } will)
        {
            if (will.Qos > _limits.MaximumQos)
                return ReasonCode.QosNotSupported;
            if (will.Retain && _limits.RetainedMessages == 0)
                return ReasonCode.RetainNotSupported;
            if (TopicLevels.Count(will.Topic) > _limits.TopicLevels)
                return ReasonCode.TopicNameInvalid;
            if (!_access.MayPublish(connect.UserName, will.Topic))
                return ReasonCode.NotAuthorized;
        }
        if (_sessions.Count >= _limits.Sessions && !_sessions.ContainsKey(connect.ClientId))
            return isV5 ? ReasonCode.QuotaExceeded : ReasonCode.ServerUnavailable;
        if (_dice.Happens(BrokerFault.Refuse, _now))
            return ReasonCode.ServerUnavailable;
        if (_peers is not null && !Greets(from, connect))
            return from.IsMarked ? ReasonCode.UnsupportedProtocolVersion : ReasonCode.NotAuthorized;
        // To everybody but a peer of this broker a level with the top bit is one that nobody knows (MQTT-3.1.2-2).
        if (from is { IsMarked: true, Peer: NoPeer })
            return ReasonCode.UnsupportedProtocolVersion;
        return _isDismissing && from.Peer == NoPeer ? ReasonCode.ServerUnavailable : null;
    }

    private void Refuse(Connection from, ReasonCode reason)
    {
        if (!reason.IsAllowedIn(PacketType.Connack))
            reason = ReasonCode.ProtocolError;
        // 3.1.1: a refusal without a code of its own is silent (MQTT-3.2.2-6).
        if (from.Version == ProtocolVersion.V5 || ConnectReturnCodes.TryFromReasonCode(reason, out _))
            _sender.Send(from, new ConnackPacket(false, reason));
        End(from, BrokerCloseReason.Refused, null);
    }

    private void Accept(Connection from, ConnectPacket connect)
    {
        var isV5 = connect.ProtocolVersion == ProtocolVersion.V5;
        var clientId = connect.ClientId.Length > 0 ? SpoiledIdentifier(connect.ClientId) : NewClientIdentifier();
        if (_sessions.TryGetValue(clientId, out var session) && session.Connection is { } other)
        {
            // MQTT-3.1.4-2 (5: MQTT-3.1.4-3). Ending the old connection may end the session with it.
            End(
                other,
                BrokerCloseReason.TakenOver,
                Is(BrokerMutant.SilentTakeOver) ? null : ReasonCode.SessionTakenOver
            );
        }
        var before = session;
        if (session is { HasEnded: false } && connect.CleanStart && !_dice.Happens(BrokerFault.StaleSession, _now))
            EndSession(session);
        var resumed = session is { HasEnded: false };
        if (!resumed)
        {
            _sessions.Add(clientId, session = new Session(clientId, Has(BrokerHabits.ScatteredIdentifiers)));
            Inherit(before, session);
        }

        var properties = connect.Properties;
        Begin(from, session!, connect);
        session!.Connection = from;
        from.Session = session;
        CountClient(from, 1);
        from.UserName = connect.UserName;
        from.SendQuota = Math.Min(_limits.InFlightPerClient, (int)(properties.ReceiveMaximum ?? ushort.MaxValue));
        from.MaximumPacketBytes = Is(BrokerMutant.MaximumPacketIgnored)
            ? uint.MaxValue
            : properties.MaximumPacketSizeBytes ?? uint.MaxValue;
        if (Math.Min(properties.TopicAliasMaximum ?? 0, _limits.TopicAliasMaximum) is > 0 and var aliases)
            from.Aliases = new OutgoingAliases(aliases);
        from.Will = WillOf(connect, session);

        var imposed = WatchSilence(from, connect);
        _output.Accepted(from.Number, clientId, from.Version);
        Answer(
            from,
            new ConnackPacket(resumed && !connect.CleanStart && !Is(BrokerMutant.SessionNeverPresent))
            {
                Properties = isV5 ? Announcement(from, session, connect, imposed) : PacketProperties.Empty,
            }
        );
        if ((resumed || Is(BrokerMutant.CleanStartKeepsQueue)) && !from.IsClosed)
            Resume(session);
        if (from.Peer != NoPeer && !from.IsClosed)
            _peers!.Connected(from.Peer);
    }

    // Clears the timers and the will that the earlier connection left, and starts the session anew.
    private void Begin(Connection from, Session session, ConnectPacket connect)
    {
        var isV5 = connect.ProtocolVersion == ProtocolVersion.V5;
        // A resume before the will's delay has passed cancels it (MQTT-3.1.3-9).
        if (Is(BrokerMutant.WillDelayNotCancelled) && session.PendingWill is not null)
            PublishPendingWill(session);
        session.PendingWill = null;
        _timers.Cancel(session.WillDelay);
        if (Is(BrokerMutant.ReceivedQos2Forgotten))
            session.ReceivedQos2.Clear();
        if (!Is(BrokerMutant.ExpiryFromConnect))
            _timers.Cancel(session.Expiry);
        from.RequestedExpirySeconds =
            isV5 ? connect.Properties.SessionExpiryIntervalSeconds ?? 0
            : connect.CleanStart ? 0
            : uint.MaxValue;
        session.ExpirySeconds = Math.Min(from.RequestedExpirySeconds, _limits.SessionExpirySeconds);
        if (Is(BrokerMutant.ExpiryFromConnect) && session.ExpirySeconds is > 0 and < uint.MaxValue)
            _timers.Set(session.Expiry, _now + (session.ExpirySeconds * Second));
    }

    private Will? WillOf(ConnectPacket connect, Session session)
    {
        if (connect.Will is not { } will)
            return Is(BrokerMutant.WillOfEarlierConnection) ? session.DiscardedWill : null;
        return WillOf(will, session.ClientId, Is(BrokerMutant.WillNotRetained), Is(BrokerMutant.WillPropertiesDropped));
    }

    // The keep alive that the broker imposes instead of the client's; null where it is the client's own.
    private ushort? WatchSilence(Connection from, ConnectPacket connect)
    {
        ushort? imposed = null;
        if (
            connect.ProtocolVersion == ProtocolVersion.V5
            && _limits.KeepAliveSeconds > 0
            && (connect.KeepAliveSeconds == 0 || connect.KeepAliveSeconds > _limits.KeepAliveSeconds)
        )
            imposed = (ushort)_limits.KeepAliveSeconds;
        var keepAlive = imposed ?? connect.KeepAliveSeconds;
        from.PatienceNanoseconds = keepAlive * Second * 3 / 2;
        if (keepAlive > 0)
            _timers.Set(from.Silence, _now + from.PatienceNanoseconds);
        else
            _timers.Cancel(from.Silence);
        return imposed;
    }

    // Contains only values that differ from the defaults of the specification: a client knows these.
    private PacketProperties Announcement(
        Connection connection,
        Session session,
        ConnectPacket connect,
        ushort? keepAlive
    )
    {
        var announcement = new PacketProperties
        {
            SessionExpiryIntervalSeconds =
                session.ExpirySeconds == connection.RequestedExpirySeconds ? null : session.ExpirySeconds,
            ReceiveMaximum = _limits.ReceiveMaximum == ushort.MaxValue ? null : (ushort)_limits.ReceiveMaximum,
            MaximumQos = _limits.MaximumQos == QualityOfService.ExactlyOnce ? null : _limits.MaximumQos,
            RetainAvailable = _limits.RetainedMessages == 0 ? false : null,
            MaximumPacketSizeBytes = (uint)_limits.PacketBytes,
            AssignedClientIdentifier =
                connect.ClientId.Length > 0 ? null
                : Is(BrokerMutant.AssignedIdentifierRepeated) ? "auto"
                : session.ClientId,
            ResponseInformation = Is(BrokerMutant.ResponseInformationAlways) ? "reply" : null,
            TopicAliasMaximum = _limits.TopicAliasMaximum == 0 ? null : (ushort)_limits.TopicAliasMaximum,
            WildcardSubscriptionAvailable = _limits.WildcardSubscriptions ? null : false,
            SubscriptionIdentifierAvailable = _limits.SubscriptionIdentifiers ? null : false,
            SharedSubscriptionAvailable = _limits.SharedSubscriptions ? null : false,
            ServerKeepAliveSeconds = keepAlive,
        };
        return connection.Peer == NoPeer ? announcement : AnswerToPeer(connection, announcement);
    }

    private string NewClientIdentifier()
    {
        string identifier;
        do identifier = $"mqttcheck{++_assignedIdentifiers:x}";
        while (_sessions.ContainsKey(identifier));
        return identifier;
    }

    private static Will WillOf(WillMessage will, string publisher, bool forgetsRetain, bool dropsProperties)
    {
        var forwarded = will.Properties with { WillDelayIntervalSeconds = null, MessageExpiryIntervalSeconds = null };
        var message = new Message(
            System.Text.Encoding.UTF8.GetBytes(will.Topic),
            dropsProperties ? [] : PacketEncoder.EncodeProperties(forwarded),
            will.Payload.Span,
            will.Qos,
            will.Retain && !forgetsRetain,
            long.MaxValue,
            publisher
        );
        return new Will(
            will.Topic,
            message,
            will.Properties.WillDelayIntervalSeconds ?? 0,
            will.Properties.MessageExpiryIntervalSeconds
        );
    }

    private void PublishPendingWill(Session session)
    {
        var will = session.PendingWill!;
        session.PendingWill = null;
        _timers.Cancel(session.WillDelay);
        var message =
            will.ExpirySeconds is { } expiry && !Is(BrokerMutant.WillExpiryDropped)
                ? will.Message.Expiring(_now + (expiry * Second))
                : will.Message;
        Publish(message, will.Topic);
    }
}
