using System.Text;
using MqttCheck.Brokers.Wire;
using MqttCheck.ClusterProtocols.Pipeline;
using MqttCheck.LiveClusters.Nodes.Pipeline.Stores;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.LiveClusters.Nodes.Pipeline;

/// <summary>The connection of a client of MQTT 3.1.1 to a broker of a pipeline.</summary>
/// <remarks>
/// Retained messages are delivered like others and are not kept. A protocol violation ends the connection.
/// </remarks>
/// <param name="broker">The broker.</param>
internal sealed class ClientConnection(PipelineBrokerHost broker) : IWireHandler
{
    private const ProtocolVersion Version = ProtocolVersion.V311;
    private const int LargestPacketBytes = 1 << 20;

    // The unreleased publications of QoS 2, and whether PUBREC was sent. A repeated PUBLISH of one of them is no new
    // publication.
    private readonly Dictionary<ushort, bool> _unreleased = [];
    private readonly HashSet<ushort> _inFlight = [];
    private WireConnection? _wire;
    private WillMessage? _will;
    private long _patienceNanoseconds = long.MaxValue;
    private long _lastReceived;
    private bool _isOpening;
    private ushort _lastPacketId;

    /// <summary>Its session; null before it is accepted.</summary>
    public OpenedSession? Session { get; private set; }

    /// <summary>Whether the session outlives the connection.</summary>
    public bool IsPersistent { get; private set; }

    /// <summary>Whether it is over.</summary>
    public bool HasEnded { get; private set; }

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        (_wire, _lastReceived) = (connection, stamp.Nanoseconds);
        broker.Entered(this);
    }

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        _lastReceived = stamp.Nanoseconds;
        var consumed = 0;
        while (!HasEnded && !_isOpening)
        {
            var rest = bytes[consumed..];
            var status = PacketFrame.TryRead(rest, LargestPacketBytes, out var frame);
            if (status == FrameStatus.NeedMore)
                break;
            if (status != FrameStatus.Complete || !Take(frame.Type, rest[..frame.TotalLength]))
            {
                Abort();
                return bytes.Length;
            }
            consumed += frame.TotalLength;
        }
        return HasEnded ? bytes.Length : consumed;
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) => End();

    /// <summary>The store has opened the session, or does not answer.</summary>
    /// <param name="session">The session; null without an answer.</param>
    public void Opened(OpenedSession? session)
    {
        _isOpening = false;
        if (session is not { } opened)
        {
            Abort();
            return;
        }
        Session = opened;
        Send(new ConnackPacket(opened.IsPresent));
        _wire!.ReadingPaused = false;
    }

    /// <summary>The store has carried out the client's request, or does not answer.</summary>
    /// <param name="answer">The packet for the client; null if the store did not answer.</param>
    public void Answer(Packet? answer)
    {
        if (answer is not null)
            Send(answer);
        else
            Abort();
    }

    /// <summary>The log has a publication.</summary>
    public void Acknowledge(ushort packetId, QualityOfService qos)
    {
        if (qos == QualityOfService.AtLeastOnce)
        {
            SendAck(PacketType.Puback, packetId);
            return;
        }
        if (_unreleased.ContainsKey(packetId))
            _unreleased[packetId] = true;
        SendAck(PacketType.Pubrec, packetId);
    }

    /// <summary>Sends a message.</summary>
    /// <param name="stored">The message, with the identifier of the store if it is stored.</param>
    /// <param name="qos">Its quality of service for this client.</param>
    /// <param name="isRepeated">Whether it may have been sent over an earlier connection.</param>
    public void Deliver(in StoredMessage stored, QualityOfService qos, bool isRepeated)
    {
        if (HasEnded)
            return;
        var topic = Encoding.UTF8.GetBytes(stored.Message.Topic);
        var payload = stored.Message.Payload.Span;
        var packet = new byte[PacketWriter.PublishLength(Version, topic.Length, payload.Length, qos)];
        var isAcknowledged = qos != QualityOfService.AtMostOnce;
        PacketWriter.WritePublish(
            packet,
            Version,
            topic,
            payload,
            qos,
            retain: false,
            duplicate: isRepeated && isAcknowledged,
            !isAcknowledged ? (ushort)0
                : stored.PacketId > 0 ? stored.PacketId
                : NextPacketId()
        );
        _wire!.Send(packet);
    }

    /// <summary>Releases a message of QoS 2 that the client has.</summary>
    public void Release(ushort packetId)
    {
        if (!HasEnded)
            SendAck(PacketType.Pubrel, packetId);
    }

    /// <summary>Ends the connection if its client has been silent for too long.</summary>
    public void CheckSilence(long now)
    {
        if (now - _lastReceived > _patienceNanoseconds)
            Abort();
    }

    /// <summary>Ends the connection at once.</summary>
    public void Abort()
    {
        _wire?.Abort();
        End();
    }

    private bool Take(PacketType type, ReadOnlySpan<byte> packet)
    {
        if (Session is null)
            return type == PacketType.Connect && Decode(packet) is ConnectPacket connect && Connect(connect);
        switch (type)
        {
            case PacketType.Publish:
                return PublishView.TryParse(Version, packet, out var message, PacketOrigin.Client) && Publish(message);
            case PacketType.Puback or PacketType.Pubrec or PacketType.Pubrel or PacketType.Pubcomp:
                return AckView.TryParse(Version, packet, out var ack, PacketOrigin.Client) && TakeAck(ack);
            case PacketType.Pingreq when packet.Length == 2:
                Span<byte> answer = stackalloc byte[PacketWriter.MaximumAckBytes];
                _wire!.Send(answer[..PacketWriter.WritePingresp(answer)]);
                return true;
            case PacketType.Subscribe when Decode(packet) is SubscribePacket subscribe:
                broker.Subscribe(this, subscribe);
                return true;
            case PacketType.Unsubscribe when Decode(packet) is UnsubscribePacket unsubscribe:
                broker.Unsubscribe(this, unsubscribe);
                return true;
            case PacketType.Disconnect:
                // DISCONNECT deletes the will.
                _will = null;
                _wire!.Close();
                End();
                return true;
            default:
                return false;
        }
    }

    private static Packet? Decode(ReadOnlySpan<byte> packet)
    {
        try
        {
            return PacketDecoder.Decode(packet, Version, PacketOrigin.Client, LargestPacketBytes);
        }
        catch (ProtocolException)
        {
            return null;
        }
    }

    private bool Connect(ConnectPacket packet)
    {
        if (packet.ProtocolVersion != Version || (packet.ClientId.Length == 0 && !packet.CleanStart))
        {
            var reason =
                packet.ProtocolVersion != Version
                    ? ReasonCode.UnsupportedProtocolVersion
                    : ReasonCode.ClientIdentifierNotValid;
            _wire!.Send(PacketEncoder.Encode(new ConnackPacket(SessionPresent: false, reason), packet.ProtocolVersion));
            _wire.Close();
            End();
            return true;
        }
        if (packet.KeepAliveSeconds > 0)
            _patienceNanoseconds = packet.KeepAliveSeconds * 1_500_000_000L;
        (_will, IsPersistent, _isOpening) = (packet.Will, !packet.CleanStart, true);
        // Later packets have to wait until the store has answered.
        _wire!.ReadingPaused = true;
        broker.Open(this, packet.ClientId);
        return true;
    }

    private bool Publish(in PublishView message)
    {
        var (packetId, qos) = (message.PacketId, message.Qos);
        if (qos == QualityOfService.ExactlyOnce && !_unreleased.TryAdd(packetId, false))
        {
            if (_unreleased[packetId])
                SendAck(PacketType.Pubrec, packetId);
            return true;
        }
        broker.Publish(this, Encoding.UTF8.GetString(message.Topic), message.Payload, qos, packetId);
        return true;
    }

    private bool TakeAck(in AckView ack)
    {
        switch (ack.Type)
        {
            case PacketType.Puback or PacketType.Pubcomp:
                _inFlight.Remove(ack.PacketId);
                broker.Acknowledge(this, ack.PacketId);
                break;
            case PacketType.Pubrec when IsPersistent:
                broker.Receive(this, ack.PacketId);
                break;
            case PacketType.Pubrec:
                Release(ack.PacketId);
                break;
            case PacketType.Pubrel:
                _unreleased.Remove(ack.PacketId);
                SendAck(PacketType.Pubcomp, ack.PacketId);
                break;
        }
        return true;
    }

    // These identifiers are for messages that are not stored. A session has only such messages, or none of them.
    private ushort NextPacketId()
    {
        do _lastPacketId = _lastPacketId == ushort.MaxValue ? (ushort)1 : (ushort)(_lastPacketId + 1);
        while (!_inFlight.Add(_lastPacketId) && _inFlight.Count < ushort.MaxValue);
        return _lastPacketId;
    }

    private void Send(Packet packet) => _wire!.Send(PacketEncoder.Encode(packet, Version));

    private void SendAck(PacketType type, ushort packetId)
    {
        Span<byte> packet = stackalloc byte[PacketWriter.MaximumAckBytes];
        _wire!.Send(packet[..PacketWriter.WriteAck(packet, type, packetId, Version)]);
    }

    private void End()
    {
        if (HasEnded)
            return;
        HasEnded = true;
        broker.Left(this, _will);
    }
}
