using System.Text;
using MqttCheck.Captures.Exchanges;
using MqttCheck.Captures.Messages;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// The second reading of a capture: makes steps of the packets of its clients, without payloads, user names and
/// passwords. Connections that stood when the capture began have the first numbers.
/// </summary>
internal sealed class ReplaySteps : IMqttListener
{
    private const int FiltersOfPacket = 100;

    private readonly ReplayNames _names;
    private readonly ReplayShare _share;
    private readonly ProtocolVersion _newest;
    private readonly ReplayLeftOut _leftOut;
    private readonly Action<ReplayStep> _add;
    private readonly Dictionary<string, int> _standing = new(StringComparer.Ordinal);
    private int _connections;

    /// <summary>Prepares.</summary>
    /// <param name="survey">The first reading.</param>
    /// <param name="setup">What is wanted.</param>
    /// <param name="share">The clients that send.</param>
    /// <param name="leftOut">Counts what is not sent.</param>
    /// <param name="add">Takes the steps, in the order of their times.</param>
    public ReplaySteps(
        ReplaySurvey survey,
        ReplaySetup setup,
        ReplayShare share,
        ReplayLeftOut leftOut,
        Action<ReplayStep> add
    )
    {
        _names = new(setup.Capture.KeepsNames, setup.TopicPrefix, setup.Prefix);
        (_share, _newest, _leftOut, _add) = (share, setup.Newest, leftOut, add);
        var joined = new List<JoinedConnection>();
        foreach (var (name, version, qos, topics) in survey.Joined.Where(one => share.Has(one.Name)))
        {
            _standing.Add(name, _connections++);
            joined.Add(
                new(
                    ConnectOf(name, version),
                    [
                        .. topics
                            .Where(topic => !ReplayNames.IsOfBroker(Encoding.UTF8.GetString(topic)))
                            .Select(topic => new SubscriptionRequest(
                                Encoding.UTF8.GetString(_names.Topic(topic)),
                                qos
                            )),
                    ]
                )
            );
        }
        Joined = joined;
    }

    /// <summary>The connections that stand before the first step, by their numbers.</summary>
    public IReadOnlyList<JoinedConnection> Joined { get; }

    /// <summary>The time of the first packet of the capture.</summary>
    public long Zero { get; set; }

    /// <summary>The packets that subscribe to topics.</summary>
    public static IEnumerable<SubscribePacket> Subscribe(IReadOnlyList<SubscriptionRequest> requests) =>
        requests
            .Chunk(FiltersOfPacket)
            .Select((some, i) => new SubscribePacket((ushort)(i + 1), ValueList.Create<SubscriptionRequest>(some)));

    /// <inheritdoc/>
    public void Packet(MqttConversation conversation, in SeenPacket packet)
    {
        if (!packet.IsFromClient)
            return;
        var at = packet.FirstNanoseconds - Zero;
        if (packet.Type == PacketType.Connect)
        {
            Connect(conversation, packet, at);
            return;
        }
        var link = (Link?)conversation.State ?? Join(conversation, at);
        if (!link.IsSent)
            return;
        switch (packet.Type)
        {
            case PacketType.Publish:
                Publish(conversation, link, packet, at);
                break;
            // The replay answers the broker by itself.
            case PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp:
                break;
            case PacketType.Pingreq or PacketType.Auth:
                _leftOut.Pings++;
                break;
            default:
                Other(conversation, link, packet, at);
                break;
        }
    }

    /// <inheritdoc/>
    public void Lost(MqttConversation conversation, bool fromClient, long nanoseconds) { }

    /// <inheritdoc/>
    public void Closed(MqttConversation conversation, bool byClient, long nanoseconds)
    {
        if (byClient && conversation.State is Link { IsSent: true, HasEnded: false } link)
            End(link, new(nanoseconds - Zero, link.Number));
    }

    private void End(Link link, ReplayStep step)
    {
        link.HasEnded = true;
        _add(step);
    }

    private void Connect(MqttConversation conversation, in SeenPacket packet, long at)
    {
        if (conversation.State is not null || !packet.IsWhole || Decode(conversation, packet) is not ConnectPacket seen)
        {
            _leftOut.Unreadable++;
            return;
        }
        var hasName = seen.ClientId.Length > 0;
        var name = hasName ? seen.ClientId : conversation.Client.ToString();
        var link = new Link(_connections, _share.Has(name));
        conversation.State = link;
        if (!link.IsSent)
            return;
        _connections++;
        if (seen.Will is not null)
            _leftOut.Wills++;
        var connect = ConnectOf(name, conversation.Version) with
        {
            ClientId = _names.Client(name, isIdentifier: hasName),
            CleanStart = seen.CleanStart,
        };
        var expiry = seen.Properties.SessionExpiryIntervalSeconds;
        if (expiry is not null && connect.ProtocolVersion >= ProtocolVersion.V5)
            connect = connect with { Properties = new() { SessionExpiryIntervalSeconds = expiry } };
        _add(new(at, link.Number) { Packet = connect });
    }

    // Without a time of keeping alive the broker does not wait for pings.
    private ConnectPacket ConnectOf(string name, ProtocolVersion version) =>
        new()
        {
            ProtocolVersion =
                version >= ProtocolVersion.V5 && _newest >= ProtocolVersion.V5
                    ? ProtocolVersion.V5
                    : ProtocolVersion.V311,
            ClientId = _names.Client(name, isIdentifier: false),
        };

    // Usually it stands already. A socket that comes back without its beginning is set up when it is seen.
    private Link Join(MqttConversation conversation, long at)
    {
        var name = conversation.Client.ToString();
        Link link;
        if (_standing.Remove(name, out var number))
        {
            link = new(number, isSent: true);
        }
        else
        {
            link = new(_connections, _share.Has(name));
            if (link.IsSent)
            {
                _connections++;
                _add(new(at, link.Number) { Packet = ConnectOf(name, conversation.Version) });
            }
        }
        conversation.State = link;
        return link;
    }

    private void Publish(MqttConversation conversation, Link link, in SeenPacket packet, long at)
    {
        if (!MessageHead.TryParse(conversation.Version, packet, out var head))
        {
            _leftOut.Unreadable++;
            return;
        }
        if (head.TopicAlias > 0 && !head.Topic.IsEmpty)
            link.Aliases[head.TopicAlias] = head.Topic.ToArray();
        var topic = head.Topic.IsEmpty ? link.Aliases.GetValueOrDefault(head.TopicAlias) : head.Topic;
        if (topic.IsEmpty)
            _leftOut.Unreadable++;
        else if (head.IsDuplicate)
            _leftOut.Redeliveries++;
        else if (topic[0] == (byte)'$')
            _leftOut.OfBroker++;
        else
            _add(
                new(at, link.Number)
                {
                    Message = new(_names.Topic(topic), head.Qos, head.IsRetained, head.PayloadLength),
                }
            );
    }

    private void Other(MqttConversation conversation, Link link, in SeenPacket packet, long at)
    {
        switch (packet.IsWhole ? Decode(conversation, packet) : null)
        {
            case SubscribePacket subscribe:
                Subscribe(link, subscribe, at);
                break;
            case UnsubscribePacket unsubscribe:
                Unsubscribe(link, unsubscribe, at);
                break;
            case DisconnectPacket:
                End(link, new(at, link.Number) { Packet = new DisconnectPacket() });
                break;
            default:
                _leftOut.Unreadable++;
                break;
        }
    }

    private void Subscribe(Link link, SubscribePacket seen, long at)
    {
        var requests = new List<SubscriptionRequest>();
        foreach (var request in seen.Subscriptions)
        {
            if (ReplayNames.IsOfBroker(request.Filter))
                _leftOut.OfBroker++;
            else
                // MQTT 3.1.1 has no options, and the encoder leaves them out.
                requests.Add(request with { Filter = _names.Filter(request.Filter) });
        }
        if (requests.Count > 0)
            _add(
                new(at, link.Number)
                {
                    Packet = new SubscribePacket(0, ValueList.Create<SubscriptionRequest>([.. requests])),
                }
            );
    }

    private void Unsubscribe(Link link, UnsubscribePacket seen, long at)
    {
        string[] filters =
        [
            .. seen.Filters.AsSpan().ToArray().Where(filter => !ReplayNames.IsOfBroker(filter)).Select(_names.Filter),
        ];
        if (filters.Length > 0)
            _add(new(at, link.Number) { Packet = new UnsubscribePacket(0, ValueList.Create<string>(filters)) });
    }

    private static Packet? Decode(MqttConversation conversation, in SeenPacket packet) =>
        PacketDecoder.Observe(packet.Bytes, conversation.Version, PacketOrigin.Client).Packet;

    private sealed class Link(int number, bool isSent)
    {
        public int Number => number;

        public bool IsSent => isSent;

        public bool HasEnded { get; set; }

        public Dictionary<int, byte[]> Aliases { get; } = [];
    }
}
