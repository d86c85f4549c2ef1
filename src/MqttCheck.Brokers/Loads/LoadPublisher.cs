using System.Runtime.CompilerServices;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;
using MqttCheck.Brokers.Wire;
using MqttCheck.Health;
using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Loads;

/// <summary>
/// A client that publishes. In a closed loop it sends whenever its window has room. In an open loop it also waits for
/// its schedule.
/// </summary>
internal sealed class LoadPublisher : LoadClient
{
    private const int SendTag = 0;

    // Sending waits while the connection's buffer holds more than this, because the broker does not keep up.
    private const int MostPendingBytes = 1 << 20;
    private const long RetryNanoseconds = 1_000_000;

    private readonly PublishTemplate _template;
    private readonly PublishTemplate? _warmUpTemplate;
    private readonly bool _isOpenLoop,
        _mayBeHeld;
    private readonly QualityOfService _qos;
    private readonly PacketIds _ids = new();
    private HeldAnswers.Connection _packets;
    private ArrivalSchedule _schedule;
    private RandomStream _random;
    private int _window,
        _inFlight,
        _warmUpMessages;
    private long _readyAt,
        _onlineSince,
        _firstUnstamped,
        _nextToExpire,
        _sendTicket;

    /// <summary>A publisher that has not begun.</summary>
    public LoadPublisher(LoadEngine engine, int number, byte[] topic)
        : base(engine, number, "p", isPersistent: false, engine.Setup.Nodes?.OfPublisher(number) ?? 0)
    {
        var (setup, workload) = (engine.Setup, engine.Setup.Workload);
        (_isOpenLoop, _qos) = (workload.IsOpenLoop, workload.QosOf(number));
        // In a closed loop messages follow answers, and at QoS 0 there are none.
        _mayBeHeld = _isOpenLoop && _qos != QualityOfService.AtMostOnce;
        _random = RandomStream.For(setup.Seed, LoadEngine.PayloadStream, (ulong)number);
        if (_isOpenLoop)
            _schedule = new ArrivalSchedule(workload, number, setup.Seed, setup.ArrivalPhase);
        _window = workload.InFlight;
        Receivers = engine.Names.ReceiversOf(number);
        Messages = new(engine.Names.AreShared ? workload.Subscribers : workload.ReceiversPerMessage);
        // Who judges every delivery has to tell the messages of two publishers apart.
        int? owner = setup.Observer is null ? null : number;
        _template = new(setup.Version, topic, workload.Payload, _qos, owner);
        if (workload.WarmUp.Messages > 0 && workload.WarmUpPayload is { } warmUp)
            _warmUpTemplate = new(setup.Version, topic, warmUp, _qos, owner);
    }

    /// <summary>How many receivers each of its messages has.</summary>
    public int Receivers { get; }

    /// <summary>Its open messages.</summary>
    public MessageWindow Messages { get; }

    /// <summary>The size of its largest packet, in bytes.</summary>
    public int LargestPacketBytes => Math.Max(_template.MaximumBytes, _warmUpTemplate?.MaximumBytes ?? 0);

    /// <summary>
    /// How many of its connections in a row ended while a message was under way whose payload exceeds all that the
    /// broker has accepted.
    /// </summary>
    public int OversizedLosses { get; private set; }

    /// <summary>The largest payload that was under way when the last of them ended, in bytes.</summary>
    public int LargestLostBytes { get; private set; }

    /// <summary>
    /// Whether messages are due that were not sent. A closed loop has none, because nothing is due before an answer.
    /// </summary>
    public bool IsBehind =>
        (_isOpenLoop || _warmUpMessages < Engine.Setup.Workload.WarmUp.Messages) && Due < Engine.Schedule.End;

    /// <summary>When the next message is due.</summary>
    public long Due { get; private set; }

    /// <summary>The load begins.</summary>
    public void Begin()
    {
        _readyAt = Engine.Schedule.Start;
        Due = NextDue();
        Pump(Engine.Wire.NowNanoseconds);
    }

    /// <summary>Opens a message that is due and was not sent, for the books at the end.</summary>
    public ref MessageSlot TakeUnsent()
    {
        ref var slot = ref Messages.Add();
        (slot.Intended, slot.Ready, slot.Bytes) = (Due, Due, Engine.Setup.Workload.Payload.MaximumBytes);
        if (Due < Engine.Schedule.MeasureStart)
            slot.Flags |= SlotFlags.WarmUp;
        Due = NextDue();
        return ref slot;
    }

    /// <summary>A message has reached all its receivers.</summary>
    public void Delivered(ref MessageSlot slot, long atNanoseconds)
    {
        if (_qos == QualityOfService.AtMostOnce && !slot.Has(SlotFlags.Expired))
        {
            if (_inFlight == _window)
                _readyAt = atNanoseconds;
            _inFlight--;
        }
        if (!slot.Has(SlotFlags.AwaitsAcknowledgement))
            Engine.Finish(this, ref slot, LoadOutcome.Delivered);
    }

    /// <summary>Goes on sending after deliveries of QoS 0, which have no acknowledgement.</summary>
    public void Continue()
    {
        if (_qos == QualityOfService.AtMostOnce && !_isOpenLoop)
            Pump(Engine.Wire.NowNanoseconds);
    }

    /// <summary>
    /// Gives up messages of QoS 0 that did not arrive for long, so that a closed loop goes on after a loss.
    /// </summary>
    public void Expire(long sentBefore)
    {
        if (_qos != QualityOfService.AtMostOnce)
            return;
        for (; _nextToExpire < _firstUnstamped; _nextToExpire++)
        {
            ref var slot = ref Messages.Find(_nextToExpire);
            if (Unsafe.IsNullRef(ref slot))
                continue;
            if (slot.Sent > sentBefore)
                break;
            if (_inFlight == _window)
                _readyAt = Engine.Wire.NowNanoseconds;
            slot.Flags |= SlotFlags.Expired;
            _inFlight--;
        }
        Continue();
    }

    /// <inheritdoc/>
    public override void OnSent(WireConnection connection, in SendStamp stamp)
    {
        // A PUBREL is no packet of its own accord.
        if (_mayBeHeld && _firstUnstamped < Messages.Next)
            _packets.Sends(stamp.Nanoseconds, stamp.EarliestNanoseconds);
        for (; _firstUnstamped < Messages.Next; _firstUnstamped++)
        {
            ref var slot = ref Messages.Find(_firstUnstamped);
            if (Unsafe.IsNullRef(ref slot))
                continue;
            (slot.Sent, slot.SendBound) = (stamp.Nanoseconds, stamp.BoundNanoseconds);
            if (stamp.IsCall)
                slot.Flags |= SlotFlags.SentByCall;
            Engine.Books.NoteSent(slot);
            Engine.Setup.Observer?.Sent(Number, Node, slot.Number, slot.PayloadPrint, stamp.EarliestNanoseconds);
            // A message without a receiver and without an acknowledgement is complete as soon as it is sent.
            if (Receivers == 0 && _qos == QualityOfService.AtMostOnce)
                Delivered(ref slot, stamp.Nanoseconds);
        }
    }

    /// <inheritdoc/>
    public override void OnTimer(long dueNanoseconds, long nowNanoseconds, int tag)
    {
        if (tag != SendTag)
        {
            base.OnTimer(dueNanoseconds, nowNanoseconds, tag);
            return;
        }
        _sendTicket = 0;
        Pump(nowNanoseconds);
    }

    /// <inheritdoc/>
    protected override string? Accepted(WireConnection connection, ConnackPacket answer)
    {
        if (Engine.Limits(answer) is { } limit)
            return limit;
        _window = Math.Min(Engine.Setup.Workload.InFlight, answer.Properties.ReceiveMaximum ?? ushort.MaxValue);
        _inFlight = 0;
        _ids.Clear();
        _readyAt = _onlineSince = Engine.Wire.NowNanoseconds;
        _packets = HeldAnswers.Connection.Begin(_onlineSince);
        GoOnline();
        if (Engine.IsLoading)
            Pump(Engine.Wire.NowNanoseconds);
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
        if (type is not (PacketType.Puback or PacketType.Pubrec or PacketType.Pubcomp))
            return type == PacketType.Disconnect
                ? LoadEngine.DisconnectReason(packet, Engine.Setup.Version)
                : BrokerAnswers.Unexpected;
        if (!AckView.TryParse(Engine.Setup.Version, packet, out var ack, PacketOrigin.Server))
            return BrokerAnswers.Malformed;
        if (!Engine.IsLoading)
            return null;
        if (!_ids.TryFind(ack.PacketId, out var number))
            return BrokerAnswers.Unexpected;
        ref var slot = ref Messages.Find(number);
        if (_mayBeHeld)
            NoteArrival(type, slot, atNanoseconds);
        var isRefused = (byte)ack.ReasonCode >= 0x80;
        if (type == PacketType.Pubrec && _qos == QualityOfService.ExactlyOnce && !isRefused)
        {
            Span<byte> release = stackalloc byte[PacketWriter.MaximumAckBytes];
            connection.Send(
                release[..PacketWriter.WriteAck(release, PacketType.Pubrel, ack.PacketId, Engine.Setup.Version)]
            );
            return null;
        }
        var expected =
            _qos == QualityOfService.AtLeastOnce ? PacketType.Puback
            : isRefused && type == PacketType.Pubrec ? PacketType.Pubrec
            : PacketType.Pubcomp;
        if (type != expected)
            return BrokerAnswers.Unexpected;

        if (_inFlight == _window)
            _readyAt = atNanoseconds;
        _ids.Return(ack.PacketId);
        _inFlight--;
        slot.Narrow(atNanoseconds);
        slot.Acknowledged = atNanoseconds;
        slot.Flags &= ~SlotFlags.AwaitsAcknowledgement;
        if (!isRefused)
        {
            Engine.Books.NoteTaken(slot);
            Engine.Setup.Observer?.Acknowledged(Number, Node, number, atNanoseconds);
        }
        if (isRefused)
            Engine.Finish(this, ref slot, LoadOutcome.Refused);
        else if (slot.Deliveries == Receivers)
            Engine.Finish(this, ref slot, LoadOutcome.Delivered);
        return null;
    }

    /// <inheritdoc/>
    protected override void AfterBytes(long atNanoseconds)
    {
        if (Engine.IsLoading && IsOnline)
            Pump(Engine.Wire.NowNanoseconds);
    }

    /// <inheritdoc/>
    protected override void Lost(long atNanoseconds)
    {
        LargestLostBytes = 0;
        // The session was clean, so unacknowledged messages are never sent again.
        foreach (var number in Messages.Numbers())
        {
            ref var slot = ref Messages.Find(number);
            if (IsUnderWay(slot))
                LargestLostBytes = Math.Max(LargestLostBytes, slot.Bytes);
            if (!slot.Has(SlotFlags.AwaitsAcknowledgement))
                continue;
            slot.Flags &= ~SlotFlags.AwaitsAcknowledgement;
            if (Receivers > 0 && slot.Deliveries == Receivers)
                Engine.Finish(this, ref slot, LoadOutcome.Delivered);
        }
        _firstUnstamped = Messages.Next;
        OversizedLosses = LargestLostBytes > Engine.Books.LargestTakenBytes ? OversizedLosses + 1 : 0;
    }

    // The first answer to a message tells whether it was held back; a PUBCOMP answers the PUBREL.
    private void NoteArrival(PacketType type, in MessageSlot slot, long atNanoseconds)
    {
        if (type == PacketType.Pubcomp)
            _packets.Heard(atNanoseconds);
        else
            Engine.Books.Held.Arrived(ref _packets, slot.Sent, atNanoseconds);
    }

    // Whether a message of this connection is neither acknowledged nor delivered.
    private bool IsUnderWay(in MessageSlot slot) =>
        _qos == QualityOfService.AtMostOnce
            ? slot.Deliveries == 0 && (slot.Sent == LoadMessage.None || slot.Sent >= _onlineSince)
            : slot.Has(SlotFlags.AwaitsAcknowledgement);

    // Sends the messages that are due, as far as the window has room.
    private void Pump(long now)
    {
        if (!IsOnline || !Engine.IsLoading || (!_isOpenLoop && now >= Engine.Schedule.End))
            return;
        var connection = Connection!;
        var isUnbounded = _isOpenLoop && _qos == QualityOfService.AtMostOnce;
        while (Due <= now && Due < Engine.Schedule.End)
        {
            if (_inFlight >= _window && !isUnbounded)
                return;
            if (connection.PendingBytes > MostPendingBytes)
            {
                Engine.NoteBacklog(connection.PendingBytes);
                Wake(now + RetryNanoseconds);
                return;
            }
            Send(connection);
        }
        if (Due < Engine.Schedule.End)
            Wake(Due);
    }

    private void Wake(long at)
    {
        if (_sendTicket == 0)
            _sendTicket = Engine.Wire.Schedule(this, at, SendTag);
    }

    private void Send(WireConnection connection)
    {
        // In a closed loop a message is due when the one before it is complete.
        var intended = _isOpenLoop ? Due : Math.Max(Due, _readyAt);
        ref var slot = ref Messages.Add();
        slot.Intended = intended;
        slot.Ready = Math.Max(intended, _readyAt);
        if (intended < Engine.Schedule.MeasureStart)
            slot.Flags |= SlotFlags.WarmUp;
        ushort id = 0;
        if (_qos != QualityOfService.AtMostOnce)
        {
            id = _ids.Take(slot.Number);
            slot.Flags |= SlotFlags.AwaitsAcknowledgement;
        }
        _inFlight++;
        var template = slot.Has(SlotFlags.WarmUp) && _warmUpTemplate is not null ? _warmUpTemplate : _template;
        var packet = template.Next(
            Number,
            Engine.Names.InPayload(Number, slot.Number),
            id,
            Engine.UnixMilliseconds(intended),
            ref _random,
            out slot.Bytes
        );
        if (Engine.Setup.Observer is not null)
            slot.PayloadPrint = PayloadPrint.Of(packet[^slot.Bytes..]);
        connection.Send(packet);
        Engine.Books.NoteOpened();
        Due = NextDue();
    }

    // Warm-up messages have their own schedule, which spreads them evenly over the pause between two of them.
    private long NextDue()
    {
        var warmUp = Engine.Setup.Workload.WarmUp;
        if (_warmUpMessages < warmUp.Messages)
        {
            var pause = warmUp.Time.Ticks * TimeSpan.NanosecondsPerTick;
            return Engine.Schedule.Start
                + pause * _warmUpMessages++
                + (long)((double)pause * Number / Engine.Setup.Workload.Publishers);
        }
        var start = warmUp.Messages > 0 ? Engine.Schedule.MeasureStart : Engine.Schedule.Start;
        if (_isOpenLoop)
            return start + _schedule.Next();
        if (Engine.Setup.MostPerSecond is not { } most)
            return start;
        // Every publisher keeps its share of the cap, and begins at a time of its own.
        var gap = Engine.Setup.Workload.Publishers / most * 1e9;
        return Due < start
            ? start + (long)(gap * Number / Engine.Setup.Workload.Publishers)
            : Engine.Wire.NowNanoseconds + (long)gap;
    }
}
