using MqttCheck.Captures.Files;
using MqttCheck.Captures.Tcp;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.Captures.Messages;

/// <summary>
/// Recognises the protocol of a TCP connection, and hands on its MQTT packets. A connection that had begun before the
/// capture is joined at the first segment that is at a border of packets.
/// </summary>
/// <param name="ends">The ends of the connection.</param>
/// <param name="beginning">How it began.</param>
/// <param name="sides">Knows the brokers.</param>
/// <param name="listener">Takes the packets.</param>
/// <param name="counts">Counts what is not usable.</param>
internal sealed class MqttConversation(
    FlowKey ends,
    TcpBeginning beginning,
    BrokerSides sides,
    IMqttListener listener,
    CaptureCounts counts
) : IConversation
{
    private const int MostAttempts = 200;

    private readonly PacketSplitter?[] _packets = new PacketSplitter?[2];
    private readonly WebSocketSide?[] _frames = new WebSocketSide?[2];
    private StreamKind _kind;
    private int _attempts;
    private bool _isConfirmed;
    private (long ToBroker, long ToClient)? _handshake;

    /// <summary>The side that began the connection; negative while it is not known.</summary>
    public int ClientSide { get; private set; } = beginning.ClientSide;

    /// <summary>When the connection was begun, in nanoseconds since 1970; null where that was not seen.</summary>
    public long? Begun => beginning.Nanoseconds;

    /// <summary>Whether the connection had begun before the capture.</summary>
    public bool IsJoined { get; private set; }

    /// <summary>The version of MQTT.</summary>
    public ProtocolVersion Version { get; private set; } = ProtocolVersion.V5;

    /// <summary>Takes the ends of directions of a connection over TLS, which is read elsewhere.</summary>
    public Action<int, long>? OnTlsClosed { get; init; }

    /// <summary>Whether the version was said, or follows from a packet.</summary>
    public bool IsVersionCertain { get; private set; }

    /// <summary>The client's end.</summary>
    public SocketKey Client => ends[ClientSide];

    /// <summary>The broker's end.</summary>
    public SocketKey Broker => ends[1 - ClientSide];

    /// <summary>Counts what is not usable.</summary>
    public CaptureCounts Counts => counts;

    /// <summary>The listener keeps here what it knows of the connection.</summary>
    public object? State { get; set; }

    /// <inheritdoc/>
    public void Stands(long toBroker, long toClient) => _handshake = (toBroker, toClient);

    /// <inheritdoc/>
    public void Data(int side, ReadOnlySpan<byte> bytes, long nanoseconds)
    {
        if (_kind == StreamKind.Unknown)
        {
            if (beginning.IsSeen && !IsJoined)
                Recognise(side, bytes);
            else
                Join(side, bytes);
        }
        if (_kind == StreamKind.Plain)
            _packets[side]!.Take(bytes, nanoseconds);
        else if (_kind == StreamKind.WebSocket)
            _frames[side]!.Take(bytes, nanoseconds);
    }

    /// <inheritdoc/>
    public void Missing(int side, long count, long nanoseconds)
    {
        // Without its first bytes, a connection is as one that began before.
        if (_kind == StreamKind.Unknown)
            IsJoined = true;
        else if (_kind == StreamKind.Plain)
            _packets[side]!.Miss(count, nanoseconds);
        else if (_kind == StreamKind.WebSocket)
            _frames[side]!.Miss(nanoseconds);
    }

    /// <inheritdoc/>
    public void Closed(int side, long nanoseconds)
    {
        if (_isConfirmed)
            listener.Closed(this, side == ClientSide, nanoseconds);
        else if (_kind == StreamKind.Tls)
            OnTlsClosed?.Invoke(side, nanoseconds);
    }

    /// <summary>Takes a packet.</summary>
    public void Take(in SeenPacket packet)
    {
        if (_kind is not (StreamKind.Plain or StreamKind.WebSocket))
            return;
        if (packet is { Type: PacketType.Connect, IsFromClient: true } && packet.IsWhole)
            TakeVersion(packet.Bytes);
        if (!_isConfirmed && !Confirm(packet))
            return;
        if (!IsVersionCertain && packet.IsWhole)
            Correct(packet);
        counts.MqttPackets++;
        listener.Packet(this, packet);
    }

    /// <summary>Packets are lost.</summary>
    public void Lost(bool fromClient, long nanoseconds)
    {
        if (_isConfirmed)
            listener.Lost(this, fromClient, nanoseconds);
    }

    /// <summary>Bytes are no MQTT: the connection is not read any further.</summary>
    public void Break()
    {
        if (_isConfirmed)
            counts.BrokenConnections++;
        else
            counts.OtherConnections++;
        _kind = StreamKind.Other;
    }

    /// <summary>A WebSocket connection is compressed, or carries something else.</summary>
    public void Refuse()
    {
        counts.UnreadWebSockets++;
        _kind = StreamKind.Other;
    }

    private void Recognise(int side, ReadOnlySpan<byte> bytes)
    {
        if (!sides.IsWanted(Broker))
            _kind = StreamKind.Other;
        else if (side == ClientSide && bytes[0] == (byte)PacketType.Connect << 4)
            Read(StreamKind.Plain);
        else if (side == ClientSide && bytes[0] == (byte)'G' && bytes.Length >= 4 && bytes.StartsWith("GET "u8))
            Read(StreamKind.WebSocket);
        else if (IsTls(bytes))
            Encrypted();
        else
            NotMqtt();
    }

    private void Join(int side, ReadOnlySpan<byte> bytes)
    {
        IsJoined = true;
        if (ClientSide < 0)
            ClientSide = sides.ClientOf(ends.First, ends.Second);
        if (ClientSide >= 0 && !sides.IsWanted(Broker))
        {
            _kind = StreamKind.Other;
            return;
        }
        if (IsTls(bytes))
        {
            Encrypted();
            return;
        }
        var origin = OriginOf(side);
        if (PacketBorders.Judge(bytes, null, origin, out var sender) == FrameStatus.Complete)
        {
            if (sender != PacketOrigin.Unknown)
            {
                ClientSide = sender == PacketOrigin.Client ? side : 1 - side;
                if (sides.IsWanted(Broker))
                    Read(StreamKind.Plain);
                else
                    _kind = StreamKind.Other;
                return;
            }
        }
        else if (ClientSide >= 0 && WebSocketSide.IsAtBorder(bytes, this, side == ClientSide))
        {
            Read(StreamKind.WebSocket);
            return;
        }
        counts.PassedOverBytes += bytes.Length;
        if (++_attempts == MostAttempts)
            NotMqtt();
    }

    private PacketOrigin OriginOf(int side) =>
        ClientSide < 0 ? PacketOrigin.Unknown
        : ClientSide == side ? PacketOrigin.Client
        : PacketOrigin.Server;

    private void Read(StreamKind kind)
    {
        _kind = kind;
        for (var side = 0; side < 2; side++)
        {
            var packets = new PacketSplitter(this, side == ClientSide);
            _packets[side] = packets;
            // A side that had sent nothing yet is at its first packet, if its beginning was seen.
            if (!IsJoined)
                packets.Begin();
            if (kind != StreamKind.WebSocket)
                continue;
            _frames[side] = new(packets, this, side == ClientSide);
            if (IsJoined)
                _frames[side]!.Join();
        }
    }

    // The first packet of a connection says that it is one of MQTT.
    private bool Confirm(in SeenPacket packet)
    {
        if (!IsJoined && !(packet.IsFromClient && PacketBorders.IsLegal(packet.Bytes, Version, PacketOrigin.Client)))
        {
            NotMqtt();
            return false;
        }
        _isConfirmed = true;
        counts.MqttConnections++;
        if (_kind == StreamKind.WebSocket)
            counts.WebSockets++;
        if (IsJoined)
            counts.Joined++;
        if (_handshake is { } handshake)
            counts.Add(handshake.ToBroker, handshake.ToClient);
        sides.Learn(Broker);
        return true;
    }

    private void TakeVersion(ReadOnlySpan<byte> connect)
    {
        if (PacketFrame.TryRead(connect, int.MaxValue, out var frame) != FrameStatus.Complete)
            return;
        var body = connect[frame.HeaderLength..];
        var level = body.Length < 2 ? 0 : 2 + (body[0] << 8 | body[1]);
        if (level == 0 || level >= body.Length)
            return;
        (Version, IsVersionCertain) = ((ProtocolVersion)body[level], true);
    }

    // A packet that is legal in 3.1.1 alone says so.
    private void Correct(in SeenPacket packet)
    {
        if (
            PacketBorders.IsLegal(packet.Bytes, ProtocolVersion.V5, packet.Origin)
            || !PacketBorders.IsLegal(packet.Bytes, ProtocolVersion.V311, packet.Origin)
        )
            return;
        (Version, IsVersionCertain) = (ProtocolVersion.V311, true);
    }

    private void NotMqtt()
    {
        _kind = StreamKind.Other;
        counts.OtherConnections++;
    }

    private void Encrypted()
    {
        _kind = StreamKind.Tls;
        if (OnTlsClosed is null)
            counts.TlsConnections++;
    }

    // A record: its type, version 3.0 to 3.4, and a length.
    private static bool IsTls(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= 5
        && bytes[0] is >= 0x14 and <= 0x17
        && bytes[1] == 3
        && bytes[2] <= 4
        && (bytes[3] << 8 | bytes[4]) is > 0 and <= (1 << 14) + 2048;
}
