using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;
using MqttCheck.Tests.Protocol.Fuzzing;

namespace MqttCheck.Tests.Protocol;

public sealed class RoundTripTests
{
    private static readonly Config Config = Config.QuickThrowOnFailure.WithMaxTest(1000).WithReplay(20260101, 5);

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Decoding_what_was_encoded_gives_the_packet(ProtocolVersion version)
    {
        var kinds = new HashSet<PacketType>();
        Check.One(
            Config,
            Prop.ForAll(
                PacketGenerators.Packet(version).ToArbitrary(),
                packet =>
                {
                    kinds.Add(packet.Type);
                    var bytes = PacketEncoder.Encode(packet, version);
                    Assert.That(
                        (PacketDecoder.Decode(bytes, version), PacketDecoder.Observe(bytes, version).Packet),
                        Is.EqualTo((packet, packet))
                    );
                    Assert.That(PacketEncoder.GetLength(packet, version), Is.EqualTo(bytes.Length));
                    var writer = new ArrayBufferWriter<byte>();
                    Assert.That(
                        (PacketEncoder.Encode(packet, version, writer), writer.WrittenSpan.SequenceEqual(bytes)),
                        Is.EqualTo((bytes.Length, true))
                    );
                    Assert.That(
                        PacketFuzzer.Check(bytes, version, PacketOrigin.Unknown, 1 << 20, out _, out _),
                        Is.Null
                    );
                }
            )
        );
        var expected = Enum.GetValues<PacketType>()
            .Where(type => type != PacketType.Reserved && (type != PacketType.Auth || version == ProtocolVersion.V5));
        Assert.That(kinds, Is.EquivalentTo(expected));
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void The_legal_sender_may_send_every_packet_and_the_other_may_not_send_its_own(ProtocolVersion version)
    {
        Check.One(
            Config,
            Prop.ForAll(
                PacketGenerators.Packet(version).ToArbitrary(),
                packet =>
                {
                    var bytes = PacketEncoder.Encode(packet, version);
                    var legalFrom = new[] { PacketOrigin.Client, PacketOrigin.Server }.Count(origin =>
                        PacketDecoder.Observe(bytes, version, origin).IsLegal
                    );
                    // The generator mixes what only a client and only a server may say in DISCONNECT.
                    if (packet is not DisconnectPacket)
                        Assert.That(legalFrom, Is.GreaterThan(0), packet.ToString());
                    if (
                        packet
                        is ConnectPacket
                            or ConnackPacket
                            or SubscribePacket
                            or SubackPacket
                            or UnsubscribePacket
                            or UnsubackPacket
                            or PingreqPacket
                    )
                        Assert.That(legalFrom, Is.EqualTo(1), packet.ToString());
                }
            )
        );
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Every_split_of_the_stream_gives_the_same_packets(ProtocolVersion version)
    {
        var packets = PacketGenerators.Packet(version).ListOf(3);
        Check.One(
            Config.WithMaxTest(200),
            Prop.ForAll(
                packets.ToArbitrary(),
                list =>
                {
                    var stream = list.SelectMany(packet => PacketEncoder.Encode(packet, version)).ToArray();
                    for (var cut = 0; cut <= stream.Length; cut++)
                        Assert.That(ReadAll(version, stream[..cut], stream[cut..]), Is.EqualTo(list));
                    for (var size = 1; size < Math.Min(stream.Length, 12); size++)
                        Assert.That(ReadAll(version, [.. stream.Chunk(size)]), Is.EqualTo(list));
                }
            )
        );
    }

    private static List<Packet> ReadAll(ProtocolVersion version, params byte[][] pieces)
    {
        var packets = new List<Packet>();
        var stream = new PacketStream(1 << 20);
        foreach (var piece in pieces)
        {
            ReadOnlySpan<byte> input = piece;
            FrameStatus status;
            while ((status = stream.TryRead(ref input, out var packet)) == FrameStatus.Complete)
                packets.Add(PacketDecoder.Decode(packet, version));
            Assert.That((status, input.IsEmpty), Is.EqualTo((FrameStatus.NeedMore, true)));
        }
        Assert.That(stream.BufferedBytes, Is.Zero);
        return packets;
    }
}
