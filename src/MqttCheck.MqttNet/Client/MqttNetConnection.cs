using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Timers;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MQTTnet;
using MQTTnet.Exceptions;
using MQTTnet.Protocol;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// An MQTTnet client as a connection of the loop. A request is stamped just before the call, an answer in the
/// continuation of the call's task, and a message in the application's handler. Times therefore include the library,
/// its threads and its queues. The library acknowledges a received message when the loop takes it, and handles the
/// middle packets of QoS 2 itself.
/// </summary>
internal sealed class MqttNetConnection : LoopConnection
{
    private const int LargestPacketBytes = 256 << 20;

    private readonly MqttNetWire _wire;
    private readonly EventLoop _loop;
    private readonly WireEndpoint _endpoint;
    private readonly MqttNetChannel _channel;
    private readonly MqttNetBacklog _backlog = new();
    private readonly MqttNetCalls _calls;
    private readonly IMqttClient _client;
    private ProtocolVersion _version = ProtocolVersion.V311;
    private bool _isAccepted,
        _isLeaving;
    private Queue<MqttNetEvent>? _early;
    private MqttNetEvent? _disconnected;
    private long _latestNanoseconds;

    /// <summary>A connection that is not yet made.</summary>
    /// <param name="wire">Takes the events of the client.</param>
    /// <param name="loop">Its loop.</param>
    /// <param name="factory">Makes the client.</param>
    /// <param name="endpoint">The address and transport of the broker.</param>
    /// <param name="handler">Who is told.</param>
    public MqttNetConnection(
        MqttNetWire wire,
        EventLoop loop,
        MqttClientFactory factory,
        WireEndpoint endpoint,
        IWireHandler handler
    )
        : base(loop, handler)
    {
        (_wire, _loop, _endpoint) = (wire, loop, endpoint);
        _channel = new(endpoint);
        _client = factory.CreateMqttClient(new MqttNetAdapters(_backlog));
        // The events are registered before connecting, because messages of a resumed session follow CONNACK directly.
        _client.ApplicationMessageReceivedAsync += Received;
        _client.DisconnectedAsync += Disconnected;
        _calls = new(wire, this, _client);
    }

    /// <inheritdoc/>
    public override int PendingBytes => (int)Math.Min((long)Outgoing.Count + _backlog.Bytes, int.MaxValue);

    /// <summary>Takes an event of the client, on the loop's thread.</summary>
    /// <param name="reported">The event.</param>
    public void Handle(in MqttNetEvent reported)
    {
        if (State == ConnectionState.Ended)
            return;
        if (!_isAccepted && reported.Kind is MqttNetEventKind.Message or MqttNetEventKind.Disconnected)
        {
            // The event followed CONNACK on the wire, but overtook the end of the call on the library's threads.
            (_early ??= new()).Enqueue(reported);
            return;
        }
        if (MqttNetCalls.IsEndOfCall(reported.Kind))
            _calls.Ended();
        Take(reported);
        if (_disconnected is { } disconnected && _calls.UnderWay == 0 && State != ConnectionState.Ended)
            Conclude(disconnected);
    }

    /// <inheritdoc/>
    protected override void SendOnce()
    {
        var bytes = Outgoing.Bytes;
        var consumed = 0;
        SendStamp? first = null;
        while (PacketFrame.TryRead(bytes[consumed..], LargestPacketBytes, out var frame) == FrameStatus.Complete)
        {
            if (Carry(frame.Type, bytes.Slice(consumed, frame.TotalLength)) is { } stamp)
                first ??= stamp;
            consumed += frame.TotalLength;
        }
        Outgoing.Consume(consumed);
        var now = _latestNanoseconds = MonotonicClock.NowNanoseconds;
        Sent(consumed, first ?? new SendStamp(now, 0) { IsCall = true }, now, awaitsRoom: false);
    }

    /// <inheritdoc/>
    protected override void EndSending()
    {
        // A DISCONNECT ends the connection when its call has ended.
        if (!_isLeaving)
            End(CloseReason.ClosedHere, "");
    }

    /// <inheritdoc/>
    protected override void InterestChanged() { }

    /// <inheritdoc/>
    protected override void CloseTransport(bool reset)
    {
        try
        {
            _client.Dispose();
        }
        catch (Exception exception)
            when (exception is ObjectDisposedException or AggregateException or NullReferenceException)
        {
            // The library is closing it in another thread at the same time.
        }
    }

    // Carries out a packet by a call; null if the library sends such packets itself.
    private SendStamp? Carry(PacketType type, ReadOnlySpan<byte> packet)
    {
        switch (type)
        {
            case PacketType.Publish:
                if (!PublishView.TryParse(_version, packet, out var publish))
                    throw new InvalidOperationException("A handler sent a PUBLISH that breaks a rule.");
                return _calls.Publish(MqttNetRequests.Message(publish), publish.PacketId, publish.Qos);
            case PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp:
                return null;
            case PacketType.Subscribe:
                var subscribe = (SubscribePacket)PacketDecoder.Decode(packet, _version);
                return _calls.Subscribe(MqttNetRequests.Subscription(subscribe), subscribe.PacketId);
            case PacketType.Unsubscribe:
                var unsubscribe = (UnsubscribePacket)PacketDecoder.Decode(packet, _version);
                return _calls.Unsubscribe(MqttNetRequests.Unsubscription(unsubscribe), unsubscribe.PacketId);
            case PacketType.Connect:
                var connect = (ConnectPacket)PacketDecoder.Decode(packet, _version);
                _version = connect.ProtocolVersion;
                return _calls.Connect(
                    MqttNetRequests.Options(connect, _endpoint, _channel.Options()),
                    _endpoint.ConnectTimeout
                );
            case PacketType.Disconnect:
                _isLeaving = true;
                return _calls.Disconnect(
                    MqttNetRequests.Leaving((DisconnectPacket)PacketDecoder.Decode(packet, _version))
                );
            case PacketType.Pingreq:
                return _calls.Ping();
            default:
                // Handlers of fleets and loads send no such packets.
                throw new NotSupportedException($"MQTTnet's client has no call for a packet of type {type}.");
        }
    }

    private void Take(in MqttNetEvent reported)
    {
        var (value, at) = (reported.Value, reported.Nanoseconds);
        switch (reported.Kind)
        {
            case MqttNetEventKind.Ready:
                if (State == ConnectionState.Connecting)
                    Open();
                break;
            case MqttNetEventKind.Connected:
                Connected((MqttClientConnectResult)value!, at);
                break;
            case MqttNetEventKind.ConnectFailed:
                ConnectFailed((Exception)value!, at);
                break;
            case MqttNetEventKind.Published when reported.Qos > QualityOfService.AtMostOnce:
                Give(
                    _wire.Answers.Acknowledgement(
                        (MqttClientPublishResult)value!,
                        reported.PacketId,
                        reported.Qos,
                        _version
                    ),
                    at
                );
                break;
            case MqttNetEventKind.Subscribed:
                Give(MqttNetAnswers.Suback((MqttClientSubscribeResult)value!, reported.PacketId, _version), at);
                break;
            case MqttNetEventKind.Unsubscribed:
                Give(MqttNetAnswers.Unsuback((MqttClientUnsubscribeResult)value!, reported.PacketId, _version), at);
                break;
            case MqttNetEventKind.Pinged:
                Give(MqttNetAnswers.Pingresp, at);
                break;
            case MqttNetEventKind.Message:
                Arrived((MqttApplicationMessageReceivedEventArgs)value!, at);
                break;
            case MqttNetEventKind.Failed:
                Failed((Exception)value!, at);
                break;
            case MqttNetEventKind.Left:
                if (value is Exception failure)
                    EndAsOf(CloseReason.Reset, failure.Message, at);
                else
                    EndAsOf(CloseReason.ClosedByPeer, "", at);
                break;
            case MqttNetEventKind.Disconnected:
                if (!_isLeaving && ((MqttClientDisconnectedEventArgs)value!).ClientWasConnected)
                    Disconnected(in reported);
                break;
            default:
                break;
        }
    }

    private void ConnectFailed(Exception failure, long atNanoseconds)
    {
        var (reason, detail) = MqttNetFailure.Of(failure);
        EndAsOf(
            _channel.Distrust is null ? reason : CloseReason.HandshakeFailed,
            _channel.Distrust ?? detail,
            atNanoseconds
        );
    }

    // A message that comes while the client is leaving is not delivered. It stays unacknowledged, so the session keeps
    // it.
    private void Arrived(MqttApplicationMessageReceivedEventArgs received, long atNanoseconds)
    {
        if (State != ConnectionState.Open)
            return;
        var message = received.ApplicationMessage;
        if (message.QualityOfServiceLevel != MqttQualityOfServiceLevel.AtMostOnce)
            _ = AcknowledgeAsync(received);
        Give(_wire.Answers.Publish(message, received.PacketIdentifier, _version), atNanoseconds);
    }

    private static async Task AcknowledgeAsync(MqttApplicationMessageReceivedEventArgs received)
    {
        try
        {
            await received.AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // A client whose connection has ended fails in many ways, and reports the end separately.
        }
    }

    // Earlier calls end first, so that their results come before the end of the connection.
    private void Disconnected(in MqttNetEvent reported)
    {
        _disconnected = reported;
        if (_calls.UnderWay > 0)
            _loop.Timers.Add(new LateEnd(this), _loop.NowNanoseconds + LateEnd.PatienceNanoseconds, 0);
    }

    private void Connected(MqttClientConnectResult result, long atNanoseconds)
    {
        _isAccepted = true;
        Give(MqttNetAnswers.Connack(result, _version), atNanoseconds);
        if (result.ResultCode != MqttClientConnectResultCode.Success)
        {
            EndAsOf(CloseReason.ClosedByPeer, "", atNanoseconds);
            return;
        }
        while (_early is not null && _early.TryDequeue(out var early))
            Handle(early);
    }

    private void Failed(Exception exception, long atNanoseconds)
    {
        // The handler has its own deadline for the answer, and the library reports the end of the connection
        // separately.
        if (
            exception is MqttCommunicationTimedOutException or MqttClientUnexpectedDisconnectReceivedException
            || !_client.IsConnected
        )
            return;
        var (reason, detail) = MqttNetFailure.Of(exception);
        EndAsOf(
            reason is CloseReason.Refused or CloseReason.ConnectTimeout ? CloseReason.Reset : reason,
            detail,
            atNanoseconds
        );
    }

    private void Conclude(in MqttNetEvent disconnected)
    {
        var told = (MqttClientDisconnectedEventArgs)disconnected.Value!;
        if (told.Exception is { } exception)
        {
            var (reason, detail) = MqttNetFailure.Of(exception);
            EndAsOf(
                reason is CloseReason.Refused or CloseReason.ConnectTimeout ? CloseReason.Reset : reason,
                detail,
                disconnected.Nanoseconds
            );
            return;
        }
        var code = (ReasonCode)told.Reason;
        if (
            _version >= ProtocolVersion.V5
            && code.IsError()
            && code.IsAllowedIn(PacketType.Disconnect, PacketOrigin.Server)
        )
            Give(MqttNetAnswers.Disconnect(code), disconnected.Nanoseconds);
        EndAsOf(CloseReason.ClosedByPeer, "", disconnected.Nanoseconds);
    }

    // The library reports the end on another thread. All events and requests of the handler until then came before the
    // end.
    private void EndAsOf(CloseReason reason, string detail, long atNanoseconds)
    {
        var latest = Outgoing.Count > 0 ? MonotonicClock.NowNanoseconds : _latestNanoseconds;
        End(reason, detail, Math.Max(atNanoseconds, latest));
    }

    // Offers the handler a packet, after those that it has left.
    private void Give(ReadOnlySpan<byte> packet, long atNanoseconds)
    {
        if (State == ConnectionState.Ended)
            return;
        _latestNanoseconds = Math.Max(_latestNanoseconds, atNanoseconds);
        var stamp = new ArrivalStamp(atNanoseconds, FromKernel: false);
        if (ReadingPaused)
        {
            Hold(packet, stamp);
        }
        else if (Unconsumed.Count == 0)
        {
            Deliver(packet, 0, stamp);
        }
        else
        {
            Unconsumed.Append(packet);
            Deliver(Unconsumed.Bytes, Unconsumed.Count, stamp);
        }
    }

    private Task Received(MqttApplicationMessageReceivedEventArgs received)
    {
        var at = MonotonicClock.NowNanoseconds;
        received.AutoAcknowledge = false;
        _wire.Add(new(this, MqttNetEventKind.Message, at) { Value = received });
        return Task.CompletedTask;
    }

    private Task Disconnected(MqttClientDisconnectedEventArgs told)
    {
        _wire.Add(new(this, MqttNetEventKind.Disconnected, MonotonicClock.NowNanoseconds) { Value = told });
        return Task.CompletedTask;
    }

    // The library fails the calls of a connection that has ended. If a call does not end, the connection ends
    // nevertheless.
    private sealed class LateEnd(MqttNetConnection connection) : IDeadline
    {
        public const long PatienceNanoseconds = 1_000_000_000;

        public void OnDeadline()
        {
            if (connection.State != ConnectionState.Ended && connection._disconnected is { } disconnected)
                connection.Conclude(disconnected);
        }
    }
}
