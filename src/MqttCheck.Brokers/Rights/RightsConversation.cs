using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static System.FormattableString;

namespace MqttCheck.Brokers.Rights;

/// <summary>The conversation of one client with one node, from CONNECT to the first denial or the end.</summary>
/// <param name="used">The topics that clients are going to use.</param>
/// <param name="endpoint">The node.</param>
/// <param name="cancellation">Gives up.</param>
internal sealed class RightsConversation(UsedTopics used, WireEndpoint endpoint, CancellationToken cancellation)
    : IDisposable
{
    // A broker that loses a message now and then does not deny anything: a message counts as denied after so many.
    private const int Copies = 10;

    private static readonly TimeSpan s_answerPatience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_betweenCopies = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_deliveryPatience = TimeSpan.FromSeconds(1.5);

    private readonly string _mark = $"mqttcheck rights {Guid.NewGuid():N}";
    private readonly RightsClient _client = new(
        endpoint,
        new ConnectPacket
        {
            ProtocolVersion = used.Version,
            ProtocolName = used.Version == ProtocolVersion.V31 ? "MQIsdp" : "MQTT",
            ClientId = used.ClientId,
            CleanStart = true,
            UserName = used.Credentials?.UserName,
            Password = used.Credentials is { } credentials ? Bytes.FromText(credentials.Password) : default(Bytes?),
        }
    );

    private ushort _packetId;
    private TimeSpan _slowest;

    // The last own message that came to the subscription, and the last that the broker had kept.
    private string? _arrived;
    private bool _wasKept;

    /// <summary>Does what clients are going to do.</summary>
    /// <returns>The first denial; null where there is none, or the broker accepts no client.</returns>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public RightsDenial? Hold()
    {
        if (Answer<ConnackPacket>(_ => true) is not { ReasonCode: ReasonCode.Success } accepted)
            return null;
        try
        {
            return AtOnce(accepted.Properties)
                ?? used.Topics.Select(pair => About(pair.Topic, pair.Filter))
                    .FirstOrDefault(denial => denial is not null);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Ends the connection.</summary>
    public void Dispose() => _client.DisposeAsync().AsTask().GetAwaiter().GetResult();

    // The limits of MQTT 5 are told with the acceptance.
    private RightsDenial? AtOnce(PacketProperties told)
    {
        if (told.MaximumQos is { } most && used.Published[^1] > most)
            return Denial(
                Invariant(
                    $"has Maximum QoS {(int)most} in its CONNACK, and QoS {(int)used.Published[^1]} is to be used"
                ),
                DeniedRight.QualityOfService
            );
        return used.Retains && told.RetainAvailable == false
            ? Denial("has Retain Available 0 in its CONNACK, and messages are to be kept", DeniedRight.Retained)
            : null;
    }

    private RightsDenial? About(string topic, string filter) =>
        First(used.Subscribed, qos => Subscribe(filter, qos))
        ?? First(used.Published, qos => Publish(topic, qos))
        ?? (used.Retains ? Keep(topic, filter) : null);

    private static RightsDenial? First(
        IReadOnlyList<QualityOfService> all,
        Func<QualityOfService, RightsDenial?> ask
    ) => all.Select(ask).FirstOrDefault(denial => denial is not null);

    private RightsDenial? Subscribe(string filter, QualityOfService qos)
    {
        var request = Invariant($"to '{filter}' at QoS {(int)qos}");
        var id = ++_packetId;
        _client.Send(new SubscribePacket(id, [new SubscriptionRequest(filter, qos)]));
        if (Answer<SubackPacket>(answer => answer.PacketId == id) is not { } answer)
            return Unanswered($"subscribes {request}", qos);
        var code = answer.ReasonCodes[0];
        if (code.IsError())
            return Denial(
                Invariant($"answers a subscription {request} with SUBACK {(byte)code} ({code})"),
                DeniedRight.Topic
            );
        return (int)code >= (int)qos
            ? null
            : Denial(Invariant($"grants QoS {(int)code} to a subscription {request}"), DeniedRight.QualityOfService);
    }

    private RightsDenial? Publish(string topic, QualityOfService qos)
    {
        var (request, text) = (Invariant($"to '{topic}' at QoS {(int)qos}"), Text(topic, qos));
        for (var copy = 1; copy <= Copies; copy++)
        {
            if (Refusal(topic, qos, text) is { } refusal)
                return refusal;
            if (Comes(() => _arrived == text, isLast: copy == Copies))
                return null;
        }
        return Denial(
            qos == QualityOfService.AtMostOnce
                ? $"never delivers a publication {request} to the client that subscribes to it"
                : $"acknowledges a publication {request} and never delivers it to the client that subscribes to it",
            DeniedRight.Topic
        );
    }

    // A message is kept if a new subscription gets it.
    private RightsDenial? Keep(string topic, string filter)
    {
        var qos = used.Published[0];
        for (var copy = 1; copy <= Copies; copy++)
        {
            _wasKept = false;
            if (Subscribe(filter, used.Subscribed[^1]) is { } denial)
                return denial;
            if (Comes(() => _wasKept, isLast: copy == Copies))
                return null;
            if (Refusal(topic, qos, Text(topic, qos)) is { } refusal)
                return refusal;
        }
        return Denial($"does not keep a message of '{topic}' that was published with RETAIN", DeniedRight.Retained);
    }

    private RightsDenial? Refusal(string topic, QualityOfService qos, string text)
    {
        var request = Invariant($"to '{topic}' at QoS {(int)qos}");
        if (Send(topic, qos, text) is not { } answer)
            return Unanswered($"publishes {request}", qos);
        return answer is AckPacket { ReasonCode: var code } && code.IsError()
            ? Denial(
                Invariant($"answers a publication {request} with {Name(answer)} {(byte)code} ({code})"),
                code == ReasonCode.QosNotSupported ? DeniedRight.QualityOfService : DeniedRight.Topic
            )
            : null;
    }

    // Sends a message and returns its acknowledgement; a ping acknowledges a message of QoS 0.
    private Packet? Send(string topic, QualityOfService qos, string text)
    {
        var id = qos == QualityOfService.AtMostOnce ? (ushort)0 : ++_packetId;
        _client.Send(
            new PublishPacket
            {
                Topic = topic,
                Payload = Bytes.FromText(text),
                Qos = qos,
                Retain = used.Retains,
                PacketId = id,
            }
        );
        if (qos == QualityOfService.AtMostOnce)
        {
            _client.Send(new PingreqPacket());
            return Answer<PingrespPacket>(_ => true);
        }
        return Answer<AckPacket>(answer =>
            answer.PacketId == id
            && (answer is PubackPacket or PubcompPacket || (answer is PubrecPacket && answer.ReasonCode.IsError()))
        );
    }

    // Nothing of the probe stays on the broker.
    private void Leave()
    {
        if (used.Retains && _client.End is null)
            foreach (var (topic, _) in used.Topics)
                Send(topic, used.Published[0], "");
        _client.Send(new DisconnectPacket());
    }

    private TPacket? Answer<TPacket>(Func<TPacket, bool> isIt)
        where TPacket : Packet
    {
        var began = Stopwatch.GetTimestamp();
        while (Next(s_answerPatience - Stopwatch.GetElapsedTime(began)) is { } packet)
            if (packet is TPacket answer && isIt(answer))
            {
                var took = Stopwatch.GetElapsedTime(began);
                _slowest = took > _slowest ? took : _slowest;
                return answer;
            }
        return null;
    }

    private bool Comes(Func<bool> hasCome, bool isLast)
    {
        var patience = isLast ? s_deliveryPatience + 5 * _slowest : s_betweenCopies + _slowest;
        var began = Stopwatch.GetTimestamp();
        while (!hasCome() && Next(patience - Stopwatch.GetElapsedTime(began)) is not null) { }
        return hasCome();
    }

    private Packet? Next(TimeSpan patience)
    {
        var packet = _client.Receive(patience, cancellation);
        if (packet is not PublishPacket message)
            return packet;
        var text = message.Payload.ToText();
        if (!text.StartsWith(_mark, StringComparison.Ordinal))
            return packet;
        _arrived = text;
        _wasKept |= message.Retain;
        return packet;
    }

    private string Text(string topic, QualityOfService qos) => Invariant($"{_mark} {(int)qos} {topic}");

    private RightsDenial Unanswered(string doing, QualityOfService qos) =>
        _client.End is { } end
            ? Denial(
                $"ends the connection of a client that {doing}: {end}",
                qos > QualityOfService.AtMostOnce && qos > used.Published[0]
                    ? DeniedRight.QualityOfService
                    : DeniedRight.Topic
            ) with
            {
                IsCut = true,
            }
            : Denial(
                Invariant($"does not answer a client that {doing} within {s_answerPatience.TotalSeconds} s"),
                DeniedRight.Topic
            ) with
            {
                IsSilence = true,
            };

    private RightsDenial Denial(string answer, DeniedRight kind) => new(endpoint.Address, answer, kind);

    private static string Name(Packet packet) => packet.Type.ToString().ToUpperInvariant();
}
