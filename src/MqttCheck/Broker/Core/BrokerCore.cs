using MqttCheck.Broker.Faults;
using MqttCheck.Broker.Peers;
using MqttCheck.Broker.Routing;
using MqttCheck.Broker.Sessions;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Broker.Core;

/// <summary>
/// An MQTT 3.1.1 and 5 broker as a pure state machine: bytes, lost connections and the time go in, packets and closed
/// connections come out. It has no clock, socket or thread; the same inputs at the same times give the same outputs.
/// </summary>
/// <remarks>
/// Times are nanoseconds on any clock that does not run backwards. Not thread-safe. Freedoms of the specification are
/// used thus: PUBACK and PUBREC follow the deliveries; overlapping subscriptions make one delivery; QoS 0 messages are
/// not kept for sessions without connection; QoS 2 messages are delivered on PUBLISH; a full queue drops the newest
/// message; a refused CONNECT is answered with its code; topics that begin with <c>$</c> are topics like others, but no
/// wildcard at the first level matches them.
/// </remarks>
internal sealed partial class BrokerCore
{
    private const long Second = 1_000_000_000;
    private const long SlowReaderNanoseconds = 100_000_000;

    private readonly BrokerLimits _limits;
    private readonly BrokerAccess _access;
    private readonly IBrokerOutput _output;
    private readonly FaultDice _dice;
    private readonly BrokerMutant _mutant;
    private readonly BrokerHabits _habits;
    private readonly PacketSender _sender;
    private readonly ForwardedProperties _forwarded = new();
    private readonly BrokerTimers _timers = new();
    private readonly Router _router;
    private readonly RetainedMessages _retained;
    private readonly Dictionary<string, Session> _sessions = new(StringComparer.Ordinal);
    private readonly Stack<int> _freeNumbers = new();
    private Connection?[] _connections = new Connection?[16];
    private int _numbersUsed;
    private long _now = long.MinValue;
    private BrokerCounters _counters;

    /// <summary>A broker without connections, sessions or messages.</summary>
    /// <param name="options">Its limits, access rules and faults.</param>
    /// <param name="output">Receives its outputs.</param>
    /// <exception cref="InputException">A limit is out of its range.</exception>
    public BrokerCore(BrokerOptions options, IBrokerOutput output)
    {
        InputException.ThrowIfAny(options.Limits.Validate());
        (_limits, _access, _output, _mutant) = (options.Limits, options.Access, output, options.Mutant);
        _habits = options.Habits;
        _peers = options.Peers;
        _router = new Router(
            _mutant,
            Has(BrokerHabits.OneCopyEach),
            _peers is null ? null : new FilterInterests(_peers)
        );
        _dice = new FaultDice(options.Faults, options.Seed);
        _retained = new RetainedMessages(_limits.RetainedMessages, _limits.RetainedBytes);
        _sender = new PacketSender(output)
        {
            Later = Has(BrokerHabits.LateDeliveries) ? SendLate : null,
            AnswerLater = Has(BrokerHabits.LateAnswers) ? SendLate : null,
        };
    }

    /// <summary>
    /// When <see cref="Tick"/> has something to do, in nanoseconds; <see cref="long.MaxValue"/> for never.
    /// </summary>
    public long NextDue => _timers.NextDue;

    /// <summary>Counts of the present state, and of the work since the start.</summary>
    public BrokerCounters Counters =>
        _counters with
        {
            Sessions = _sessions.Count,
            Subscriptions = _router.Count,
            RetainedMessages = _retained.Count,
        };

    /// <summary>A client has connected.</summary>
    /// <param name="nowNanoseconds">The time.</param>
    /// <param name="connection">
    /// The number of the connection in later inputs and outputs. Numbers of closed connections are used again.
    /// </param>
    /// <returns>False when there are as many connections as the limits allow; the host closes it.</returns>
    public bool TryOpen(long nowNanoseconds, out int connection)
    {
        Advance(nowNanoseconds);
        connection = -1;
        if (_counters.Connections == _limits.Connections)
            return false;
        if (!_freeNumbers.TryPop(out connection))
            connection = _numbersUsed++;
        if (connection == _connections.Length)
            Array.Resize(ref _connections, 2 * connection);
        var opened = new Connection(connection)
        {
            LastReceivedNanoseconds = _now,
            PatienceNanoseconds = (long)(_limits.ConnectTimeout.TotalSeconds * Second),
            LargestPacketBytes = _limits.PacketBytes,
        };
        _connections[connection] = opened;
        _timers.Set(opened.Silence, _now + opened.PatienceNanoseconds);
        _counters.Connections++;
        return true;
    }

    /// <summary>Bytes have come from a client.</summary>
    /// <param name="connection">Its number.</param>
    /// <param name="bytes">All bytes not consumed so far.</param>
    /// <param name="nowNanoseconds">The time.</param>
    /// <returns>How many bytes were whole packets; all of them once the connection is closed.</returns>
    public int Receive(int connection, ReadOnlySpan<byte> bytes, long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        var from =
            _connections[connection]
            ?? throw new ArgumentOutOfRangeException(nameof(connection), connection, "no such connection");
        var (consumed, packets) = (0, 0);
        while (!from.IsClosed)
        {
            var rest = bytes[consumed..];
            if (LosesRest(from, rest, packets++))
                break;
            if (from.Session is null && !rest.IsEmpty && rest[0] >> 4 != (int)PacketType.Connect)
            {
                // The first packet has to be CONNECT (MQTT-3.1.0-1): there is no need to wait for the rest of another.
                End(from, BrokerCloseReason.ProtocolError, null);
                break;
            }
            var status = PacketFrame.TryRead(rest, from.LargestPacketBytes, out var frame);
            if (status == FrameStatus.NeedMore)
                return consumed;
            if (status != FrameStatus.Complete)
            {
                Fail(from, status == FrameStatus.TooLarge ? ReasonCode.PacketTooLarge : ReasonCode.MalformedPacket);
                break;
            }
            if (frame.Type != PacketType.Pingreq || !Is(BrokerMutant.PingIsNoActivity))
                from.LastReceivedNanoseconds = _now;
            consumed += frame.TotalLength;
            Handle(from, frame.Type, rest[..frame.TotalLength]);
        }
        return bytes.Length;
    }

    /// <summary>A connection has ended without the broker's doing.</summary>
    /// <param name="connection">Its number.</param>
    /// <param name="nowNanoseconds">The time.</param>
    public void Lost(int connection, long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        if (_connections[connection] is { } lost)
            Detach(lost, publishWill: true);
    }

    /// <summary>
    /// A client for which too much waited has taken most of it: see <see cref="IBrokerOutput.IsCongested"/>.
    /// </summary>
    /// <param name="connection">Its number.</param>
    /// <param name="nowNanoseconds">The time.</param>
    public void Drained(int connection, long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        if (_connections[connection]?.Session is { } session)
            Pump(session);
    }

    /// <summary>Does what has become due.</summary>
    /// <param name="nowNanoseconds">The time.</param>
    public void Tick(long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        while (_timers.TakeDue(_now) is { } timer)
        {
            switch (timer.Kind)
            {
                case BrokerTimerKind.Silence:
                    CheckSilence((Connection)timer.Owner);
                    break;
                case BrokerTimerKind.SessionExpiry:
                    EndSession((Session)timer.Owner);
                    break;
                case BrokerTimerKind.WillDelay:
                    PublishPendingWill((Session)timer.Owner);
                    break;
                case BrokerTimerKind.HeldDelivery:
                    ReleaseHeld((Session)timer.Owner);
                    break;
                case BrokerTimerKind.RetainedTurn:
                    TakeRetainedTurns();
                    break;
                case BrokerTimerKind.LateDelivery:
                    SendDue((Connection)timer.Owner);
                    break;
            }
        }
    }

    /// <summary>
    /// Ends all connections: MQTT 5 clients are told that the server shuts down. Wills are published to those still
    /// there.
    /// </summary>
    /// <param name="nowNanoseconds">The time.</param>
    public void Shutdown(long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        for (var i = 0; i < _numbersUsed; i++)
            if (_connections[i] is { } open)
                End(open, BrokerCloseReason.ShuttingDown, ReasonCode.ServerShuttingDown);
    }

    /// <summary>
    /// The clients are told that the server shuts down, and their sessions end; wills are published. No client is
    /// let in any more. Peers stay.
    /// </summary>
    /// <param name="nowNanoseconds">The time.</param>
    internal void Dismiss(long nowNanoseconds)
    {
        Advance(nowNanoseconds);
        _isDismissing = true;
        for (var i = 0; i < _numbersUsed; i++)
            if (_connections[i] is { Peer: NoPeer } open)
                End(open, BrokerCloseReason.ShuttingDown, ReasonCode.ServerShuttingDown);
        foreach (var session in _sessions.Values.Where(session => session.Connection is null).ToArray())
            EndSession(session);
    }

    // Inputs of different connections may carry stamps that are a little out of order; the broker's time never runs
    // backwards.
    private void Advance(long nowNanoseconds) => _now = Math.Max(_now, nowNanoseconds);

    private void Handle(Connection from, PacketType type, ReadOnlySpan<byte> packet)
    {
        if (from.Session is null)
        {
            if (type == PacketType.Connect)
                HandleConnect(from, packet);
            else
                End(from, BrokerCloseReason.ProtocolError, null);
            return;
        }
        // Not on DISCONNECT, which ends the connection anyway: that would publish a will that has to be discarded
        // (MQTT-3.14.4-3).
        if (
            (type != PacketType.Disconnect || Has(BrokerHabits.ClosesBeforeDisconnect))
            && _dice.Happens(BrokerFault.Disconnect, _now)
        )
        {
            End(from, BrokerCloseReason.Disturbance, null);
            return;
        }
        if (_dice.Happens(BrokerFault.SlowReader, _now))
            _output.PauseReading(from.Number, SlowReaderNanoseconds);
        switch (type)
        {
            case PacketType.Publish:
                HandlePublish(from, packet);
                break;
            case PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp:
                HandleAck(from, packet);
                break;
            case PacketType.Pingreq when packet[0] == (byte)PacketType.Pingreq << 4 && packet.Length == 2:
                _sender.SendPingresp(from);
                break;
            case PacketType.Pingreq when from.IsMarked && packet[0] == (byte)PacketType.Pingreq << 4:
                HandleStatement(from, packet);
                break;
            default:
                HandleRare(from, packet);
                break;
        }
    }

    private void HandleRare(Connection from, ReadOnlySpan<byte> packet)
    {
        if (!TryDecode(from, packet, out var decoded))
            return;
        switch (decoded)
        {
            case SubscribePacket subscribe:
                HandleSubscribe(from, subscribe);
                break;
            case UnsubscribePacket unsubscribe:
                HandleUnsubscribe(from, unsubscribe);
                break;
            case DisconnectPacket disconnect:
                HandleDisconnect(from, disconnect);
                break;
            default:
                // A second CONNECT (MQTT-3.1.0-2), AUTH without a method (MQTT-4.12.0-6) or a server's packet is wrong.
                Fail(from, ReasonCode.ProtocolError);
                break;
        }
    }

    private bool TryDecode(Connection from, ReadOnlySpan<byte> packet, out Packet? decoded)
    {
        try
        {
            decoded = PacketDecoder.Decode(packet, from.Version, PacketOrigin.Client, _limits.PacketBytes);
            return true;
        }
        catch (ProtocolException exception)
        {
            decoded = null;
            Fail(from, exception.ReasonCode);
            return false;
        }
    }

    private void HandleDisconnect(Connection from, DisconnectPacket disconnect)
    {
        if (disconnect.Properties.SessionExpiryIntervalSeconds is { } expiry)
        {
            // An expiry of 0 cannot be raised (section 3.14.2.2.2): such a DISCONNECT is none, and the will is
            // published.
            if (from.RequestedExpirySeconds == 0 && expiry != 0)
            {
                Fail(from, ReasonCode.ProtocolError);
                return;
            }
            if (!Is(BrokerMutant.DisconnectExpiryIgnored) && !(Is(BrokerMutant.DisconnectZeroIgnored) && expiry == 0))
                from.Session!.ExpirySeconds = Math.Min(expiry, _limits.SessionExpirySeconds);
        }
        var discards =
            disconnect.ReasonCode == ReasonCode.Success
            || (disconnect.ReasonCode >= ReasonCode.UnspecifiedError && Is(BrokerMutant.WillLostOnErrorTold));
        if (discards && !Is(BrokerMutant.WillAfterDisconnect))
            (from.Session!.DiscardedWill, from.Will) = (from.Will, null);
        End(from, BrokerCloseReason.Disconnected, null);
    }

    private void CheckSilence(Connection connection)
    {
        if (
            connection.PatienceNanoseconds == 0
            || (Is(BrokerMutant.KeepAliveIgnored) && connection.Session is not null)
        )
            return;
        var due = connection.LastReceivedNanoseconds + connection.PatienceNanoseconds;
        if (due > _now)
            _timers.Set(connection.Silence, due);
        else
            End(connection, BrokerCloseReason.Silent, ReasonCode.KeepAliveTimeout);
    }

    // A client that takes no packet as large as its answer cannot be served.
    private void Answer(Connection to, Packet packet)
    {
        if (!_sender.Send(to, packet))
            Fail(to, ReasonCode.PacketTooLarge);
    }

    // A violation: the connection is closed; an MQTT 5 client is told why (MQTT-4.8.0-1; 5: MQTT-4.13.1-1).
    private void Fail(Connection connection, ReasonCode reason) =>
        End(connection, BrokerCloseReason.ProtocolError, reason);

    private void End(Connection connection, BrokerCloseReason reason, ReasonCode? told)
    {
        if (connection.IsClosed)
            return;
        if (
            told is { } code
            && !(Has(BrokerHabits.EndsUntold) && code != ReasonCode.SessionTakenOver)
            && connection.Session is not null
            && (connection.Version == ProtocolVersion.V5 || Is(BrokerMutant.DisconnectTold311))
        )
            _sender.Send(
                connection,
                new DisconnectPacket(
                    code.IsAllowedIn(PacketType.Disconnect, PacketOrigin.Server) ? code : ReasonCode.ProtocolError
                )
            );
        _output.Close(connection.Number, reason);
        Detach(connection, publishWill: !LosesWill(connection, reason));
    }

    private void Detach(Connection connection, bool publishWill)
    {
        connection.IsClosed = true;
        _connections[connection.Number] = null;
        _freeNumbers.Push(connection.Number);
        _counters.Connections--;
        _timers.Cancel(connection.Silence);
        _timers.Cancel(connection.Lateness);
        if (connection.Session is not { } session)
            return;
        session.Connection = null;
        CountClient(connection, -1);
        if (_peers is not null)
            DropHeldPubacks(session);
        session.PendingWill = publishWill ? connection.Will : null;
        if (session.PendingWill is { } will)
        {
            var delay = DelaySeconds(will);
            if (delay == 0)
                PublishPendingWill(session);
            else
                _timers.Set(session.WillDelay, _now + (delay * Second));
        }
        if (session.ExpirySeconds == 0 || EndsAtOnce(connection, session))
            EndSession(session);
        else if (session.ExpirySeconds != uint.MaxValue && !Is(BrokerMutant.SessionExpiryIgnored))
            _timers.Set(session.Expiry, _now + (session.ExpirySeconds * Second));
        if (connection.Peer != NoPeer)
            _peers!.Disconnected(connection.Peer);
    }

    private void EndSession(Session session)
    {
        session.HasEnded = true;
        _timers.Cancel(session.Expiry);
        // A will is published when the session ends, if its delay has not (MQTT-3.1.2-8).
        if (session.PendingWill is not null && !Is(BrokerMutant.WillOutlivesSession))
            PublishPendingWill(session);
        _timers.Cancel(session.Held);
        foreach (var filter in session.Subscriptions.Keys.ToArray())
            _router.Remove(session, filter);
        _sessions.Remove(session.ClientId);
    }
}
