using MqttCheck.Clients;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Scenarios;
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
    private readonly HashSet<ushort> _repeated = [];
    private readonly List<Packet> _withheld = [];
    private readonly HashSet<(ushort Alias, string Topic)> _aliases = [];
    private ConnackPacket? _connack;
    private HoldCommand? _hold;
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
            case MalformedCommand malformed when MalformedCommand.IsOfConnect(malformed.Defect, run.Version):
                if (IsConnected)
                    return false;
                OpenLink(link =>
                    SendMalformed(link, malformed.Defect, run.Names with { Token = run.Names.ClientId(index) })
                );
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
                link.WhenOpen(() =>
                {
                    var packet = DisconnectOf(disconnect);
                    _endsWithConnection |= packet.Properties.SessionExpiryIntervalSeconds == 0;
                    link.Send(packet);
                    link.Leave();
                });
                break;
            case DropCommand:
                link.WhenOpen(link.Leave);
                break;
            case SubscribeCommand subscribe:
                return Subscribe(link, subscribe);
            case UnsubscribeCommand unsubscribe:
                var filters = unsubscribe.Filters.Select(run.Names.Topic).ToArray();
                link.WhenOpen(() => SendIfItFits(link, new UnsubscribePacket(NextPacketId(), [.. filters])));
                break;
            case PublishCommand publish:
                link.WhenOpen(() => Publish(link, publish));
                break;
            case PingCommand:
                link.WhenOpen(() => link.Send(new PingreqPacket()));
                break;
            case HoldCommand hold:
                _hold = hold.Withhold ? hold : null;
                if (_hold is null)
                    link.WhenOpen(() => Release(link));
                break;
            case MalformedCommand malformed:
                link.WhenOpen(() =>
                {
                    SendMalformed(link, malformed.Defect, run.Names);
                    link.SendRaw(PacketEncoder.Encode(new PingreqPacket(), run.Version));
                });
                break;
        }
        return true;
    }

    private bool Subscribe(ClientLink link, SubscribeCommand command)
    {
        var requests = command
            .Requests.Where(IsOffered)
            .Select(request => request with { Filter = run.Names.Topic(request.Filter) })
            .ToArray();
        if (requests.Length == 0)
            return false;
        var isIdentified = run.IsV5 && _connack?.Properties.SubscriptionIdentifierAvailable != false;
        uint[] identifiers = command.Identifier is { } identifier && isIdentified ? [identifier] : [];
        var properties = new PacketProperties { SubscriptionIdentifiers = [.. identifiers] };
        link.WhenOpen(() =>
            SendIfItFits(link, new SubscribePacket(NextPacketId(), [.. requests]) { Properties = properties })
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
        _hold = null;
    }

    private void Connect(ConnectCommand command)
    {
        var packet = new ConnectPacket
        {
            ProtocolVersion = run.Version,
            ProtocolName = run.Version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT",
            CleanStart = command.Clean,
            ClientId = command.WithoutIdentifier ? "" : run.Names.ClientId(index),
            KeepAliveSeconds = command.KeepAliveSeconds ?? 0,
            UserName = run.Target.Credentials?.UserName ?? (command.WrongPassword ? "nobody" : null),
            Password =
                command.WrongPassword ? Bytes.FromText("wrong")
                : run.Target.Credentials is { } credentials ? Bytes.FromText(credentials.Password)
                : default(Bytes?),
            Will = command.WillTopic is { } topic
                ? new WillMessage(run.Names.Topic(topic), run.NewPayload(0), command.WillQos, command.WillRetain)
                {
                    Properties = run.IsV5
                        ? ForReceiver(command.WillWithProperties) with
                        {
                            WillDelayIntervalSeconds = command.WillDelaySeconds,
                        }
                        : PacketProperties.Empty,
                }
                : null,
            Properties = run.IsV5
                ? new PacketProperties
                {
                    SessionExpiryIntervalSeconds = command.SessionExpirySeconds,
                    ReceiveMaximum = command.ReceiveMaximum,
                    TopicAliasMaximum = command.TopicAliasMaximum,
                    MaximumPacketSizeBytes = command.MaximumPacketBytes,
                }
                : PacketProperties.Empty,
        };
        _isAnonymous = command.WithoutIdentifier;
        _expirySeconds = command.SessionExpirySeconds ?? 0;
        MayPersist |= command.Persists(run.Version) && !command.WithoutIdentifier;
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
        _endsWithConnection = command.Clean && !command.Persists(run.Version);
        OpenLink(link => link.Send(packet, command.WrongPassword ? TraceEntry.WrongPassword : ""));
    }

    // DISCONNECT must not set a session expiry interval if that of CONNECT was 0 (MQTT-3.14.2-2).
    private DisconnectPacket DisconnectOf(DisconnectCommand command) =>
        !run.IsV5
            ? new DisconnectPacket()
            : new DisconnectPacket(command.WithWill ? ReasonCode.DisconnectWithWill : ReasonCode.Success)
            {
                Properties = new PacketProperties
                {
                    SessionExpiryIntervalSeconds =
                        _expirySeconds > 0 && _connack is not { Properties.SessionExpiryIntervalSeconds: not null }
                            ? command.SessionExpirySeconds
                            : null,
                },
            };

    private void OpenLink(Action<ClientLink> first)
    {
        _withheld.Clear();
        _aliases.Clear();
        _hold = null;
        _connack = null;
        Link = run.OpenLink(this);
        var link = Link;
        link.WhenOpen(() => first(link));
    }

    private void Accepted(ClientLink link, ConnackPacket connack)
    {
        // The broker has to close a connection that it refused.
        if (connack.ReasonCode != ReasonCode.Success)
            return;
        _connack = connack;
        link.IsAccepted = true;
        if (run.IsV5)
            _endsWithConnection = (connack.Properties.SessionExpiryIntervalSeconds ?? _expirySeconds) == 0;
        if (!connack.SessionPresent && run.Version != ProtocolVersion.V31)
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
                link.Send(new PubrelPacket(packetId));
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
    private int ReceiveMaximum => run.IsV5 ? _connack?.Properties.ReceiveMaximum ?? ushort.MaxValue : int.MaxValue;

    private bool Fits(Packet packet) =>
        _connack?.Properties.MaximumPacketSizeBytes is not { } largest
        || PacketEncoder.GetLength(packet, run.Version) <= largest;

    private bool IsWithin(ConnackPacket connack, PublishPacket publish) =>
        !run.IsV5
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
        if (!_withheldReleases.Contains(ack.PacketId))
            link.Send(new PubrelPacket(ack.PacketId));
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
            run.IsV5 && command.Alias is { } wanted && wanted <= (_connack?.Properties.TopicAliasMaximum ?? 0)
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
            Properties = run.IsV5 ? PropertiesOf(command, alias) : PacketProperties.Empty,
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
        if (command.Cut == PublishCut.AfterPublish)
            run.Withholds(link, packet.PacketId, "answer");
        else if (command.Cut == PublishCut.AfterPubrec && qos == QualityOfService.ExactlyOnce)
            run.Withholds(link, packet.PacketId, "release");
        if (command.Cut != PublishCut.None && qos == QualityOfService.ExactlyOnce)
            _withheldReleases.Add(packet.PacketId);
        // MQTT 5 forbids a client to send a message again on the same connection (MQTT-4.4.0-1).
        if (!command.Repeat || run.IsV5 || command.Cut != PublishCut.None)
            return;
        _repeated.Add(packet.PacketId);
        link.Send(packet with { Duplicate = true });
    }

    private PacketProperties PropertiesOf(PublishCommand command, ushort? alias) =>
        ForReceiver(command.WithProperties) with
        {
            TopicAlias = alias,
            MessageExpiryIntervalSeconds = command.ExpirySeconds,
        };

    // Builds the properties that the receiver of a message gets.
    private PacketProperties ForReceiver(bool all) =>
        new()
        {
            ContentType = all ? "text/plain" : null,
            ResponseTopic = all ? run.Names.Topic("~/answer") : null,
            CorrelationData = all ? new Bytes(new byte[] { 0, 1, 255 }) : default(Bytes?),
            PayloadFormatIndicator = all ? PayloadFormat.Utf8 : null,
            UserProperties = all
                ? [new UserProperty("b", "2"), new UserProperty("a", "1"), new UserProperty("b", "")]
                : [],
        };

    private void Answer(ClientLink link, Packet answer)
    {
        if (link == Link && (_hold is { PubcompOnly: false } || (_hold is not null && answer is PubcompPacket)))
            _withheld.Add(answer);
        else
            link.Send(answer);
    }

    private void Release(ClientLink link)
    {
        foreach (var answer in _withheld.ToArray())
            link.Send(answer);
        _withheld.Clear();
    }

    private void SendMalformed(ClientLink link, string defect, ScenarioNames names)
    {
        var bytes = MalformedPackets.Bytes(defect, run.Version, names);
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
