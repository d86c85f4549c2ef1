using BenchmarkDotNet.Attributes;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Benchmarks.Protocol;

/// <summary>
/// A QoS 1 PUBLISH of 100 bytes in all, read in place and written: the hot path of fleet and broker. Aim: 60 ns each.
/// </summary>
[MemoryDiagnoser]
public class PublishBenchmarks
{
    private const int PacketBytes = 100;

    private readonly byte[] _topic = "sensors/building-1/room-17"u8.ToArray();
    private readonly byte[] _destination = new byte[PacketBytes];
    private byte[] _payload = [];
    private byte[] _packet = [];
    private PublishPacket _value = new();

    /// <summary>The protocol version.</summary>
    [Params(ProtocolVersion.V311, ProtocolVersion.V5)]
    public ProtocolVersion Version { get; set; }

    /// <summary>Makes the packet.</summary>
    [GlobalSetup]
    public void Setup()
    {
        var empty = PacketWriter.PublishLength(Version, _topic.Length, 0, QualityOfService.AtLeastOnce);
        _payload = new byte[PacketBytes - empty];
        _packet = new byte[PacketBytes];
        PacketWriter.WritePublish(
            _packet,
            Version,
            _topic,
            _payload,
            QualityOfService.AtLeastOnce,
            retain: false,
            duplicate: false,
            packetId: 4711
        );
        _value = (PublishPacket)PacketDecoder.Decode(_packet, Version);
    }

    /// <summary>Frame and fields, in place.</summary>
    [Benchmark]
    public int Decode()
    {
        if (PacketFrame.TryRead(_packet, PacketBytes, out var frame) != FrameStatus.Complete)
            return 0;
        return PublishView.TryParse(Version, _packet.AsSpan(0, frame.TotalLength), out var view)
            ? view.Topic.Length + view.Payload.Length + view.PacketId
            : 0;
    }

    /// <summary>Into a caller's span.</summary>
    [Benchmark]
    public int Encode() =>
        PacketWriter.WritePublish(
            _destination,
            Version,
            _topic,
            _payload,
            QualityOfService.AtLeastOnce,
            retain: false,
            duplicate: false,
            packetId: 4711
        );

    /// <summary>PUBACK, read in place and written.</summary>
    [Benchmark]
    public int Acknowledge()
    {
        var length = PacketWriter.WriteAck(_destination, PacketType.Puback, 4711, Version);
        return AckView.TryParse(Version, _destination.AsSpan(0, length), out var view) ? view.PacketId : 0;
    }

    /// <summary>Into a packet value, for comparison.</summary>
    [Benchmark]
    public Packet DecodeValue() => PacketDecoder.Decode(_packet, Version);

    /// <summary>From a packet value, for comparison.</summary>
    [Benchmark]
    public byte[] EncodeValue() => PacketEncoder.Encode(_value, Version);
}
