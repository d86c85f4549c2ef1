using System.Buffers.Binary;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Messages;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Replay;

/// <summary>
/// A connection of a replay. It sends what it is told, answers the broker as MQTT demands, and shows every byte to the
/// conversation that makes exchanges of them.
/// </summary>
/// <param name="connect">Its first packet.</param>
/// <param name="conversation">Takes the bytes of both sides.</param>
/// <param name="ended">Told of the end.</param>
internal sealed class ReplayConnection(
    ConnectPacket connect,
    MqttConversation conversation,
    Action<ReplayConnection, string> ended
) : IWireHandler
{
    private readonly HashSet<ushort> _open = [];
    private readonly List<byte[]> _held = [];
    private byte[] _sent = new byte[256];
    private int _sentBytes;
    private WireConnection? _wire;
    private byte[] _goodbye = [];
    private bool _isLeaving,
        _hasLeft;
    private ushort _id;

    /// <summary>Its first packet.</summary>
    public ConnectPacket Connect => connect;

    /// <summary>Whether the broker accepted it.</summary>
    public bool IsAccepted { get; private set; }

    /// <summary>Whether it ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>How many requests have no answer yet.</summary>
    public int Open => _open.Count;

    /// <summary>Whether it stands, and nothing of it is under way.</summary>
    public bool IsIdle => IsAccepted && !_isLeaving && _open.Count == 0 && _sentBytes == 0;

    /// <summary>How many messages arrived.</summary>
    public long Deliveries { get; private set; }

    /// <summary>Told when requests were answered, the first packet among them.</summary>
    public Action? Answered { get; set; }

    /// <summary>The most bytes that waited to be sent.</summary>
    public int PendingBytes { get; private set; }

    /// <summary>Whether what follows belongs to no exchange.</summary>
    public bool IsSilent { get; set; }

    /// <summary>Whether it ends when its requests are answered.</summary>
    public bool IsLeaving => _isLeaving;

    /// <summary>Done when it has ended.</summary>
    public Action? Then { get; set; }

    private int ClientSide => conversation.ClientSide;

    /// <summary>Begins.</summary>
    public void Begin(IWire wire, WireEndpoint endpoint) => _wire = wire.Connect(endpoint, this);

    /// <summary>Sends a packet, with an identifier of its own.</summary>
    public void Send(Packet packet)
    {
        if (packet is DisconnectPacket)
        {
            Leave(PacketEncoder.Encode(packet, connect.ProtocolVersion));
            return;
        }
        var own = packet switch
        {
            SubscribePacket subscribe => subscribe with { PacketId = NextId() },
            UnsubscribePacket unsubscribe => unsubscribe with { PacketId = NextId() },
            _ => packet,
        };
        SendOrHold(PacketEncoder.Encode(own, connect.ProtocolVersion));
    }

    /// <summary>Sends a message with a payload that no other has.</summary>
    /// <param name="number">The number of the message in the run.</param>
    public void Send(ReplayMessage message, long number)
    {
        var payload = new byte[message.Size];
        for (var at = 0; at < payload.Length; at++)
            payload[at] = (byte)('a' + (at + number) % 26);
        Span<byte> unique = stackalloc byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(unique, number);
        unique[..Math.Min(unique.Length, payload.Length)].CopyTo(payload);
        var id = message.Qos == QualityOfService.AtMostOnce ? (ushort)0 : NextId();
        var version = connect.ProtocolVersion;
        var bytes = new byte[PacketWriter.PublishLength(version, message.Topic.Length, message.Size, message.Qos)];
        PacketWriter.WritePublish(
            bytes,
            version,
            message.Topic,
            payload,
            message.Qos,
            message.IsRetained,
            duplicate: false,
            id
        );
        SendOrHold(bytes);
    }

    /// <summary>Ends the connection without DISCONNECT.</summary>
    public void Leave() => Leave([]);

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        Write(PacketEncoder.Encode(connect, connect.ProtocolVersion));

    /// <inheritdoc/>
    public void OnSent(WireConnection connection, in SendStamp stamp)
    {
        PendingBytes = Math.Max(PendingBytes, connection.PendingBytes);
        if (_sentBytes == 0)
            return;
        // An answer never comes before the earliest time.
        if (!IsSilent)
            conversation.Data(ClientSide, _sent.AsSpan(0, _sentBytes), stamp.EarliestNanoseconds);
        _sentBytes = 0;
        // It closes when its last packet was stamped.
        if (_hasLeft)
            connection.Close();
    }

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var used = 0;
        while (true)
        {
            var status = PacketFrame.TryRead(bytes[used..], int.MaxValue, out var frame);
            if (status == FrameStatus.Malformed)
            {
                connection.Abort();
                return bytes.Length;
            }
            if (status != FrameStatus.Complete)
                return used;
            var packet = bytes.Slice(used, frame.TotalLength);
            if (!IsSilent)
                conversation.Data(1 - ClientSide, packet, stamp.Nanoseconds);
            Take(frame, packet);
            used += frame.TotalLength;
        }
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        HasEnded = true;
        if (!IsSilent && _isLeaving)
            conversation.Closed(ClientSide, stamp.Nanoseconds);
        if (!IsSilent)
            conversation.Closed(1 - ClientSide, stamp.Nanoseconds);
        _open.Clear();
        ended(this, _isLeaving ? "" : $"{reason} {detail}".TrimEnd());
        Then?.Invoke();
    }

    private void Take(PacketFrame frame, ReadOnlySpan<byte> packet)
    {
        switch (frame.Type)
        {
            case PacketType.Connack when packet.Length >= 4 && packet[3] == 0:
                Accept();
                break;
            case PacketType.Publish:
                Deliveries++;
                if (PublishView.TryParse(connect.ProtocolVersion, packet, out var view) && view.Qos > 0)
                    Acknowledge(
                        view.Qos == QualityOfService.AtLeastOnce ? PacketType.Puback : PacketType.Pubrec,
                        view.PacketId
                    );
                break;
            case PacketType.Pubrec when packet.Length == 4 || packet[4] < 0x80:
                Acknowledge(PacketType.Pubrel, IdOf(frame, packet));
                break;
            case PacketType.Pubrel:
                Acknowledge(PacketType.Pubcomp, IdOf(frame, packet));
                break;
            case PacketType.Puback
            or PacketType.Pubrec
            or PacketType.Pubcomp
            or PacketType.Suback
            or PacketType.Unsuback:
                _open.Remove(IdOf(frame, packet));
                Answered?.Invoke();
                LeaveWhenAnswered();
                break;
        }
    }

    private void Accept()
    {
        IsAccepted = true;
        foreach (var bytes in _held)
            Write(bytes);
        _held.Clear();
        Answered?.Invoke();
        LeaveWhenAnswered();
    }

    private void Leave(byte[] goodbye)
    {
        (_isLeaving, _goodbye) = (true, goodbye);
        LeaveWhenAnswered();
    }

    // The client of the capture had its answers when it left. Another broker may be slower.
    private void LeaveWhenAnswered()
    {
        if (!_isLeaving || _hasLeft || !IsAccepted || _open.Count > 0)
            return;
        _hasLeft = true;
        if (_goodbye.Length > 0)
            Write(_goodbye);
        if (_sentBytes == 0)
            _wire?.Close();
    }

    private void Acknowledge(PacketType type, ushort id)
    {
        Span<byte> answer = stackalloc byte[PacketWriter.MaximumAckBytes];
        Write(answer[..PacketWriter.WriteAck(answer, type, id, connect.ProtocolVersion)]);
    }

    // Until it is accepted, what is due waits.
    private void SendOrHold(byte[] bytes)
    {
        if (IsAccepted)
            Write(bytes);
        else
            _held.Add(bytes);
    }

    private void Write(ReadOnlySpan<byte> bytes)
    {
        if (HasEnded || _wire is null)
            return;
        if (_sent.Length < _sentBytes + bytes.Length)
            Array.Resize(ref _sent, Math.Max(2 * _sent.Length, _sentBytes + bytes.Length));
        bytes.CopyTo(_sent.AsSpan(_sentBytes));
        _sentBytes += bytes.Length;
        _wire.Send(bytes);
    }

    // An identifier is free again when its answer came. If none is free, the broker has answered nothing for long.
    private ushort NextId()
    {
        for (var tries = 0; tries < ushort.MaxValue; tries++)
        {
            _id = (ushort)(_id == ushort.MaxValue ? 1 : _id + 1);
            if (_open.Add(_id))
                break;
        }
        return _id;
    }

    private static ushort IdOf(PacketFrame frame, ReadOnlySpan<byte> packet) =>
        packet.Length < frame.HeaderLength + 2
            ? (ushort)0
            : BinaryPrimitives.ReadUInt16BigEndian(packet[frame.HeaderLength..]);
}
