using MqttCheck.Captures.Files;
using MqttCheck.Captures.Messages;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Exchanges;

/// <summary>
/// Makes exchanges of the packets of a capture, as the own fleet logs them. An exchange whose end cannot be known is
/// logged as cancelled; an answer whose request was not seen is counted.
/// </summary>
/// <param name="rows">Takes the exchanges.</param>
/// <param name="counts">Counts what is not usable.</param>
internal sealed class ExchangeBook(ExchangeRows rows, CaptureCounts counts) : IMqttListener
{
    private const long ExpireNanoseconds = 1_000_000_000;

    private readonly SeenNames _names = new(counts);
    private readonly Subscriptions _subscriptions = new();
    private readonly Dictionary<SocketKey, long> _brokers = [];
    private readonly HashSet<SeenConnection> _links = [];
    private PublicationBook? _publications;
    private long _index,
        _now = long.MinValue,
        _nextExpiry = long.MinValue;
    private int _requests;

    /// <summary>The names behind the numbers of the log.</summary>
    public SeenNames Names => _names;

    /// <summary>The ends that brokers listen at, and how many connections each had.</summary>
    public IReadOnlyDictionary<SocketKey, long> Brokers => _brokers;

    /// <summary>The version of MQTT that the connections have; null where they differ.</summary>
    public ProtocolVersion? Version { get; private set; }

    /// <summary>How many exchanges are open.</summary>
    public int OpenExchanges => Publications.Count + _requests;

    private PublicationBook Publications => _publications ??= new(rows, _subscriptions, counts);

    private (int Active, int Subscriptions) Load => (Publications.Count + _requests + 1, _subscriptions.Count);

    /// <inheritdoc/>
    public void Packet(MqttConversation conversation, in SeenPacket packet)
    {
        _now = Math.Max(_now, packet.LastNanoseconds);
        if (_now >= _nextExpiry)
            Expire();
        var link = (SeenConnection?)conversation.State;
        if (packet.Type == PacketType.Publish)
        {
            Publish(conversation, link ?? Join(conversation), packet);
        }
        else if (!packet.IsWhole)
        {
            counts.BadPackets++;
        }
        else if (packet.Type is >= PacketType.Puback and <= PacketType.Pubcomp)
        {
            if (!packet.IsFromClient)
                Acknowledge(conversation, link ?? Join(conversation), packet);
        }
        else if (packet.Type is not (PacketType.Pingreq or PacketType.Pingresp or PacketType.Auth))
        {
            Other(conversation, link, packet);
        }
        else if (link is null)
        {
            Join(conversation);
        }
        if (!packet.IsFromClient && conversation.State is SeenConnection { Client.IsUnreadable: true } known)
            known.Client.IsUnreadable = false;
    }

    /// <inheritdoc/>
    public void Lost(MqttConversation conversation, bool fromClient, long nanoseconds)
    {
        if (conversation.State is not SeenConnection link)
            return;
        var client = link.Client;
        if (fromClient)
        {
            SetUnseen(client, true);
            client.IsDoubtful = true;
            return;
        }
        client.IsUnreadable = true;
        Publications.DoubtDeliveries(client, nanoseconds);
        foreach (var publication in link.Publications.Values.Where(one => one.Sent <= nanoseconds))
            publication.IsDoubted = true;
        foreach (var request in link.Requests.Values)
        {
            // A subscription of which nobody knows whether it was granted may stand.
            SetUnseen(client, true);
            request.IsDoubted = true;
        }
        if (link.Connect is not { } connect)
            return;
        link.Connect = null;
        End(link, connect, ExchangeOutcome.Cancelled, connect.Sent, isAnswered: false);
        GoOnline(client, conversation);
    }

    /// <inheritdoc/>
    public void Closed(MqttConversation conversation, bool byClient, long nanoseconds)
    {
        if (conversation.State is not SeenConnection link)
            return;
        if (!byClient && link.Disconnect is { } disconnect)
        {
            link.Disconnect = null;
            End(link, disconnect, ExchangeOutcome.Success, Math.Max(nanoseconds, disconnect.Sent), isAnswered: true);
        }
        // The broker may still answer what the client sent before.
        if (byClient)
            return;
        GoOffline(link.Client, conversation, nanoseconds);
        foreach (var publication in link.Publications.Values)
        {
            // Its acknowledgement may be among missing packets.
            if (publication.IsDoubted)
                Publications.Lose(publication);
            else
                Publications.Break(publication, nanoseconds);
        }
        link.Publications.Clear();
        foreach (var request in link.Requests.Values.Append(link.Connect).OfType<OpenRequest>())
            End(
                link,
                request,
                request.IsDoubted ? ExchangeOutcome.Cancelled : ExchangeOutcome.ConnectionLost,
                Math.Max(nanoseconds, request.Sent),
                isAnswered: false
            );
        link.Requests.Clear();
        link.Connect = null;
        _links.Remove(link);
    }

    /// <summary>The capture ends.</summary>
    public void End()
    {
        Publications.End();
        foreach (var link in _links)
        {
            foreach (var request in Open(link))
                End(link, request, ExchangeOutcome.Cancelled, request.Sent, isAnswered: false);
        }
        _links.Clear();
        foreach (var client in _names.Clients.Values)
            client.Trace.End(_now);
    }

    private static IEnumerable<OpenRequest> Open(SeenConnection link) =>
        link.Requests.Values.Append(link.Connect).Append(link.Disconnect).OfType<OpenRequest>();

    private void Expire()
    {
        _nextExpiry = _now + ExpireNanoseconds;
        Publications.Expire(_now);
        foreach (var link in _links)
        {
            foreach (var (id, request) in link.Requests)
            {
                if (!IsLate(request))
                    continue;
                link.Requests.Remove(id);
                TimeOut(link, request);
            }
            if (link.Connect is { } connect && IsLate(connect))
            {
                link.Connect = null;
                TimeOut(link, connect);
            }
            if (link.Disconnect is { } disconnect && IsLate(disconnect))
            {
                link.Disconnect = null;
                TimeOut(link, disconnect);
            }
        }
    }

    private bool IsLate(OpenRequest request) => _now - request.Sent > PublicationBook.PatienceNanoseconds;

    private void TimeOut(SeenConnection link, OpenRequest request) =>
        End(
            link,
            request,
            request.IsDoubted ? ExchangeOutcome.Cancelled : ExchangeOutcome.Timeout,
            request.Sent + PublicationBook.PatienceNanoseconds,
            isAnswered: false
        );

    // A connection that had begun before the capture: its client has the name of its socket.
    private SeenConnection Join(MqttConversation conversation)
    {
        var client = _names.Client(conversation.Client.ToString(), isJoined: true);
        var link = new SeenConnection(client);
        conversation.State = link;
        _links.Add(link);
        Count(conversation);
        client.Connections++;
        client.IsAlwaysClean = false;
        client.Trace.Begin(_now);
        SetUnseen(client, true);
        GoOnline(client, conversation);
        return link;
    }

    private void Count(MqttConversation conversation)
    {
        _brokers[conversation.Broker] = _brokers.GetValueOrDefault(conversation.Broker) + 1;
        Version = _brokers.Values.Sum() == 1 || Version == conversation.Version ? conversation.Version : null;
    }

    private void Publish(MqttConversation conversation, SeenConnection link, in SeenPacket packet)
    {
        if (!MessageHead.TryParse(conversation.Version, packet, out var head))
        {
            counts.BadPackets++;
            return;
        }
        if (TopicOf(link, packet.IsFromClient, head) is not { } topic)
        {
            counts.BadPackets++;
            return;
        }
        var print = head.Print != 0 ? head.Print : -1L - head.PayloadLength;
        if (!head.IsDuplicate && !packet.IsFromClient)
            link.Client.Trace.Delivered(topic, head, packet.LastNanoseconds);
        if (head.IsDuplicate)
            counts.Redeliveries++;
        else if (packet.IsFromClient)
            Publish(link, topic, head, print, packet.FirstNanoseconds);
        else if (head.IsRetained && conversation.Version < ProtocolVersion.V5)
            counts.RetainedMessages++;
        else
            Publications.Deliver(link.Client, topic, print, head.PayloadLength, packet.LastNanoseconds);
    }

    private void Publish(SeenConnection link, SeenTopic topic, in MessageHead head, long print, long sent)
    {
        link.Client.Trace.Publish(topic, head, sent);
        var publication = new PendingPublication
        {
            Client = link.Client,
            Topic = topic,
            Index = _index++,
            Load = Load,
            Sequence = link.Client.Connections,
            Print = print,
            Length = head.PayloadLength,
            Qos = head.Qos,
            Sent = sent,
        };
        if (head.Qos > QualityOfService.AtMostOnce)
        {
            // Its acknowledgement was not seen, so the identifier was free again.
            if (link.Publications.Remove(head.PacketId, out var before))
                Publications.Lose(before);
            link.Publications[head.PacketId] = publication;
        }
        Publications.Start(publication);
    }

    // A topic alias stands for the topic that it came with last.
    private SeenTopic? TopicOf(SeenConnection link, bool fromClient, in MessageHead head)
    {
        var key = (fromClient, head.TopicAlias);
        if (head.Topic.IsEmpty)
            return link.Aliases.GetValueOrDefault(key);
        var topic = _names.Topic(head.Topic);
        if (head.TopicAlias > 0)
            link.Aliases[key] = topic;
        return topic;
    }

    private void Acknowledge(MqttConversation conversation, SeenConnection link, in SeenPacket packet)
    {
        if (!AckView.TryParse(conversation.Version, packet.Bytes, out var ack, packet.Origin))
        {
            counts.BadPackets++;
            return;
        }
        // A PUBREL releases a delivery, and a PUBREC that accepts is not the end.
        var isRefused = ack.ReasonCode >= ReasonCode.UnspecifiedError;
        if (ack.Type == PacketType.Pubrel || (ack.Type == PacketType.Pubrec && !isRefused))
            return;
        if (link.Publications.Remove(ack.PacketId, out var publication))
            Publications.Acknowledge(publication, packet.LastNanoseconds, isRefused);
        else
            counts.AnswersWithoutRequest++;
    }

    private void Other(MqttConversation conversation, SeenConnection? link, in SeenPacket packet)
    {
        var decoded = PacketDecoder.Observe(packet.Bytes, conversation.Version, packet.Origin).Packet;
        if (decoded is ConnectPacket connect)
        {
            Connect(conversation, connect, packet.FirstNanoseconds);
            return;
        }
        link ??= Join(conversation);
        switch (decoded)
        {
            case SubscribePacket { Subscriptions: [{ Qos: > QualityOfService.ExactlyOnce }, ..] }:
                counts.BadPackets++;
                break;
            case ConnackPacket connack:
                Connack(conversation, link, connack, packet.LastNanoseconds);
                break;
            case SubscribePacket subscribe:
                Subscribe(link, subscribe, packet.FirstNanoseconds);
                break;
            case SubackPacket suback:
                Suback(link, suback, packet.LastNanoseconds);
                break;
            case UnsubscribePacket unsubscribe:
                Unsubscribe(link, unsubscribe, packet.FirstNanoseconds);
                break;
            case UnsubackPacket unsuback:
                Unsuback(link, unsuback, packet.LastNanoseconds);
                break;
            case DisconnectPacket when packet.IsFromClient:
                link.Disconnect = Begin(link, MessageKind.Disconnect, packet.FirstNanoseconds);
                GoOffline(link.Client, conversation, packet.FirstNanoseconds, isOrderly: true);
                break;
            case null:
                counts.BadPackets++;
                break;
        }
    }

    private void Connect(MqttConversation conversation, ConnectPacket connect, long sent)
    {
        if (conversation.State is not null)
        {
            counts.BadPackets++;
            return;
        }
        var name = connect.ClientId.Length > 0 ? connect.ClientId : $"{conversation.Client} {_index}";
        var client = _names.Client(name, isJoined: false);
        var link = new SeenConnection(client);
        conversation.State = link;
        _links.Add(link);
        Count(conversation);
        client.Connections++;
        client.IsAlwaysClean &= connect.CleanStart;
        client.Trace.Connected(connect, sent);
        if (connect.CleanStart)
        {
            BeginSession(client, _index);
            SetUnseen(client, false);
        }
        link.Connect = new()
        {
            Kind = MessageKind.Connect,
            Intended = conversation.Begun ?? sent,
            Sent = sent,
            Index = _index++,
            Load = Load,
            Sequence = client.Connections,
        };
        _requests++;
    }

    private void BeginSession(Participant client, long connect)
    {
        if (client.Filters.Count + client.Inferred.Count > 0 && connect <= int.MaxValue)
            client.CleanConnects.Add((int)connect);
        _subscriptions.Clear(client);
    }

    private void Connack(MqttConversation conversation, SeenConnection link, ConnackPacket connack, long nanoseconds)
    {
        if (link.Connect is not { } connect)
        {
            counts.AnswersWithoutRequest++;
            return;
        }
        link.Connect = null;
        var isAccepted = connack.ReasonCode == ReasonCode.Success;
        if (isAccepted)
        {
            // A session of which the capture has not seen the beginning may hold subscriptions.
            if (!connack.SessionPresent)
                BeginSession(link.Client, connect.Index);
            SetUnseen(
                link.Client,
                connack.SessionPresent && (link.Client.Connections == 1 || link.Client.HasUnseenSubscriptions)
            );
            GoOnline(link.Client, conversation);
        }
        else
        {
            link.Client.Trace.End(nanoseconds);
        }
        var outcome = isAccepted ? ExchangeOutcome.Success : ExchangeOutcome.Refused;
        End(link, connect, outcome, Math.Max(nanoseconds, connect.Sent), isAnswered: true);
    }

    private void Subscribe(SeenConnection link, SubscribePacket subscribe, long sent)
    {
        (string Filter, bool NoLocal)[] filters =
        [
            .. subscribe.Subscriptions.AsSpan().ToArray().Select(one => (one.Filter, one.NoLocal)),
        ];
        link.Requests[subscribe.PacketId] = Begin(
            link,
            MessageKind.Subscribe,
            sent,
            filters,
            filters.Length > 0 ? subscribe.Subscriptions[0].Qos : default
        );
    }

    private void Suback(SeenConnection link, SubackPacket suback, long nanoseconds)
    {
        if (!link.Requests.Remove(suback.PacketId, out var request) || request.Kind != MessageKind.Subscribe)
        {
            counts.AnswersWithoutRequest++;
            return;
        }
        var isGranted = true;
        for (var i = 0; i < Math.Min(suback.ReasonCodes.Count, request.Filters.Count); i++)
        {
            var (filter, noLocal) = request.Filters[i];
            isGranted &= suback.ReasonCodes[i] < ReasonCode.UnspecifiedError;
            if (suback.ReasonCodes[i] > ReasonCode.GrantedQos2)
                continue;
            _subscriptions.Add(link.Client, filter, noLocal);
            link.Client.Trace.Granted(filter, (QualityOfService)suback.ReasonCodes[i]);
        }
        var outcome = isGranted ? ExchangeOutcome.Success : ExchangeOutcome.Refused;
        End(link, request, outcome, Math.Max(nanoseconds, request.Sent), isAnswered: true);
    }

    private void Unsubscribe(SeenConnection link, UnsubscribePacket unsubscribe, long sent)
    {
        (string Filter, bool NoLocal)[] filters =
        [
            .. unsubscribe.Filters.AsSpan().ToArray().Select(one => (one, false)),
        ];
        link.Requests[unsubscribe.PacketId] = Begin(link, MessageKind.Unsubscribe, sent, filters);
        foreach (var (filter, _) in filters)
            _subscriptions.Remove(link.Client, filter);
        Publications.Release(
            link.Client,
            sent,
            topic => !_subscriptions.Of(topic).Exists(one => one.Client == link.Client)
        );
    }

    private void Unsuback(SeenConnection link, UnsubackPacket unsuback, long nanoseconds)
    {
        if (link.Requests.Remove(unsuback.PacketId, out var request))
            End(link, request, ExchangeOutcome.Success, Math.Max(nanoseconds, request.Sent), isAnswered: true);
        else
            counts.AnswersWithoutRequest++;
    }

    private OpenRequest Begin(
        SeenConnection link,
        MessageKind kind,
        long sent,
        IReadOnlyList<(string Filter, bool NoLocal)>? filters = null,
        QualityOfService qos = default
    )
    {
        link.Client.Trace.Message(kind, sent);
        var request = new OpenRequest
        {
            Kind = kind,
            Intended = sent,
            Sent = sent,
            Index = _index++,
            Load = Load,
            Sequence = link.Client.Connections,
            Topic = filters is null ? -1 : _names.NumberOf([.. filters.Select(one => one.Filter)]),
            TopicSize = Math.Min(
                ushort.MaxValue,
                filters?.Sum(one => System.Text.Encoding.UTF8.GetByteCount(one.Filter)) ?? 0
            ),
            Qos = qos,
            Filters = filters ?? [],
        };
        _requests++;
        return request;
    }

    private void End(SeenConnection link, OpenRequest request, ExchangeOutcome outcome, long end, bool isAnswered)
    {
        _requests--;
        if (isAnswered)
            link.Client.Trace.Answered(end);
        rows.Add(request, link.Client, outcome, end, isAnswered);
    }

    private void GoOnline(Participant client, MqttConversation conversation)
    {
        client.Connection = conversation;
        client.IsUnreadable = false;
        client.IsOnline = true;
        CountUnforeseeable(client);
        _subscriptions.Change();
    }

    private void GoOffline(Participant client, MqttConversation conversation, long nanoseconds, bool isOrderly = false)
    {
        // A client that took its session over is online with another connection.
        if (client.Connection != conversation || !client.IsOnline)
            return;
        client.IsOnline = false;
        client.Trace.Left(nanoseconds, isOrderly);
        CountUnforeseeable(client);
        _subscriptions.Change();
        Publications.Release(client, nanoseconds);
    }

    private void SetUnseen(Participant client, bool hasUnseen)
    {
        client.HasUnseenSubscriptions = hasUnseen;
        CountUnforeseeable(client);
    }

    private void CountUnforeseeable(Participant client)
    {
        var isUnforeseeable = client is { IsOnline: true, HasUnseenSubscriptions: true };
        if (isUnforeseeable == client.IsUnforeseeable)
            return;
        client.IsUnforeseeable = isUnforeseeable;
        Publications.Unforeseeable += isUnforeseeable ? 1 : -1;
    }
}
