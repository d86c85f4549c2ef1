using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The sending half of a link: an MQTT 5 client whose session is kept, as a pure state machine without bytes. Between
/// two living processes nothing is lost at QoS 1, nothing lost or repeated at QoS 2, across reconnects. A crash of
/// either end loses the window.
/// </summary>
/// <param name="peer">The node at the other end.</param>
/// <param name="options">Its settings.</param>
/// <param name="output">The receiver of its outputs.</param>
internal sealed class PeerHop(int peer, HopOptions options, IHopOutput output)
{
    private enum State : byte
    {
        Stopped,
        Waiting,
        Opening,
        Connecting,
        Connected,
    }

    private readonly InFlightWindow<HopDelivery> _window = new();
    private readonly Queue<HopDelivery> _queue = new();
    private State _state;
    private bool _isFirst;
    private long _pause;

    // PINGRESP does not say which PINGREQ it answers, but comes in their order. Of statements in between, which are
    // PINGREQ too, the round trip is not asked.
    private long _pings;
    private long _answers;
    private long _awaited;

    /// <summary>When <see cref="Tick"/> has something to do; <see cref="long.MaxValue"/> for never.</summary>
    public long NextDue { get; private set; } = long.MaxValue;

    /// <summary>Whether the peer has accepted the present connection.</summary>
    public bool IsConnected => _state == State.Connected;

    /// <summary>How many messages are neither acknowledged nor dropped.</summary>
    public int Pending => _window.Count + _queue.Count;

    /// <summary>For how long a node that leaves waits for acknowledgements at most: 2 s.</summary>
    public const long LeavePatienceNanoseconds = 2_000_000_000;

    /// <summary>Whether a node that leaves owes the peer nothing: it has all, or cannot be reached.</summary>
    public bool HasHandedOn => !IsConnected || Pending == 0;

    /// <summary>
    /// How many messages were given up: QoS 0 without a connection, the newest behind a full queue, and the window when
    /// the peer has lost the session.
    /// </summary>
    public long Dropped { get; private set; }

    /// <summary>The process begins: it connects with a new session.</summary>
    public void Start()
    {
        Stop();
        _isFirst = true;
        _pause = options.FirstPauseNanoseconds;
        Dropped = 0;
        Open();
    }

    /// <summary>The process has ended: all it knew is gone.</summary>
    public void Stop()
    {
        _window.Clear();
        _queue.Clear();
        (_state, NextDue) = (State.Stopped, long.MaxValue);
    }

    /// <summary>The connection is open.</summary>
    public void Opened()
    {
        if (_state != State.Opening)
            return;
        _state = State.Connecting;
        output.Transmit(peer, new HopPacket { Kind = HopPacketKind.Connect, Flag = _isFirst });
    }

    /// <summary>The connection is closed, or could not be opened.</summary>
    public void Closed(long now)
    {
        if (_state is State.Stopped or State.Waiting)
            return;
        (_state, NextDue) = (State.Waiting, now + _pause);
        _pause = Math.Min(2 * _pause, options.LongestPauseNanoseconds);
    }

    /// <summary>The peer shows that it can be reached: there is no need to wait longer.</summary>
    public void PeerSeen()
    {
        if (_state != State.Waiting)
            return;
        _pause = options.FirstPauseNanoseconds;
        Open();
    }

    /// <summary>Connects again when the pause is over.</summary>
    public void Tick(long now)
    {
        if (_state == State.Waiting && now >= NextDue)
            Open();
    }

    /// <summary>Sends a message in the way of its kind.</summary>
    public void Send(in PeerMessage message)
    {
        switch (message.Kind)
        {
            case PeerMessageKind.Data:
                Offer(message.Data);
                break;
            case PeerMessageKind.Ping:
                Ping(message);
                break;
            default:
                Control(message);
                break;
        }
    }

    /// <summary>Sends an application message, or has it wait.</summary>
    public void Offer(in RoutedMessage message)
    {
        var qos = message.Qos < options.Qos ? message.Qos : options.Qos;
        if (qos == QualityOfService.AtMostOnce)
        {
            if (IsConnected)
                output.Transmit(peer, HopPacket.Publish(PeerMessage.Of(message), qos, 0, duplicate: false));
            else
                Dropped++;
            return;
        }
        var delivery = new HopDelivery(message, qos);
        if (IsConnected && _queue.Count == 0 && HasRoom)
            Send(delivery);
        else if (_queue.Count < options.Queued)
            _queue.Enqueue(delivery);
        else
            Dropped++;
    }

    /// <summary>Sends a control message at QoS 0; without a connection it is lost.</summary>
    public void Control(in PeerMessage message)
    {
        if (!IsConnected)
            return;
        if (options.InsidePings?.Carries(message.ControlKind) == true)
        {
            _pings++;
            output.Transmit(peer, HopPacket.PingreqWith(message));
        }
        else
            output.Transmit(
                peer,
                HopPacket.Publish(message, QualityOfService.AtMostOnce, packetId: 0, duplicate: false)
            );
    }

    /// <summary>Sends PINGREQ; without a connection nothing is sent.</summary>
    /// <param name="message">What it carries: nothing, or a control message.</param>
    public void Ping(in PeerMessage message = default)
    {
        if (!IsConnected)
            return;
        _awaited = ++_pings;
        output.Transmit(
            peer,
            message.ControlKind == 0 ? HopPacket.Of(HopPacketKind.Pingreq) : HopPacket.PingreqWith(message)
        );
    }

    /// <summary>A packet has come back from the peer.</summary>
    public void Receive(in HopPacket packet)
    {
        switch (packet.Kind)
        {
            case HopPacketKind.Connack when _state == State.Connecting:
                Begin(packet.Flag);
                break;
            case HopPacketKind.Puback:
                if (_window.Finish(packet.PacketId, QualityOfService.AtLeastOnce))
                    Pump();
                break;
            case HopPacketKind.Pubrec:
                if (_window.Release(packet.PacketId))
                    output.Transmit(peer, HopPacket.Of(HopPacketKind.Pubrel, packet.PacketId));
                break;
            case HopPacketKind.Pubcomp:
                if (_window.Complete(packet.PacketId))
                    Pump();
                break;
            case HopPacketKind.Pingresp:
                if (++_answers == _awaited || options.InsidePings is null)
                    output.Answered(peer);
                break;
        }
    }

    private bool HasRoom => !_window.HasUnsent && _window.Count < options.InFlight;

    private void Open()
    {
        (_state, NextDue) = (State.Opening, long.MaxValue);
        output.Open(peer);
    }

    private void Begin(bool sessionPresent)
    {
        _state = State.Connected;
        _isFirst = false;
        (_pings, _answers, _awaited) = (0, 0, 0);
        _pause = options.FirstPauseNanoseconds;
        if (!sessionPresent)
        {
            // The peer's process has ended meanwhile; which messages it had is unknown (MQTT 5, section 4.1).
            Dropped += _window.Count;
            _window.Clear();
        }
        if (_window.Count > 0)
            Resend();
        output.Connected(peer);
        Pump();
    }

    private void Resend()
    {
        _window.Rewind();
        foreach (var identifier in _window.Released())
            output.Transmit(peer, HopPacket.Of(HopPacketKind.Pubrel, identifier));
        while (_window.TryResend(out var identifier, out var delivery))
            output.Transmit(
                peer,
                HopPacket.Publish(PeerMessage.Of(delivery.Message), delivery.Qos, identifier, duplicate: true)
            );
    }

    private void Pump()
    {
        while (IsConnected && HasRoom && _queue.TryDequeue(out var delivery))
            Send(delivery);
    }

    private void Send(in HopDelivery delivery) =>
        output.Transmit(
            peer,
            HopPacket.Publish(PeerMessage.Of(delivery.Message), delivery.Qos, _window.Add(delivery), duplicate: false)
        );
}
