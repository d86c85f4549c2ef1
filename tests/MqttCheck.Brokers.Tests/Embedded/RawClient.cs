using System.Net;
using System.Net.Sockets;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Embedded;

/// <summary>A blocking socket that speaks packets: as little client as possible.</summary>
internal sealed class RawClient : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly Socket _socket;
    private readonly ProtocolVersion _version;
    private byte[] _buffer = new byte[1 << 16];
    private int _count;

    public RawClient(IPEndPoint broker, ProtocolVersion version = ProtocolVersion.V311, int receiveBufferBytes = 0)
    {
        _version = version;
        _socket = new Socket(broker.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = (int)Patience.TotalMilliseconds,
        };
        if (receiveBufferBytes > 0)
            _socket.ReceiveBufferSize = receiveBufferBytes;
        _socket.Connect(broker);
    }

    /// <summary>A client that is connected, in a clean session.</summary>
    public static RawClient Connected(
        string clientId,
        IPEndPoint broker,
        ProtocolVersion version = ProtocolVersion.V311,
        int receiveBufferBytes = 0
    )
    {
        var client = new RawClient(broker, version, receiveBufferBytes);
        client.Connect(clientId);
        return client;
    }

    public void Dispose() => _socket.Dispose();

    public void SendBytes(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
            bytes = bytes[_socket.Send(bytes)..];
    }

    public void Send(Packet packet) => SendBytes(PacketEncoder.Encode(packet, _version));

    public ConnackPacket Connect(string clientId, bool clean = true)
    {
        Send(
            new ConnectPacket
            {
                ProtocolVersion = _version,
                ClientId = clientId,
                CleanStart = clean,
            }
        );
        return Receive<ConnackPacket>();
    }

    public void Subscribe(string filter, int qos)
    {
        Send(new SubscribePacket(1, [new SubscriptionRequest(filter, (QualityOfService)qos)]));
        Receive<SubackPacket>();
    }

    public void Publish(string topic, Bytes payload, int qos, ushort id = 1) =>
        Send(
            new PublishPacket
            {
                Topic = topic,
                Payload = payload,
                Qos = (QualityOfService)qos,
                PacketId = qos == 0 ? (ushort)0 : id,
            }
        );

    public T Receive<T>()
        where T : Packet
    {
        var packet =
            Receive() ?? throw new AssertionException($"the connection was closed; awaited was {typeof(T).Name}");
        Assert.That(packet, Is.InstanceOf<T>());
        return (T)packet;
    }

    /// <summary>The next packet; null when the broker has closed the connection in order.</summary>
    public Packet? Receive()
    {
        while (true)
        {
            if (PacketFrame.TryRead(_buffer.AsSpan(0, _count), int.MaxValue, out var frame) == FrameStatus.Complete)
            {
                var packet = PacketDecoder.Decode(_buffer.AsSpan(0, frame.TotalLength), _version, PacketOrigin.Server);
                _buffer.AsSpan(frame.TotalLength, _count - frame.TotalLength).CopyTo(_buffer);
                _count -= frame.TotalLength;
                return packet;
            }
            if (_count == _buffer.Length)
                Array.Resize(ref _buffer, 2 * _count);
            var received = _socket.Receive(_buffer.AsSpan(_count));
            if (received == 0)
                return null;
            _count += received;
        }
    }
}
