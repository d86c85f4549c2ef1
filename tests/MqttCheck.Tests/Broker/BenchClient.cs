using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Broker;

/// <summary>
/// One connection to a <see cref="BrokerBench"/>. Everything the broker sends is decoded strictly, as a server's
/// packet.
/// </summary>
internal sealed class BenchClient(BrokerBench bench, int number, ProtocolVersion version)
{
    private readonly Queue<Packet> _received = new();

    public int Number { get; } = number;

    public ProtocolVersion Version { get; } = version;

    public ConnackPacket? Connack { get; set; }

    public string ClientId { get; set; } = "";

    public BrokerCloseReason? CloseReason { get; set; }

    public bool IsClosed => CloseReason is not null;

    public int Pauses { get; set; }

    public bool HasReceived => _received.Count > 0;

    public int LargestPacketBytes { get; private set; }

    public BenchClient Send(Packet packet)
    {
        SendBytes(PacketEncoder.Encode(packet, Version));
        return this;
    }

    /// <summary>Sends bytes, which may be no packet, or part of one.</summary>
    public int SendBytes(params ReadOnlySpan<byte> bytes)
    {
        Assert.That(IsClosed, Is.False, "the broker has closed this connection");
        return bench.Core.Receive(Number, bytes, bench.Now);
    }

    public void Lose()
    {
        bench.Forget(this);
        bench.Core.Lost(Number, bench.Now);
    }

    public BenchClient Disconnect(ReasonCode reason = ReasonCode.Success) => Send(new DisconnectPacket(reason));

    public SubackPacket Subscribe(
        string filter,
        int qos = 1,
        int identifier = 0,
        bool noLocal = false,
        bool asPublished = false,
        RetainHandling handling = RetainHandling.Send
    )
    {
        Send(
            new SubscribePacket(
                77,
                [new SubscriptionRequest(filter, (QualityOfService)qos, noLocal, asPublished, handling)]
            )
            {
                Properties =
                    identifier == 0
                        ? PacketProperties.Empty
                        : new PacketProperties { SubscriptionIdentifiers = [(uint)identifier] },
            }
        );
        return Take<SubackPacket>();
    }

    public UnsubackPacket Unsubscribe(params string[] filters)
    {
        Send(new UnsubscribePacket(78, ValueList.Create<string>(filters)));
        return Take<UnsubackPacket>();
    }

    public BenchClient Publish(
        string topic,
        string payload,
        int qos = 0,
        ushort id = 1,
        bool retain = false,
        bool duplicate = false,
        PacketProperties? properties = null
    ) =>
        Send(
            new PublishPacket
            {
                Topic = topic,
                Payload = Bytes.FromText(payload),
                Qos = (QualityOfService)qos,
                PacketId = qos == 0 ? (ushort)0 : id,
                Retain = retain,
                Duplicate = duplicate,
                Properties = properties ?? PacketProperties.Empty,
            }
        );

    /// <summary>The next packet, which must be of this type.</summary>
    public T Take<T>()
        where T : Packet
    {
        Assert.That(_received, Is.Not.Empty, $"awaited {typeof(T).Name}");
        var next = _received.Dequeue();
        Assert.That(next, Is.InstanceOf<T>());
        return (T)next;
    }

    /// <summary>Every packet received and not taken yet.</summary>
    public Packet[] TakeAll()
    {
        var all = _received.ToArray();
        _received.Clear();
        return all;
    }

    /// <summary>The messages received and not taken yet, as topic=payload; other packets are left out.</summary>
    public string[] TakeMessages() =>
        [.. TakeAll().OfType<PublishPacket>().Select(p => $"{p.Topic}={p.Payload.ToText()}")];

    public BenchClient AssertSilent()
    {
        Assert.That(_received, Is.Empty);
        return this;
    }

    /// <summary>
    /// The connection was closed for a violation: 3.1.1 silently, 5 after a DISCONNECT with this code.
    /// </summary>
    public void AssertClosedFor(ReasonCode reason)
    {
        Assert.That(CloseReason, Is.EqualTo(BrokerCloseReason.ProtocolError));
        Assert.That(
            TakeAll(),
            Is.EqualTo(
                Version == ProtocolVersion.V5 && Connack is not null
                    ? new Packet[] { new DisconnectPacket(reason) }
                    : []
            )
        );
    }

    internal void Add(ReadOnlySpan<byte> packet)
    {
        var frame = PacketFrame.TryRead(packet, int.MaxValue, out var extent);
        Assert.That(
            (frame, extent.TotalLength),
            Is.EqualTo((FrameStatus.Complete, packet.Length)),
            "one whole packet at a time"
        );
        LargestPacketBytes = Math.Max(LargestPacketBytes, packet.Length);
        _received.Enqueue(PacketDecoder.Decode(packet, Version, PacketOrigin.Server));
    }
}
