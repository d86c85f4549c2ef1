using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Wire;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Loads;

/// <summary>A client that subscribes once and takes the messages.</summary>
internal sealed class LoadSubscriber : LoadClient
{
    private readonly byte[] _subscribe;

    // Messages of QoS 2 that were not released: a repeat of one is the same delivery (MQTT-4.3.3).
    private readonly Dictionary<ushort, long> _unreleased = [];
    private int _lastPublisher;
    private int _grantedQos;

    /// <summary>A subscriber that has not begun.</summary>
    public LoadSubscriber(LoadEngine engine, int number)
        : base(
            engine,
            number,
            "s",
            engine.Setup.Workload.PersistentSubscribers,
            engine.Setup.Nodes?.OfSubscriber(number) ?? 0
        )
    {
        var (setup, workload) = (engine.Setup, engine.Setup.Workload);
        var request = new SubscriptionRequest(engine.Names.SentFilters[number], workload.SubscribeQos);
        _subscribe = PacketEncoder.Encode(new SubscribePacket(1, [request]), setup.Version);
        _lastPublisher = workload.Shape == WorkloadShape.FanOut || engine.Names.AreShared ? 0 : number;
    }

    /// <summary>When it went offline on purpose, or <see cref="LoadMessage.None"/>.</summary>
    public long OfflineSince { get; private set; } = LoadMessage.None;

    /// <summary>When it was back, or <see cref="long.MaxValue"/> until then.</summary>
    public long OfflineUntil { get; private set; } = LoadMessage.None;

    /// <summary>
    /// When the broker was found to have forgotten its session last, or <see cref="LoadMessage.None"/>.
    /// </summary>
    public long ForgottenAt { get; private set; } = LoadMessage.None;

    /// <summary>Disconnects for a while.</summary>
    public void TakeOffline()
    {
        (OfflineSince, OfflineUntil) = (Engine.Wire.NowNanoseconds, long.MaxValue);
        GoOffline();
    }

    /// <summary>Comes back.</summary>
    public void BringBack()
    {
        StaysAway = false;
        Connect();
    }

    /// <inheritdoc/>
    protected override string? Accepted(WireConnection connection, ConnackPacket answer)
    {
        if (Engine.Limits(answer) is { } limit)
            return limit;
        if (answer.SessionPresent && !HasSession)
        {
            Engine.Setup.Observer?.SessionInvented(Number, Node, Engine.Wire.NowNanoseconds);
            return BrokerAnswers.SessionOutOfNowhere;
        }
        if (HasSession && !answer.SessionPresent)
        {
            ForgottenAt = Engine.Wire.NowNanoseconds;
            Engine.Note(BrokerAnswers.SessionForgotten);
            Engine.Setup.Observer?.SessionForgotten(Number, Node, Engine.Wire.NowNanoseconds);
        }
        if (answer.SessionPresent)
        {
            Back(isResumed: true);
            return null;
        }
        _unreleased.Clear();
        connection.Send(_subscribe);
        return null;
    }

    /// <inheritdoc/>
    protected override string? ReceiveEarly(
        WireConnection connection,
        PacketType type,
        ReadOnlySpan<byte> packet,
        long atNanoseconds
    )
    {
        // The standard lets a broker send messages before it acknowledges the subscription.
        if (type != PacketType.Suback)
            return Receive(connection, type, packet, atNanoseconds);
        if (
            PacketDecoder.Observe(packet, Engine.Setup.Version, PacketOrigin.Server).Packet
            is not SubackPacket { ReasonCodes: [var code] }
        )
            return BrokerAnswers.Malformed;
        if ((byte)code >= 0x80)
        {
            Engine.Connections.Refused(code);
            return $"the broker refused the subscription ({code})";
        }
        if ((byte)code < (byte)Engine.Setup.Workload.SubscribeQos)
            Engine.Note($"the broker granted QoS {(byte)code} instead of {(byte)Engine.Setup.Workload.SubscribeQos}");
        _grantedQos = (byte)code;
        Back(isResumed: false);
        return null;
    }

    /// <inheritdoc/>
    protected override string? Receive(
        WireConnection connection,
        PacketType type,
        ReadOnlySpan<byte> packet,
        long atNanoseconds
    )
    {
        Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
        switch (type)
        {
            case PacketType.Publish:
                if (!PublishView.TryParse(Engine.Setup.Version, packet, out var message, PacketOrigin.Server))
                    return BrokerAnswers.Malformed;
                if (message.Qos != QualityOfService.AtMostOnce)
                {
                    var answer = message.Qos == QualityOfService.AtLeastOnce ? PacketType.Puback : PacketType.Pubrec;
                    connection.Send(ack[..PacketWriter.WriteAck(ack, answer, message.PacketId, Engine.Setup.Version)]);
                }
                if (IsRepeatOfUnreleased(message))
                    return null;
                var publisher = Engine.Topics.Find(message.Topic, _lastPublisher);
                if (publisher >= 0)
                    _lastPublisher = publisher;
                Engine.Deliver(this, publisher, message, atNanoseconds);
                return null;
            case PacketType.Pubrel:
                if (!AckView.TryParse(Engine.Setup.Version, packet, out var release, PacketOrigin.Server))
                    return BrokerAnswers.Malformed;
                _unreleased.Remove(release.PacketId);
                connection.Send(
                    ack[..PacketWriter.WriteAck(ack, PacketType.Pubcomp, release.PacketId, Engine.Setup.Version)]
                );
                return null;
            case PacketType.Disconnect:
                return LoadEngine.DisconnectReason(packet, Engine.Setup.Version);
            default:
                return BrokerAnswers.Unexpected;
        }
    }

    /// <inheritdoc/>
    protected override void Lost(long atNanoseconds)
    {
        // A client that leaves at the end has received all that it ever will.
        if (!Engine.IsLoading)
            return;
        Engine.Setup.Observer?.Disconnected(Number, Node, atNanoseconds);
        if (!IsPersistent)
            Engine.Setup.Observer?.Unsubscribed(Number, Node, atNanoseconds);
    }

    // A load counts what comes twice. Who judges every delivery asks what a client hands to its application. A broker
    // that has lost its identifiers may give one to another message.
    private bool IsRepeatOfUnreleased(in PublishView message)
    {
        if (message.Qos != QualityOfService.ExactlyOnce || Engine.Setup.Observer is null)
            return false;
        var print = PayloadPrint.Of(message.Payload);
        if (message.Duplicate && _unreleased.TryGetValue(message.PacketId, out var known) && known == print)
            return true;
        _unreleased[message.PacketId] = print;
        return false;
    }

    private void Back(bool isResumed)
    {
        Engine.Setup.Observer?.Subscribed(Number, Node, isResumed, _grantedQos, Engine.Wire.NowNanoseconds);
        if (OfflineUntil == long.MaxValue)
            OfflineUntil = Engine.Wire.NowNanoseconds;
        GoOnline();
    }
}
