using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Roles;

/// <summary>
/// A client that publishes twelve messages on each connection and then rests. It does what the standard demands, but
/// for its fault.
/// </summary>
internal sealed class ScriptedClient(ProtocolVersion version, bool isClean, ClientFault fault, Action<byte[]> send)
{
    private const int MessagesOfConnection = 12;
    private const long PublishEvery = 30_000_000;
    private const long ResendLiveAfter = 400_000_000;

    private readonly List<Open> _open = [];
    private readonly List<(long At, Packet Packet)> _answers = [];
    private readonly HashSet<ushort> _received = [];
    private PacketStream _stream = new(1 << 20);
    private ConnackPacket? _connack;
    private bool _hasSession;
    private bool _isLeaving;
    private int _published;
    private int _messages;
    private ushort _lastIdentifier;
    private long _lastSent;
    private long _lastPublished;
    private bool _knowsAlias;

    private sealed class Open(PublishPacket packet)
    {
        public PublishPacket Packet => packet;

        public bool IsReleased { get; set; }

        public bool IsSent { get; set; }

        public long SentAt { get; set; }

        public bool IsZombie { get; set; }
    }

    /// <summary>Whether it wants the connection to be closed.</summary>
    public bool WantsClose { get; private set; }

    private bool IsV5 => version == ProtocolVersion.V5;

    private PacketProperties Limits => _connack!.Properties;

    private int OwnKeepAliveSeconds => fault == ClientFault.IgnoresServerKeepAlive ? 10 : 1;

    private int KeepAliveSeconds =>
        fault == ClientFault.IgnoresServerKeepAlive
            ? OwnKeepAliveSeconds
            : Limits.ServerKeepAliveSeconds ?? OwnKeepAliveSeconds;

    public void Connected(long now)
    {
        (_stream, _connack, WantsClose, _isLeaving, _published) = (new(1 << 20), null, false, false, 0);
        _answers.Clear();
        foreach (var open in _open)
            open.IsSent = false;
        var connect = new ConnectPacket
        {
            ProtocolVersion = version,
            ClientId = "scripted",
            CleanStart = isClean,
            KeepAliveSeconds = (ushort)OwnKeepAliveSeconds,
            Properties = IsV5
                ? new()
                {
                    SessionExpiryIntervalSeconds = isClean ? 0u : 1000u,
                    ReceiveMaximum = 10,
                    TopicAliasMaximum = 5,
                }
                : PacketProperties.Empty,
        };
        Send(connect, now);
        if (fault == ClientFault.ConnectsTwice)
            Send(connect, now);
    }

    public void Received(ReadOnlySpan<byte> bytes, long now)
    {
        while (!WantsClose)
        {
            var status = _stream.TryRead(ref bytes, out var packet);
            if (status == FrameStatus.NeedMore)
                return;
            try
            {
                if (status != FrameStatus.Complete)
                    throw new ProtocolException("MQTT-1.5.5-1", 0, ReasonCode.MalformedPacket, "the length");
                Take(PacketDecoder.Decode(packet, version, PacketOrigin.Server), now);
            }
            catch (ProtocolException)
            {
                WantsClose = fault != ClientFault.IgnoresMalformed;
                if (status != FrameStatus.Complete)
                    return;
            }
        }
    }

    public void Tick(long now)
    {
        if (_connack is null || WantsClose || _isLeaving)
            return;
        foreach (var answer in Due(now))
            Send(answer, now);
        Resend(now);
        if (_published < MessagesOfConnection && now - _lastPublished >= PublishEvery && !_isLeaving)
            Publish(now);
        if (fault != ClientFault.DoesNotPing && now - _lastSent > KeepAliveSeconds * 800_000_000L && !_isLeaving)
            Send(new PingreqPacket(), now);
        var leaves = fault is ClientFault.SendsBehindDisconnect or ClientFault.StaysBehindDisconnect;
        if (leaves && _published == 5 && !_isLeaving)
            Leave(now);
    }

    private void Leave(long now)
    {
        _isLeaving = true;
        Send(new DisconnectPacket(), now);
        if (fault == ClientFault.SendsBehindDisconnect)
            Send(new PingreqPacket(), now);
        WantsClose = fault != ClientFault.StaysBehindDisconnect;
    }

    // Answers of one moment are collected, so that they can be turned round.
    private IEnumerable<Packet> Due(long now)
    {
        var due = _answers.Where(answer => answer.At <= now).Select(answer => answer.Packet).ToList();
        _answers.RemoveAll(answer => answer.At <= now);
        var turned = fault switch
        {
            ClientFault.ReversesPuback => PacketType.Puback,
            ClientFault.ReversesPubrec => PacketType.Pubrec,
            ClientFault.ReversesPubrel => PacketType.Pubrel,
            _ => PacketType.Reserved,
        };
        return due.Where(packet => packet.Type != turned).Concat(due.Where(packet => packet.Type == turned).Reverse());
    }

    private void Take(Packet packet, long now)
    {
        switch (packet)
        {
            case ConnackPacket when _connack is not null:
                WantsClose = fault != ClientFault.IgnoresMalformed;
                break;
            case ConnackPacket connack:
                Accepted(connack, now);
                break;
            case PublishPacket publish:
                Delivered(publish, now);
                break;
            case PubrelPacket release:
                _received.Remove(release.PacketId);
                if (fault != ClientFault.SendsNoPubcomp)
                    Answer(new PubcompPacket(release.PacketId), now);
                break;
            case PubackPacket or PubcompPacket or PubrecPacket:
                Acknowledged((AckPacket)packet, now);
                break;
            case DisconnectPacket:
                WantsClose = true;
                break;
            default:
                break;
        }
    }

    private void Accepted(ConnackPacket connack, long now)
    {
        if (connack.ReasonCode != ReasonCode.Success)
        {
            WantsClose = true;
            return;
        }
        var believes = fault == ClientFault.BelievesInSession;
        if (connack.SessionPresent && !_hasSession && IsV5 && !believes)
        {
            WantsClose = true;
            return;
        }
        if (!connack.SessionPresent && fault != ClientFault.KeepsState)
            _open.Clear();
        (_connack, _hasSession) = (connack, !isClean);
        _knowsAlias &= fault == ClientFault.KeepsAliases;
        if (!connack.SessionPresent)
            Send(new SubscribePacket(NextIdentifier(), [new("t/#", QualityOfService.ExactlyOnce)]), now);
        if (fault == ClientFault.Authenticates)
            Send(new AuthPacket(ReasonCode.Reauthenticate) { Properties = new() { AuthenticationMethod = "m" } }, now);
    }

    private void Delivered(PublishPacket publish, long now)
    {
        if (publish.Retain && fault == ClientFault.ClosesOnRetain)
            WantsClose = true;
        var identifier = (ushort)(publish.PacketId + (fault == ClientFault.AnswersWrongIdentifier ? 7 : 0));
        if (publish.Qos == QualityOfService.AtLeastOnce && fault != ClientFault.SendsNoPuback)
            Answer(new PubackPacket(identifier), now);
        if (publish.Qos != QualityOfService.ExactlyOnce || fault == ClientFault.SendsNoPubrec)
            return;
        _received.Add(publish.PacketId);
        Answer(
            fault == ClientFault.AnswersQos2ByPuback ? new PubackPacket(identifier) : new PubrecPacket(identifier),
            now
        );
    }

    private void Acknowledged(AckPacket packet, long now)
    {
        if (_open.Find(one => one.Packet.PacketId == packet.PacketId) is not { } open)
            return;
        if (packet is PubrecPacket && !packet.ReasonCode.IsError())
        {
            open.IsReleased = true;
            if (fault != ClientFault.SendsNoPubrel)
                Answer(new PubrelPacket(packet.PacketId), now);
            return;
        }
        var keeps =
            (fault == ClientFault.ResendsAcknowledged && !packet.ReasonCode.IsError())
            || (fault == ClientFault.ResendsRefused && packet.ReasonCode.IsError());
        if (keeps)
            open.IsZombie = true;
        else
            _open.Remove(open);
    }

    private void Resend(long now)
    {
        var waiting = _open.Where(open => !open.IsSent).ToList();
        if (fault == ClientFault.ResendsReversed)
            waiting.Reverse();
        var room = Room;
        foreach (var open in waiting)
        {
            if (fault == ClientFault.DoesNotResend)
                continue;
            if (room-- <= 0)
                break;
            (open.IsSent, open.SentAt) = (true, now);
            if (open.IsReleased && fault != ClientFault.PublishesBehindPubrel)
                Send(new PubrelPacket(open.Packet.PacketId), now);
            else
                Send(
                    open.Packet with
                    {
                        Duplicate = fault != ClientFault.ResendsWithoutDup,
                        Retain = Retains(open.Packet),
                    },
                    now
                );
        }
        if (fault != ClientFault.ResendsLive)
            return;
        foreach (var open in _open.Where(open => !open.IsReleased && now - open.SentAt > ResendLiveAfter))
        {
            open.SentAt = now;
            Send(open.Packet with { Duplicate = true }, now);
        }
    }

    private bool Retains(PublishPacket packet) => packet.Retain && Limits.RetainAvailable != false;

    private int Room =>
        fault == ClientFault.IgnoresReceiveMaximum
            ? int.MaxValue
            : (Limits.ReceiveMaximum ?? 100) - _open.Count(open => open.IsSent && !open.IsZombie);

    private void Publish(long now)
    {
        var most =
            fault == ClientFault.IgnoresMaximumQos ? 2 : (int)(Limits.MaximumQos ?? QualityOfService.ExactlyOnce);
        var qos = (QualityOfService)Math.Min(1 + _messages % 2, most);
        var waits = _open.Exists(open => !open.IsSent) && fault != ClientFault.DoesNotResend;
        if (qos > QualityOfService.AtMostOnce && (Room <= 0 || waits))
            return;
        _lastPublished = now;
        _published++;
        var publish = new PublishPacket
        {
            Topic = fault == ClientFault.PublishesToWildcard ? "t/+" : "t/of/the/client",
            Qos = qos,
            PacketId = qos == QualityOfService.AtMostOnce ? (ushort)0 : NextIdentifier(),
            Payload = Bytes.FromText($"message {++_messages}"),
            Retain =
                _messages % 5 == 0 && (Limits.RetainAvailable != false || fault == ClientFault.IgnoresRetainAvailable),
            Duplicate = fault == ClientFault.SetsDupAtFirst && qos > QualityOfService.AtMostOnce,
        };
        var sent = WithAlias(publish);
        var isTooLarge = PacketEncoder.GetLength(sent, version) > (Limits.MaximumPacketSizeBytes ?? uint.MaxValue);
        if (isTooLarge && fault != ClientFault.IgnoresMaximumPacketSize)
            return;
        if (qos > QualityOfService.AtMostOnce)
            _open.Add(new(publish) { IsSent = true, SentAt = now });
        Send(sent, now);
    }

    private PublishPacket WithAlias(PublishPacket publish)
    {
        var mayUse = Limits.TopicAliasMaximum is > 0 || fault == ClientFault.IgnoresAliasMaximum;
        if (!IsV5 || !mayUse)
            return publish;
        var known = _knowsAlias;
        _knowsAlias = true;
        return publish with
        {
            Topic = known ? "" : publish.Topic,
            Properties = new() { TopicAlias = 1 },
        };
    }

    private ushort NextIdentifier()
    {
        if (fault == ClientFault.TakesOneIdentifier)
            return 1;
        do _lastIdentifier++;
        while (_lastIdentifier == 0 || _open.Exists(open => open.Packet.PacketId == _lastIdentifier));
        return _lastIdentifier;
    }

    private void Answer(Packet packet, long now) => _answers.Add((now, packet));

    private void Send(Packet packet, long now)
    {
        _lastSent = now;
        send(PacketEncoder.Encode(packet, version));
    }
}
