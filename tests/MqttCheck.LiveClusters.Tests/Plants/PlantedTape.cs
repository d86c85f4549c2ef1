using System.Text;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>
/// Clients and one broker that speak MQTT to each other in memory, packet by packet, with a plant between them. What
/// the clients see are the events of a run.
/// </summary>
internal sealed class PlantedTape : IPlantPlace
{
    // With a fault, a third of the messages comes before it, one near it, and one when all is settled again.
    private const int Messages = 60;
    private const int Third = Messages / 3;
    private const long Step = 1_000_000;
    private const long Pause = 1000 * Step;

    private readonly List<PlantLine> _lines = [];
    private readonly List<(int Client, string Filter, int Granted)> _subscriptions = [];
    private readonly Dictionary<(int Client, ushort Id), long> _sent = [];
    private readonly HashSet<(int Client, ushort Id)> _received = [];
    private readonly Queue<Action> _later = new();
    private readonly int _publishers = 4;
    private readonly LoadPayload _payload = LoadPayload.OfSize(100);
    private readonly Plant _plant;
    private readonly FaultKind _fault;
    private readonly Queue<Action> _stalled = new();
    private readonly HashSet<int> _away = [];
    private int _stall;
    private bool _isFull;
    private ushort _lastId;
    private long _now;

    private PlantedTape(Plant plant, FaultKind fault) => (_plant, _fault) = (plant, fault);

    public Plant Plant => _plant;

    public IReadOnlyList<PlantLine> Lines => _lines;

    /// <summary>The events in order of time.</summary>
    private List<ClusterEvent> Events { get; } = [];

    /// <summary>A run with a plant.</summary>
    public static IReadOnlyList<ClusterEvent> Of(Plant plant, int subscribers)
    {
        var tape = new PlantedTape(plant, FaultKind.None);
        tape.Begin(subscribers);
        tape.Publish(0, Messages);
        return tape.Events;
    }

    /// <summary>A run with a fault, after which everything goes on as it should, and a plant.</summary>
    /// <param name="plant">The plant, not armed.</param>
    /// <param name="subscribers">How many clients subscribe.</param>
    /// <param name="fault">The kind of fault.</param>
    /// <param name="isNear">Whether the plant is near the fault, or a second behind it.</param>
    public static IReadOnlyList<ClusterEvent> Of(Plant plant, int subscribers, FaultKind fault, bool isNear)
    {
        var tape = new PlantedTape(plant, fault);
        plant.IsArmed = false;
        tape.Begin(subscribers);
        tape.Publish(0, Third);
        // What reaches a broker with a full disk is refused, so that nothing can go wrong with it.
        plant.IsArmed = isNear && fault != FaultKind.Fill;
        if (fault == FaultKind.Mix)
        {
            tape.Break(FaultKind.Freeze, Third, Third + Third / 2, isNear);
            tape.Break(FaultKind.Kill, Third + Third / 2, 2 * Third, isNear);
        }
        else
            tape.Break(fault, Third, 2 * Third, isNear);
        tape._now += Pause;
        plant.IsArmed = true;
        tape.Publish(2 * Third, Messages);
        return tape.Events;
    }

    public void Later(Action act) => _later.Enqueue(act);

    // The fault begins, messages come, it ends, and what waited for that comes.
    private void Break(FaultKind kind, int from, int to, bool isNear)
    {
        var isOfLink = kind is FaultKind.Cut or FaultKind.Partition or FaultKind.Slow;
        See(FaultEvent(kind, begins: true, isOfLink));
        switch (kind)
        {
            case FaultKind.Freeze or FaultKind.Cut or FaultKind.Partition or FaultKind.Slow or FaultKind.Throttle:
                _stall = kind is FaultKind.Slow or FaultKind.Throttle ? 3 : int.MaxValue;
                Publish(from, to);
                See(FaultEvent(kind, begins: false, isOfLink));
                _stall = 0;
                break;
            case FaultKind.Fill:
                _isFull = true;
                Publish(from, (from + to) / 2);
                (_isFull, _plant.IsArmed) = (false, isNear);
                See(FaultEvent(kind, begins: false, isOfLink));
                Publish((from + to) / 2, to);
                break;
            // The node is there soon, or away for good.
            case FaultKind.Join:
                See(FaultEvent(kind, begins: false, isOfLink));
                Publish(from, to);
                break;
            case FaultKind.Leave:
                Publish(from, to);
                break;
            default:
                // Half of the readers come back later than the broker.
                foreach (var client in Readers)
                    Connection(ClusterEventKind.Disconnected, client);
                _now += 300 * Step;
                See(FaultEvent(kind, begins: false, isOfLink));
                foreach (var client in Readers.Where(client => client % 2 == 0))
                    Connection(ClusterEventKind.Connected, client);
                _away.UnionWith(Readers.Where(client => client % 2 == 1));
                Publish(from, to);
                foreach (var client in _away.ToList())
                    Connection(ClusterEventKind.Connected, client);
                _away.Clear();
                break;
        }
        while (_stalled.TryDequeue(out var act))
            act();
    }

    private IEnumerable<int> Readers => Enumerable.Range(_publishers, _lines.Count - _publishers);

    private void Connection(ClusterEventKind kind, int client) =>
        See(kind, client, -1, _subscriptions.First(one => one.Client == client).Filter, 0, 0);

    private ClusterEvent FaultEvent(FaultKind kind, bool begins, bool isOfLink) =>
        new()
        {
            Nanoseconds = _now += Step,
            Kind = begins ? ClusterEventKind.FaultBegan : ClusterEventKind.FaultEnded,
            Node = kind is FaultKind.Join or FaultKind.Leave ? 1 : 0,
            Peer = isOfLink ? 1 : -1,
            Fault = kind,
        };

    // Some publishers are at the other broker, whose link may fail, and which may come later or leave.
    private bool IsElsewhere(int client) =>
        _fault switch
        {
            FaultKind.Cut or FaultKind.Partition or FaultKind.Slow or FaultKind.Join => client is 2 or 3,
            FaultKind.Leave => client == 3,
            _ => false,
        };

    private bool IsSilent(int publisher, int number) =>
        IsElsewhere(publisher)
        && ((_fault == FaultKind.Join && number < Third) || (_fault == FaultKind.Leave && number >= Third));

    // What is stalled keeps its order. A slow link holds the last messages back.
    private void Stall(Action act)
    {
        if (_stall == 0)
        {
            act();
            return;
        }
        _stalled.Enqueue(act);
        while (_stalled.Count > _stall)
            _stalled.Dequeue()();
    }

    private void Begin(int subscribers)
    {
        for (var client = 0; client < _publishers + subscribers; client++)
        {
            var self = client;
            var line = new PlantLine(
                this,
                (isDown, packet) =>
                {
                    _now += Step;
                    if (isDown)
                        AtClient(self, packet);
                    else
                        AtBroker(self, packet);
                }
            );
            _lines.Add(line);
            var id = client < _publishers ? $"p{client}" : $"s{client - _publishers}";
            line.Pass(false, Encoded(new ConnectPacket { ClientId = id }));
            if (client < _publishers)
                continue;
            for (var publisher = client - _publishers; publisher < _publishers; publisher += subscribers)
                line.Pass(false, Encoded(new SubscribePacket(1, [new($"t/{publisher}", _plant.Qos)])));
        }
        // No message is near a subscription.
        _now += Pause;
    }

    private void Publish(int from, int to)
    {
        for (var number = from; number < to; number++)
        for (var publisher = 0; publisher < _publishers; publisher++)
        {
            if (!IsSilent(publisher, number))
                Send(publisher, number);
            if (number % 10 == 9 && _later.TryDequeue(out var act))
                act();
        }
    }

    private void Send(int publisher, int number)
    {
        var payload = new byte[_payload.MaximumBytes];
        var random = default(Statistics.RandomStream);
        _payload.WritePattern(payload);
        _payload.WriteOwner(payload, publisher);
        _payload.Fill(payload, publisher, number, 0, ref random);
        var message = NumberOf(publisher, number);
        var id = _plant.Qos == QualityOfService.AtMostOnce ? (ushort)0 : (ushort)(number + 1);
        _sent[(publisher, id)] = message;
        See(
            ClusterEventKind.Published,
            publisher,
            message,
            $"t/{publisher}",
            (int)_plant.Qos,
            PayloadPrint.Of(payload)
        );
        _lines[publisher]
            .Pass(
                false,
                Encoded(
                    new PublishPacket
                    {
                        Topic = $"t/{publisher}",
                        Payload = new Bytes(payload),
                        Qos = _plant.Qos,
                        PacketId = id,
                    }
                )
            );
    }

    private void AtBroker(int client, byte[] packet)
    {
        // A broker that stands still reads nothing.
        if (_stall > 0 && _fault is FaultKind.Freeze or FaultKind.Mix)
            Stall(() => Read(client, packet));
        else
            Read(client, packet);
    }

    private void Read(int client, byte[] packet)
    {
        switch ((PacketType)(packet[0] >> 4))
        {
            case PacketType.Subscribe
                when PacketDecoder.Observe(packet, ProtocolVersion.V311, PacketOrigin.Client).Packet
                    is SubscribePacket { Subscriptions: [var wanted] } subscribe:
                _subscriptions.Add((client, wanted.Filter, (int)wanted.Qos));
                Down(client, Encoded(new SubackPacket(subscribe.PacketId, [(ReasonCode)(byte)wanted.Qos])));
                break;
            case PacketType.Publish when PublishView.TryParse(ProtocolVersion.V311, packet, out var publish):
                Forward(client, publish);
                break;
            case PacketType.Pubrel:
                _received.Remove((client, IdOf(packet)));
                Down(client, Ack(PacketType.Pubcomp, IdOf(packet)));
                break;
            case PacketType.Pubrec:
                Down(client, Ack(PacketType.Pubrel, IdOf(packet)));
                break;
        }
    }

    private void Forward(int client, in PublishView publish)
    {
        var (topic, payload, id) = (
            Encoding.UTF8.GetString(publish.Topic),
            publish.Payload.ToArray(),
            publish.PacketId
        );
        var qos = (int)publish.Qos;
        if (_isFull)
            return;
        if (qos < 2 || _received.Add((client, id)))
        {
            if (IsElsewhere(client))
                // The bridge has QoS 1.
                Stall(() => Hand(topic, payload, Math.Min(qos, 1)));
            else
                Hand(topic, payload, qos);
        }
        if (qos > 0)
            Down(client, Ack(qos == 1 ? PacketType.Puback : PacketType.Pubrec, id));
    }

    private void Hand(string topic, byte[] payload, int qos)
    {
        foreach (var (subscriber, _, granted) in _subscriptions.Where(one => one.Filter == topic).ToList())
        {
            if (_away.Contains(subscriber))
                _stalled.Enqueue(() => Hand(subscriber, topic, payload, Math.Min(qos, granted)));
            else
                Hand(subscriber, topic, payload, Math.Min(qos, granted));
        }
    }

    private void Hand(int subscriber, string topic, byte[] payload, int qos) =>
        Down(
            subscriber,
            Encoded(
                new PublishPacket
                {
                    Topic = topic,
                    Payload = new Bytes(payload),
                    Qos = (QualityOfService)qos,
                    PacketId = qos == 0 ? (ushort)0 : ++_lastId,
                }
            )
        );

    private void AtClient(int client, byte[] packet)
    {
        switch ((PacketType)(packet[0] >> 4))
        {
            case PacketType.Suback:
                var filter = _subscriptions.FindLast(one => one.Client == client).Filter;
                See(ClusterEventKind.Subscribed, client, -1, filter, packet[^1], 0);
                break;
            case PacketType.Puback or PacketType.Pubcomp when _sent.Remove((client, IdOf(packet)), out var message):
                See(ClusterEventKind.Acknowledged, client, message, "", 0, 0);
                break;
            case PacketType.Pubrec:
                _lines[client].Pass(false, Ack(PacketType.Pubrel, IdOf(packet)));
                break;
            case PacketType.Pubrel:
                _lines[client].Pass(false, Ack(PacketType.Pubcomp, IdOf(packet)));
                break;
            case PacketType.Publish when PublishView.TryParse(ProtocolVersion.V311, packet, out var publish):
                Take(client, publish);
                break;
        }
    }

    private void Take(int client, in PublishView publish)
    {
        var topic = Encoding.UTF8.GetString(publish.Topic);
        var isKnown = topic.StartsWith("t/", StringComparison.Ordinal);
        var publisher = isKnown ? topic[^1] - '0' : -1;
        var message =
            isKnown && _payload.TryReadNumber(publish.Payload, out var number) && number < Messages
                ? NumberOf(publisher, number)
                : -1;
        See(
            ClusterEventKind.Delivered,
            client,
            message,
            topic,
            (int)publish.Qos,
            PayloadPrint.Of(publish.Payload),
            publish.Retain,
            publish.Duplicate
        );
        if (publish.Qos != QualityOfService.AtMostOnce)
            _lines[client]
                .Pass(
                    false,
                    Ack(
                        publish.Qos == QualityOfService.AtLeastOnce ? PacketType.Puback : PacketType.Pubrec,
                        publish.PacketId
                    )
                );
    }

    private void See(
        ClusterEventKind kind,
        int client,
        long message,
        string topic,
        int qos,
        long print,
        bool isRetained = false,
        bool isRepeat = false
    ) =>
        See(
            new ClusterEvent
            {
                Nanoseconds = _now,
                Kind = kind,
                Node = IsElsewhere(client) ? 1 : 0,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
                Value = print,
                IsRetained = isRetained,
                IsRepeat = isRepeat,
            }
        );

    private void See(in ClusterEvent seen) => Events.Add(seen);

    private void Down(int client, byte[] packet) => _lines[client].Pass(true, packet);

    private static long NumberOf(int publisher, long number) => ((long)publisher << 32) | number;

    private static ushort IdOf(byte[] packet) => (ushort)((packet[2] << 8) | packet[3]);

    private static byte[] Ack(PacketType type, ushort id)
    {
        Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
        return ack[..PacketWriter.WriteAck(ack, type, id, ProtocolVersion.V311)].ToArray();
    }

    private static byte[] Encoded(Packet packet) => PacketEncoder.Encode(packet, ProtocolVersion.V311);
}
