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
/// <param name="broker">The right broker.</param>
/// <param name="spoiling">What is spoiled.</param>
internal sealed class Passage(IWire wire, IPEndPoint broker, Spoiling spoiling) : IWireHandler
{
    private const int MostBytes = 1 << 24;

    private readonly List<byte[]> _early = [];
    private WireConnection? _client,
        _broker;
    private bool _isOpen;

    /// <summary>The version of the client.</summary>
    public ProtocolVersion Version { get; private set; } = ProtocolVersion.V311;

    /// <summary>Whatever a spoiling has to remember of the connection.</summary>
    public Dictionary<string, object> Memory { get; } = new(StringComparer.Ordinal);

    /// <summary>Closes both connections.</summary>
    public Packet[] Close()
    {
        _client?.Close();
        _broker?.Abort();
        return [];
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _client = connection;
        _broker = wire.Connect(new WireEndpoint(broker), new BrokerSide(this));
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) =>
        Pass(bytes, PacketOrigin.Client, spoiling.ToBroker, SendToBroker);

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp)
    {
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
            foreach (var passed in spoil(this, packet))
                send(ReferenceEquals(passed, packet) ? raw : PacketEncoder.Encode(passed, Version));
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
