using System.Text;
using MqttCheck.Clusters.Events;
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
    private const int Messages = 40;
    private const long Step = 1_000_000;

    private readonly List<PlantLine> _lines = [];
    private readonly List<(int Client, string Filter, int Granted)> _subscriptions = [];
    private readonly Dictionary<(int Client, ushort Id), long> _sent = [];
    private readonly HashSet<(int Client, ushort Id)> _received = [];
    private readonly Queue<Action> _later = new();
    private readonly int _publishers = 4;
    private readonly LoadPayload _payload = LoadPayload.OfSize(100);
    private readonly Plant _plant;
    private ushort _lastId;
    private long _now;

    private PlantedTape(Plant plant) => _plant = plant;

    public Plant Plant => _plant;

    public IReadOnlyList<PlantLine> Lines => _lines;

    /// <summary>The events in order of time.</summary>
    private List<ClusterEvent> Events { get; } = [];

    /// <summary>A run with a plant.</summary>
    public static IReadOnlyList<ClusterEvent> Of(Plant plant, int subscribers)
    {
        var tape = new PlantedTape(plant);
        tape.Run(subscribers);
        return tape.Events;
    }

    public void Later(Action act) => _later.Enqueue(act);

    private void Run(int subscribers)
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
        _now += 1000 * Step;
        for (var number = 0; number < Messages; number++)
        for (var publisher = 0; publisher < _publishers; publisher++)
        {
            Publish(publisher, number);
            if (number % 10 == 9 && _later.TryDequeue(out var act))
                act();
        }
    }

    private void Publish(int publisher, int number)
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
        if (qos < 2 || _received.Add((client, id)))
        {
            foreach (var (subscriber, _, granted) in _subscriptions.Where(one => one.Filter == topic).ToList())
            {
                var lower = Math.Min(qos, granted);
                Down(
                    subscriber,
                    Encoded(
                        new PublishPacket
                        {
                            Topic = topic,
                            Payload = new Bytes(payload),
                            Qos = (QualityOfService)lower,
                            PacketId = lower == 0 ? (ushort)0 : ++_lastId,
                        }
                    )
                );
            }
        }
        if (qos > 0)
            Down(client, Ack(qos == 1 ? PacketType.Puback : PacketType.Pubrec, id));
    }

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
        Events.Add(
            new ClusterEvent
            {
                Nanoseconds = _now,
                Kind = kind,
                Node = 0,
                Client = client,
                Message = message,
                Topic = topic,
                Qos = qos,
                Value = print,
                IsRetained = isRetained,
                IsRepeat = isRepeat,
            }
        );

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
