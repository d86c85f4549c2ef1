using MqttCheck.Clients;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
using MqttCheck.Conformance.Sending;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Checking;

/// <summary>
/// A client of a scenario. It sends the packets of its commands and answers as the standard demands, unless a command
/// makes it withhold an answer.
/// </summary>
internal sealed class ScenarioClient(ScenarioRun run, int index)
{
    private readonly Dictionary<ushort, PublishPacket> _open = [];
    private readonly HashSet<ushort> _released = [];
    private readonly HashSet<ushort> _withheldReleases = [];
    private readonly HashSet<ushort> _lastReleases = [];
    private readonly HashSet<ushort> _repeated = [];
    private readonly List<AckPacket> _withheld = [];
    private readonly HashSet<(ushort Alias, string Topic)> _aliases = [];
    private ConnackPacket? _connack;
    private HoldCommand? _hold;
    private AnswerCommand? _style;
    private readonly ClientPackets _packets = new(run.Names, run.Scenario.VersionOf(index));
    private bool _isAnonymous;
    private uint _expirySeconds;

    // Whether the session ends with its connection, as far as this client knows.
    private bool _endsWithConnection;

    // The second client's identifiers soon need more than 8 bits, the third's come to an end and begin again.
    private ushort _lastPacketId = index switch
    {
        1 => 300,
        2 => ushort.MaxValue - 5,
        _ => 0,
    };
    private ushort _free;

    public int Index => index;

    public ProtocolVersion Version { get; } = run.Scenario.VersionOf(index);

    /// <summary>Its client identifier.</summary>
    public string ClientId { get; } = run.Names.ClientId(index, run.Scenario.IdentifierOf(index));

    public ClientLink? Link { get; private set; }

    public bool IsConnected => Link is { IsClosed: false, IsLeft: false };

    /// <summary>Whether the broker may keep a session for it after the run.</summary>
    public bool MayPersist { get; private set; }

    /// <summary>Carries out a command, if it makes sense in the present state.</summary>
    /// <returns>Whether it was done.</returns>
    public bool Do(Command command)
    {
        switch (command)
        {
            case ConnectCommand connect:
                // A client without an identifier gets a new one with each connection, so it has no session to resume.
                if (_isAnonymous || (connect.WithoutIdentifier && Link is not null))
                    return false;
                Connect(connect);
                return true;
            case WaitCommand wait:
                run.Wait(index, wait.Milliseconds);
                return true;
            case MalformedCommand malformed when MalformedCommand.IsOfConnect(malformed.Defect, Version):
                if (IsConnected)
                    return false;
                OpenLink(
                    link => SendMalformed(link, malformed.Defect, run.Names with { Token = run.Names.ClientId(index) }),
                    malformed
                );
                return true;
            case AnswerCommand answer:
                if (!IsV5 || !IsConnected)
                    return false;
                _style = answer;
                return true;
        }
        var state = new ClientState { Connected = IsConnected, Holding = _hold is not null };
        return command.Input is { } input && ClientMachine.Allows(state, input) && Do(Link!, command);
    }

    private bool Do(ClientLink link, Command command)
    {
        switch (command)
        {
            case DisconnectCommand disconnect:
                link.WhenOpen(() => Disconnect(link, disconnect), command);
                break;
            case DropCommand:
                link.WhenOpen(link.Leave, command);
                break;
            case SubscribeCommand subscribe:
                return Subscribe(link, subscribe);
            case UnsubscribeCommand unsubscribe:
                var filters = unsubscribe.Filters.Select(run.Names.Topic).ToArray();
                link.WhenOpen(
                    () =>
                        SendIfItFits(
                            link,
                            new UnsubscribePacket(NextPacketId(), [.. filters])
                            {
                                Properties = _packets.ForBroker(unsubscribe.WithUserProperties),
                            }
                        ),
                    command
                );
                break;
            case PublishCommand publish:
                link.WhenOpen(() => Publish(link, publish), command);
                break;
            case PingCommand:
                link.WhenOpen(() => link.Send(new PingreqPacket()), command);
                break;
            case HoldCommand hold:
                _hold = hold.Withhold ? hold : null;
                if (_hold is null)
                    link.WhenOpen(() => Release(link), command);
                break;
            case MalformedCommand malformed:
                link.WhenOpen(
                    () =>
                    {
                        SendMalformed(link, malformed.Defect, run.Names);
                        link.SendRaw(PacketEncoder.Encode(new PingreqPacket(), Version));
                    },
                    command
                );
                break;
        }
        return true;
    }

    private void Disconnect(ClientLink link, DisconnectCommand command)
    {
        // DISCONNECT must not set a session expiry interval if that of CONNECT was 0 (MQTT-3.14.2-2).
        var mayChangeExpiry =
            _expirySeconds > 0 && _connack is not { Properties.SessionExpiryIntervalSeconds: not null };
        var packet = _packets.Disconnect(command, mayChangeExpiry);
        _endsWithConnection |= packet.Properties.SessionExpiryIntervalSeconds == 0;
        Send(link, packet, command.IsLong);
        link.Leave();
    }

    private void Send(ClientLink link, Packet packet, bool isLong)
    {
        if (isLong && IsV5)
            link.Send(packet, _packets.EncodeLong(packet), "in the long form");
        else
            link.Send(packet);
    }

    private bool Subscribe(ClientLink link, SubscribeCommand command)
    {
        var requests = command
            .Requests.Where(IsOffered)
            .Select(request => request with { Filter = run.Names.Topic(request.Filter) })
            .ToArray();
        if (requests.Length == 0)
            return false;
        var isIdentified = IsV5 && _connack?.Properties.SubscriptionIdentifierAvailable != false;
        uint[] identifiers = command.Identifier is { } identifier && isIdentified ? [identifier] : [];
        var properties = _packets.ForBroker(command.WithUserProperties) with
        {
            SubscriptionIdentifiers = [.. identifiers],
        };
        link.WhenOpen(
            () => SendIfItFits(link, new SubscribePacket(NextPacketId(), [.. requests]) { Properties = properties }),
            command
        );
        return true;
    }

    /// <summary>Publishes a marker.</summary>
    public void PublishMarker(string topic, QualityOfService qos)
    {
        if (!IsConnected || (qos != QualityOfService.AtMostOnce && _open.Count >= ReceiveMaximum))
            return;
        var link = Link!;
        var packet = new PublishPacket
        {
            Topic = topic,
            Qos = qos,
            Payload = run.NewPayload(0),
            PacketId = qos == QualityOfService.AtMostOnce ? (ushort)0 : NextPacketId(),
        };
        if (qos != QualityOfService.AtMostOnce)
            _open[packet.PacketId] = packet;
        link.WhenOpen(() => link.Send(packet));
    }

    public void Ping()
    {
        if (Link is { IsAccepted: true } link && IsConnected)
            link.Send(new PingreqPacket());
    }

    public void Received(ClientLink link, Packet packet)
    {
        switch (packet)
        {
            case ConnackPacket connack when link == Link:
                Accepted(link, connack);
                break;
            case PublishPacket { Qos: QualityOfService.AtLeastOnce } publish:
                Answer(link, new PubackPacket(publish.PacketId));
                break;
            case PublishPacket { Qos: QualityOfService.ExactlyOnce } publish:
                Answer(link, new PubrecPacket(publish.PacketId));
                break;
            case PubrelPacket pubrel:
                Answer(link, new PubcompPacket(pubrel.PacketId));
                break;
            case PubackPacket ack:
                End(ack.PacketId);
                break;
            case PubrecPacket ack:
                ReceivedPubrec(link, ack);
                break;
            case PubcompPacket ack:
                _released.Remove(ack.PacketId);
                End(ack.PacketId);
                break;
            case SubackPacket ack:
                _free = ack.PacketId;
                break;
            case UnsubackPacket ack:
                _free = ack.PacketId;
                break;
        }
    }

    /// <summary>Forgets the connection's state; the session's stays.</summary>
    public void Lost(ClientLink link)
    {
        if (link != Link)
            return;
        _withheld.Clear();
        _lastReleases.Clear();
        (_hold, _style) = (null, null);
    }

    private void Connect(ConnectCommand command)
    {
        var packet = _packets.Connect(
            command,
            command.WithoutIdentifier ? "" : ClientId,
            run.Target.Credentials,
            () => run.NewPayload(0)
        );
        _isAnonymous = command.WithoutIdentifier;
        _expirySeconds = command.SessionExpirySeconds ?? 0;
        MayPersist |= command.Persists(Version) && !command.WithoutIdentifier;
        if (command is { WillTopic: { } willTopic, WillRetain: true })
            run.Retained(run.Names.Topic(willTopic));
        // A session that ended with its connection has lost its unfinished messages. The client must not resend them,
        // even if CONNACK reports a session: an unanswered CONNECT may have created it.
        if (command.Clean || _endsWithConnection)
        {
            // The identifiers are free again, and the next packet takes the smallest, which the broker must have
            // forgotten. A connection that is taken over may still answer, so its identifiers would be ambiguous.
            if (_open.Count > 0 && !IsConnected)
                _lastPacketId = (ushort)(_open.Keys.Min() - 1);
            _open.Clear();
            _released.Clear();
            _withheldReleases.Clear();
        }
        _endsWithConnection = command.Clean && !command.Persists(Version);
        OpenLink(link => link.Send(packet, command.WrongPassword ? TraceEntry.WrongPassword : ""), command);
    }

    private bool IsV5 => Version == ProtocolVersion.V5;

    private void OpenLink(Action<ClientLink> first, Command command)
    {
        _withheld.Clear();
        _lastReleases.Clear();
        _aliases.Clear();
        (_hold, _style) = (null, null);
        _connack = null;
        Link = run.OpenLink(this);
        var link = Link;
        link.WhenOpen(() => first(link), command);
    }

    private void Accepted(ClientLink link, ConnackPacket connack)
    {
        // The broker has to close a connection that it refused.
        if (connack.ReasonCode != ReasonCode.Success)
            return;
        _connack = connack;
        link.IsAccepted = true;
        if (IsV5)
            _endsWithConnection = (connack.Properties.SessionExpiryIntervalSeconds ?? _expirySeconds) == 0;
        if (!connack.SessionPresent && Version != ProtocolVersion.V31)
        {
            // Messages of a lost session are lost. Messages that were sent after this CONNECT stay open.
            foreach (var packetId in _open.Keys.Where(id => !run.WasSentOn(link, id)).ToArray())
                Forget(packetId);
            return;
        }
        _withheldReleases.Clear();
        var room = ReceiveMaximum;
        foreach (var (packetId, publish) in _open.OrderBy(entry => run.SendOrder(entry.Value)).ToArray())
        {
            if (run.WasSentOn(link, packetId))
                continue;
            // A message that was sent before the broker's limits were known is not sent again if it exceeds them.
            if (!_released.Contains(packetId) && !IsWithin(connack, publish))
            {
                Forget(packetId);
                continue;
            }
            if (_released.Contains(packetId))
                SendStyled(link, new PubrelPacket(packetId));
            else if (room-- > 0)
                link.Send(publish with { Duplicate = true });
        }
    }

    private bool IsOffered(SubscriptionRequest request) =>
        _connack is not { } connack
        || (
            (
                (connack.Properties.SharedSubscriptionAvailable ?? true)
                || !request.Filter.StartsWith("$share/", StringComparison.Ordinal)
            )
            && (
                (connack.Properties.WildcardSubscriptionAvailable ?? true)
                || !request.Filter.AsSpan().ContainsAny('+', '#')
            )
        );

    // The client keeps to the limits in CONNACK (MQTT-3.3.4-7 and 3.2.2-15). Before CONNACK they are unknown.
    public int ReceiveMaximum => IsV5 ? _connack?.Properties.ReceiveMaximum ?? ushort.MaxValue : int.MaxValue;

    private bool Fits(Packet packet) =>
        _connack?.Properties.MaximumPacketSizeBytes is not { } largest
        || PacketEncoder.GetLength(packet, Version) <= largest;

    private bool IsWithin(ConnackPacket connack, PublishPacket publish) =>
        !IsV5
        || (
            publish.Qos <= (connack.Properties.MaximumQos ?? QualityOfService.ExactlyOnce)
            && !(publish.Retain && connack.Properties.RetainAvailable == false)
            && Fits(publish)
        );

    private void SendIfItFits(ClientLink link, Packet packet)
    {
        if (Fits(packet))
            link.Send(packet);
    }

    private void Forget(ushort packetId)
    {
        _open.Remove(packetId);
        _released.Remove(packetId);
        _withheldReleases.Remove(packetId);
    }

    // Ends the flow of a publication. A message that was sent twice may be answered twice, so its identifier is not
    // used again.
    private void End(ushort packetId)
    {
        if (_open.Remove(packetId) && !_repeated.Contains(packetId))
            _free = packetId;
    }

    private void ReceivedPubrec(ClientLink link, PubrecPacket ack)
    {
        if (ack.ReasonCode.IsError())
        {
            Forget(ack.PacketId);
            return;
        }
        _released.Add(ack.PacketId);
        if (_withheldReleases.Contains(ack.PacketId))
            return;
        SendStyled(link, new PubrelPacket(ack.PacketId));
        if (_lastReleases.Remove(ack.PacketId))
            link.Leave();
    }

    private void Publish(ClientLink link, PublishCommand command)
    {
        var qos = _connack?.Properties.MaximumQos is { } maximum && command.Qos > maximum ? maximum : command.Qos;
        if (qos != QualityOfService.AtMostOnce && _open.Count >= ReceiveMaximum)
            return;
        var topic = run.Names.Topic(command.Topic);
        var size =
            _connack?.Properties.MaximumPacketSizeBytes is { } largest && command.PayloadBytes + 500 > largest
                ? 0
                : command.PayloadBytes;
        var alias =
            IsV5 && command.Alias is { } wanted && wanted <= (_connack?.Properties.TopicAliasMaximum ?? 0)
                ? command.Alias
                : null;
        var packet = new PublishPacket
        {
            Topic = alias is { } known && _aliases.Contains((known, topic)) ? "" : topic,
            Qos = qos,
            Retain = command.Retain && _connack?.Properties.RetainAvailable != false,
            Duplicate = command.Duplicate && qos != QualityOfService.AtMostOnce,
            Payload = command.Empty ? Bytes.Empty : run.NewPayload(size),
            PacketId =
                qos == QualityOfService.AtMostOnce ? (ushort)0
                : command.ReusesIdentifier ? FreedPacketId()
                : NextPacketId(),
            Properties = IsV5 ? PropertiesOf(command, alias) : PacketProperties.Empty,
        };
        if (!Fits(packet))
            return;
        if (alias is { } used)
        {
            _aliases.RemoveWhere(entry => entry.Alias == used);
            _aliases.Add((used, topic));
        }
        if (packet.Retain)
            run.Retained(topic);
        if (qos != QualityOfService.AtMostOnce)
            _open[packet.PacketId] = packet with
            {
                Topic = topic,
                Properties = packet.Properties with { TopicAlias = null },
            };
        link.Send(packet);
        if (qos == QualityOfService.AtMostOnce)
            return;
        Cut(link, packet, command.Cut);
        // MQTT 5 forbids a client to send a message again on the same connection (MQTT-4.4.0-1).
        if (!command.Repeat || IsV5 || command.Cut != PublishCut.None)
            return;
        _repeated.Add(packet.PacketId);
        link.Send(packet with { Duplicate = true });
    }

    private void Cut(ClientLink link, PublishPacket packet, PublishCut cut)
    {
        var isQos2 = packet.Qos == QualityOfService.ExactlyOnce;
        if (cut == PublishCut.AfterPublish)
            run.Withholds(link, packet.PacketId, "answer");
        else if (cut == PublishCut.AfterPubrec && isQos2)
            run.Withholds(link, packet.PacketId, "release");
        if (isQos2 && cut is PublishCut.AfterPublish or PublishCut.AfterPubrec)
            _withheldReleases.Add(packet.PacketId);
        else if (cut == PublishCut.AfterPubrel && isQos2)
            _lastReleases.Add(packet.PacketId);
    }

    private PacketProperties PropertiesOf(PublishCommand command, ushort? alias) =>
        _packets.ForReceiver(command.WithProperties) with
        {
            TopicAlias = alias,
            MessageExpiryIntervalSeconds = command.ExpirySeconds,
        };

    private void Answer(ClientLink link, AckPacket answer)
    {
        if (link == Link && (_hold is { PubcompOnly: false } || (_hold is not null && answer is PubcompPacket)))
            _withheld.Add(answer);
        else
            SendStyled(link, answer);
    }

    // A connection that was taken over has its own words no more.
    private void SendStyled(ClientLink link, AckPacket ack)
    {
        var style = link == Link ? _style : null;
        Send(link, _packets.Styled(ack, style), style is { IsLong: true });
    }

    private void Release(ClientLink link)
    {
        foreach (var answer in _withheld.ToArray())
            SendStyled(link, answer);
        _withheld.Clear();
    }

    private void SendMalformed(ClientLink link, string defect, ScenarioNames names)
    {
        var bytes = MalformedPackets.Bytes(defect, Version, names);
        run.SentMalformed(link, defect, bytes);
        link.SendRaw(bytes);
    }

    private ushort FreedPacketId()
    {
        if (_free == 0 || _open.ContainsKey(_free))
            return NextPacketId();
        var packetId = _free;
        _free = 0;
        return packetId;
    }

    private ushort NextPacketId()
    {
        do _lastPacketId++;
        while (_lastPacketId == 0 || _open.ContainsKey(_lastPacketId));
        return _lastPacketId;
    }
}
