using System.Buffers.Binary;
using System.Globalization;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// One end of a pair: the publisher keeps some QoS 1 messages in flight, the subscriber acknowledges what it gets.
/// </summary>
internal sealed class PairClient : IWireHandler
{
    private const ProtocolVersion Version = ProtocolVersion.V311;

    private readonly PairLoad _load;
    private readonly int _number;
    private readonly bool _publishes;
    private readonly byte[] _publish;
    private readonly int _idAt;
    private ushort _nextId;
    private long _published;
    private long _delivered;

    public PairClient(PairLoad load, int number, bool publishes, int payloadBytes)
    {
        (_load, _number, _publishes) = (load, number, publishes);
        var topic = Topic(number);
        var message = new PublishPacket
        {
            Topic = topic,
            Payload = new byte[payloadBytes],
            Qos = QualityOfService.AtLeastOnce,
            PacketId = 1,
        };
        _publish = PacketEncoder.Encode(message, Version);
        _idAt = _publish.Length - payloadBytes - sizeof(ushort);
    }

    /// <summary>Begins to publish.</summary>
    public void Begin(WireConnection connection, int inFlight)
    {
        for (var i = 0; i < inFlight; i++)
            Publish(connection);
    }

    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        var id = string.Create(CultureInfo.InvariantCulture, $"{(_publishes ? "p" : "s")}{_number}");
        connection.Send(
            PacketEncoder.Encode(
                new ConnectPacket
                {
                    ProtocolVersion = Version,
                    ClientId = id,
                    CleanStart = true,
                },
                Version
            )
        );
    }

    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        var consumed = 0;
        Span<byte> ack = stackalloc byte[PacketWriter.MaximumAckBytes];
        while (PacketFrame.TryRead(bytes[consumed..], int.MaxValue, out var frame) == FrameStatus.Complete)
        {
            var packet = bytes.Slice(consumed, frame.TotalLength);
            consumed += frame.TotalLength;
            switch (frame.Type)
            {
                case PacketType.Publish when PublishView.TryParse(Version, packet, out var message):
                    connection.Send(ack[..PacketWriter.WriteAck(ack, PacketType.Puback, message.PacketId, Version)]);
                    Deliver(BinaryPrimitives.ReadInt64BigEndian(message.Payload));
                    break;
                case PacketType.Puback:
                    _load.Acknowledged++;
                    if (_load.IsOn)
                        Publish(connection);
                    break;
                case PacketType.Connack when !_publishes:
                    var subscribe = new SubscribePacket(
                        1,
                        [new SubscriptionRequest(Topic(_number), QualityOfService.AtLeastOnce)]
                    );
                    connection.Send(PacketEncoder.Encode(subscribe, Version));
                    break;
                case PacketType.Connack or PacketType.Suback:
                    _load.Ready(this, connection, _publishes);
                    break;
            }
        }
        return consumed;
    }

    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        throw new InvalidOperationException($"A connection of the load ended: {reason}, {detail}");

    private static string Topic(int number) => string.Create(CultureInfo.InvariantCulture, $"pairs/{number}");

    private void Publish(WireConnection connection)
    {
        _nextId = _nextId == ushort.MaxValue ? (ushort)1 : (ushort)(_nextId + 1);
        BinaryPrimitives.WriteUInt16BigEndian(_publish.AsSpan(_idAt), _nextId);
        BinaryPrimitives.WriteInt64BigEndian(_publish.AsSpan(_idAt + sizeof(ushort)), _published++);
        connection.Send(_publish);
        _load.Published++;
    }

    // Messages carry their number: each has to come once and in order.
    private void Deliver(long number)
    {
        if (number < _delivered)
            _load.Repeated++;
        else
            _load.Delivered++;
        _delivered = Math.Max(_delivered, number + 1);
    }
}
