using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Roles.Playing;

/// <summary>The answers of the broker that is played: right ones, but for what the script says.</summary>
internal sealed class PlayedAnswers(BrokerPlayer player)
{
    private static readonly PacketProperties s_properties = new()
    {
        ReasonString = "as the script says",
        UserProperties = [new("a", "1"), new("a", "2")],
    };

    private readonly HashSet<PacketType> _held = [];
    private ReasonCode _code;
    private bool _withProperties;

    /// <summary>Whether acknowledgements of some type are withheld.</summary>
    public bool IsHolding => _held.Count > 0;

    /// <summary>Withholds acknowledgements of these types; of all types without any.</summary>
    public void Hold(BrokerAct act)
    {
        PacketType[] all = [PacketType.Puback, PacketType.Pubrec, PacketType.Pubcomp];
        _held.UnionWith(act.Words.Count == 0 ? all : all.Where(type => act.Has(type.ToString().ToLowerInvariant())));
    }

    /// <summary>Sends what was withheld, and withholds nothing.</summary>
    public void Release()
    {
        _held.Clear();
        if (player.Subject?.Connection is not { IsOpen: true } connection)
            return;
        List<Packet> held = [.. connection.Held];
        connection.Held.Clear();
        foreach (var packet in held)
            player.Send(connection, packet);
    }

    /// <summary>Sets how messages are acknowledged from now on.</summary>
    public void Set(BrokerAct act) =>
        (_code, _withProperties) = ((ReasonCode)(act.Number("code") ?? 0), act.Has("properties"));

    /// <summary>Answers CONNECT by CONNACK, and goes on with the session.</summary>
    public void Accept(PlayedConnection connection, BrokerAct act)
    {
        var (client, connect) = (connection.Client!, connection.Connect!);
        var isV5 = connection.Version == ProtocolVersion.V5;
        var hasExpired =
            client.ExpirySeconds is { } seconds
            && isV5
            && player.NowNanoseconds - client.EndedNanoseconds > seconds * 1_000_000_000L;
        var isResumed = client.HasSession && !connect.CleanStart && !hasExpired && !act.Has("absent");
        if (!isResumed)
            client.BeginSession();
        client.ExpirySeconds = !isV5 ? null : connect.Properties.SessionExpiryIntervalSeconds ?? 0;
        // MQTT 5 has a rule for a client that hears of a session which it does not have.
        var isPresent = isResumed || (act.Has("present") && isV5 && !connect.CleanStart);
        connection.IsAccepted = true;
        player.Send(
            connection,
            new ConnackPacket(isPresent) { Properties = isV5 ? Limits(connect, act) : PacketProperties.Empty },
            act.Number("split") ?? 0
        );
        foreach (var delivery in client.Deliveries)
            delivery.SentOn = delivery.SentOn == 0 ? 0 : -1;
        Pump(connection);
        foreach (var packet in connection.Early)
            player.Handle(connection, packet);
        connection.Early.Clear();
    }

    /// <summary>Refuses a CONNECT.</summary>
    public void Refuse(PlayedConnection connection, BrokerAct act)
    {
        var isV5 = connection.Version == ProtocolVersion.V5;
        var code = isV5 ? (ReasonCode)(act.Number("code") ?? (int)ReasonCode.ServerBusy) : ReasonCode.ServerUnavailable;
        player.Send(connection, new ConnackPacket(false, code));
        player.Close(connection);
    }

    /// <summary>Answers a packet as a broker does.</summary>
    public void Answer(PlayedConnection connection, Packet packet)
    {
        var isSubject = connection.Client == player.Subject;
        switch (packet)
        {
            case PublishPacket { Qos: QualityOfService.AtLeastOnce } publish:
                Acknowledge(connection, new PubackPacket(publish.PacketId, Code(connection, isSubject)));
                break;
            case PublishPacket { Qos: QualityOfService.ExactlyOnce } publish:
                Acknowledge(connection, new PubrecPacket(publish.PacketId, Code(connection, isSubject)));
                break;
            case PubrelPacket release:
                Acknowledge(connection, new PubcompPacket(release.PacketId));
                break;
            case SubscribePacket subscribe:
                foreach (var request in subscribe.Subscriptions)
                    connection.Client!.Subscriptions[request.Filter] = request.Qos;
                ReasonCode[] granted = [.. subscribe.Subscriptions.Select(request => (ReasonCode)request.Qos)];
                player.Send(connection, new SubackPacket(subscribe.PacketId, [.. granted]));
                break;
            case UnsubscribePacket unsubscribe:
                foreach (var filter in unsubscribe.Filters)
                    connection.Client!.Subscriptions.Remove(filter);
                var isV5 = connection.Version == ProtocolVersion.V5;
                ReasonCode[] codes = isV5 ? [.. unsubscribe.Filters.Select(_ => ReasonCode.Success)] : [];
                player.Send(connection, new UnsubackPacket(unsubscribe.PacketId, [.. codes]));
                break;
            case PingreqPacket:
                player.Send(connection, new PingrespPacket());
                break;
            case PubackPacket or PubrecPacket or PubcompPacket:
                Acknowledged(connection, (AckPacket)packet);
                break;
            default:
                break;
        }
    }

    /// <summary>Sends the deliveries that are due, as many as the client's window has room for.</summary>
    public void Pump(PlayedConnection connection)
    {
        var deliveries = connection.Client!.Deliveries;
        var open = deliveries.Count(delivery => delivery.SentOn == connection.Number);
        foreach (var delivery in deliveries)
        {
            if (delivery.SentOn == connection.Number)
                continue;
            if (open++ >= connection.Window)
                return;
            var again = delivery.SentOn != 0;
            delivery.SentOn = connection.Number;
            if (delivery.IsReceived)
                player.Send(connection, new PubrelPacket(delivery.Packet.PacketId));
            else
                Send(connection, delivery, again);
        }
    }

    private void Send(PlayedConnection connection, PlayedDelivery delivery, bool again)
    {
        player.Send(connection, delivery.Packet with { Duplicate = again }, delivery.PieceBytes);
        // MQTT 5 allows it after a reconnect only.
        if (delivery.IsTwice && connection.Version != ProtocolVersion.V5)
            player.Send(connection, delivery.Packet with { Duplicate = true }, delivery.PieceBytes);
    }

    private void Acknowledged(PlayedConnection connection, AckPacket packet)
    {
        var deliveries = connection.Client!.Deliveries;
        if (deliveries.Find(one => one.Packet.PacketId == packet.PacketId) is not { } delivery)
            return;
        if (
            packet is PubrecPacket
            && !packet.ReasonCode.IsError()
            && delivery.Packet.Qos == QualityOfService.ExactlyOnce
        )
        {
            if (!delivery.IsReceived || delivery.IsTwice)
                player.Send(connection, new PubrelPacket(packet.PacketId));
            delivery.IsReceived = true;
            return;
        }
        deliveries.Remove(delivery);
        Pump(connection);
    }

    private ReasonCode Code(PlayedConnection connection, bool isSubject) =>
        isSubject && connection.Version == ProtocolVersion.V5 ? _code : ReasonCode.Success;

    private void Acknowledge(PlayedConnection connection, AckPacket packet)
    {
        var isSubject = connection.Client == player.Subject;
        if (
            isSubject
            && _withProperties
            && connection.Version == ProtocolVersion.V5
            && connection.Connect!.Properties.RequestProblemInformation != false
        )
            packet = packet with { Properties = s_properties };
        var isTooLarge =
            PacketEncoder.GetLength(packet, connection.Version)
            > (connection.Connect!.Properties.MaximumPacketSizeBytes ?? uint.MaxValue);
        if (isTooLarge)
            packet = packet with { Properties = PacketProperties.Empty };
        if (isSubject && _held.Contains(packet.Type))
            connection.Held.Add(packet);
        else
            player.Send(connection, packet);
    }

    private static PacketProperties Limits(ConnectPacket connect, BrokerAct act) =>
        new()
        {
            AssignedClientIdentifier = connect.ClientId.Length == 0 ? "mqttcheck" : null,
            ReceiveMaximum = (ushort?)act.Number("window"),
            MaximumPacketSizeBytes = (uint?)act.Number("max"),
            TopicAliasMaximum = (ushort?)act.Number("aliases"),
            MaximumQos = (QualityOfService?)act.Number("qos"),
            ServerKeepAliveSeconds = (ushort?)act.Number("keepalive"),
            RetainAvailable = act.Has("no-retain") ? false : null,
        };
}
