using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Spoiled;

/// <summary>One connection of a client, and the one to the broker that belongs to it.</summary>
/// <param name="wire">The wire of both sides.</param>
/// <param name="broker">The broker that the clients see.</param>
/// <param name="address">The right broker.</param>
/// <param name="spoiling">What is spoiled.</param>
internal sealed class Passage(IWire wire, SpoiledBroker broker, IPEndPoint address, Spoiling spoiling) : IWireHandler
{
    private const int MostBytes = 1 << 24;

    private readonly List<byte[]> _early = [];
    private WireConnection? _client,
        _broker;
    private bool _isOpen;
    private long _began;

    /// <summary>The broker that the clients see.</summary>
    public SpoiledBroker Broker => broker;

    /// <summary>The version of the client.</summary>
    public ProtocolVersion Version { get; private set; } = ProtocolVersion.V311;

    /// <summary>Whatever a spoiling has to remember of the connection.</summary>
    public Dictionary<string, object> Memory { get; } = new(StringComparer.Ordinal);

    /// <summary>For how long there has been the connection.</summary>
    public long AgeNanoseconds => wire.NowNanoseconds - _began;

    /// <summary>Whether CONNACK has passed.</summary>
    public bool IsAccepted { get; private set; }

    /// <summary>Whether the packet that passes came in more than one piece.</summary>
    public bool IsInPieces { get; private set; }

    /// <summary>Which packet of its piece it is, from 1.</summary>
    public int PlaceInSegment { get; private set; }

    /// <summary>Called when the client's connection ends.</summary>
    public Action? Closing { get; set; }

    /// <summary>Sends a packet to the client in the place of the broker.</summary>
    public void Answer(Packet packet) => _client?.Send(PacketEncoder.Encode(packet, Version));

    /// <summary>Sends a packet to the broker in the place of the client.</summary>
    public void Acknowledge(Packet packet) => _broker?.Send(PacketEncoder.Encode(packet, Version));

    /// <summary>Closes both connections.</summary>
    public Packet[] Close()
    {
        _client?.Close();
        _broker?.Abort();
        return [];
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        (_client, _began) = (connection, wire.NowNanoseconds);
        _broker = wire.Connect(new WireEndpoint(address), new BrokerSide(this));
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
        PassToBroker(bytes);

    private int PassToBroker(ReadOnlySpan<byte> bytes)
    {
        PlaceInSegment = 0;
        var consumed = Pass(bytes, PacketOrigin.Client, spoiling.ToBroker, SendToBroker);
        IsInPieces = consumed < bytes.Length;
        return consumed;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
        Closing?.Invoke();
        if (_isOpen)
            _broker?.Close();
        else
            _broker?.Abort();
    }

    private void SendToBroker(byte[] packet)
    {
        if (_isOpen)
            _broker!.Send(packet);
        else
            _early.Add(packet);
    }

    private int Pass(
        ReadOnlySpan<byte> bytes,
        PacketOrigin origin,
        Func<Passage, Packet, Packet[]> spoil,
        Action<byte[]> send
    )
    {
        var consumed = 0;
        while (PacketFrame.TryRead(bytes[consumed..], MostBytes, out var frame) is var status)
        {
            if (status == FrameStatus.NeedMore)
                return consumed;
            if (status != FrameStatus.Complete)
                break;
            var raw = bytes.Slice(consumed, frame.TotalLength).ToArray();
            consumed += frame.TotalLength;
            if (Read(raw, origin) is not { } packet)
            {
                send(raw);
                continue;
            }
            if (packet is ConnectPacket connect)
                Version = connect.ProtocolVersion;
            IsAccepted |= packet is ConnackPacket;
            if (origin == PacketOrigin.Client)
                PlaceInSegment++;
            foreach (var passed in spoil(this, packet))
                send(ReferenceEquals(passed, packet) ? raw : PacketEncoder.Encode(passed, Version));
            if (origin == PacketOrigin.Client)
                IsInPieces = false;
        }
        // Bytes that are no packet are the broker's to judge.
        send(bytes[consumed..].ToArray());
        return bytes.Length;
    }

    // A packet that breaks a rule passes as it is.
    private Packet? Read(byte[] raw, PacketOrigin origin)
    {
        try
        {
            return PacketDecoder.Decode(raw, Version, origin);
        }
        catch (ProtocolException)
        {
            return null;
        }
    }

    private sealed class BrokerSide(Passage passage) : IWireHandler
    {
        public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
        {
            passage._isOpen = true;
            foreach (var packet in passage._early)
                connection.Send(packet);
            passage._early.Clear();
        }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
            passage.Pass(
                bytes,
                PacketOrigin.Server,
                passage.Spoiling.ToClient,
                packet => passage._client?.Send(packet)
            );

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            passage._client?.Close();
    }

    private Spoiling Spoiling => spoiling;
}
