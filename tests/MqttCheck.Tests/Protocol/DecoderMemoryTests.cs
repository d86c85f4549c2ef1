using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Tests.Protocol.Fuzzing;

namespace MqttCheck.Tests.Protocol;

/// <summary>No call of the decoder allocates more than its memory limit, measured on the thread that calls.</summary>
public sealed class DecoderMemoryTests
{
    private const int Megabyte = 1 << 20;

    private static readonly Config Config = Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(20260102, 7);

    private static IEnumerable<TestCaseData> ManySmallFields() =>
        [.. Lists(ProtocolVersion.V311), .. Lists(ProtocolVersion.V5), .. Properties()];

    private static IEnumerable<TestCaseData> Lists(ProtocolVersion version)
    {
        byte[] properties = version == ProtocolVersion.V5 ? [0] : [];
        // A legal filter, an illegal one, and one with U+0000, which the observing decoder lists.
        byte[] names = [(byte)'a', (byte)'+', (byte)'#', 0, 0xFF];
        (PacketType Type, byte[] Head, byte[] Field)[] packets =
        [
            .. names.Select(name => (PacketType.Subscribe, new byte[] { 0, 1 }, new byte[] { 0, 1, name, 0 })),
            .. names.Select(name => (PacketType.Subscribe, new byte[] { 0, 1 }, new byte[] { 0, 2, name, name, 0xFF })),
            .. names.Select(name => (PacketType.Unsubscribe, new byte[] { 0, 1 }, new byte[] { 0, 1, name })),
            (PacketType.Subscribe, [0, 0], [0, 0, 0xFF]),
            (PacketType.Unsubscribe, [0, 0], [0, 0]),
            (PacketType.Suback, [0, 1], [0]),
            (PacketType.Suback, [0, 0], [0xFF]),
            (PacketType.Unsuback, [0, 1], [0x11]),
            (PacketType.Unsuback, [0, 0], [0xFE]),
            (PacketType.Publish, [0, 1, (byte)'t'], [7]),
        ];
        return packets.Select(packet => Case(version, packet.Type, [.. packet.Head, .. properties], packet.Field));
    }

    private static IEnumerable<TestCaseData> Properties()
    {
        // Those that are empty, legal, illegal and misplaced.
        byte[][] properties =
        [
            [(byte)PropertyId.UserProperty, 0, 0, 0, 0],
            [(byte)PropertyId.UserProperty, 0, 1, 0xFF, 0, 1, 0],
            [(byte)PropertyId.SubscriptionIdentifier, 1],
            [(byte)PropertyId.SubscriptionIdentifier, 0],
            [(byte)PropertyId.ServerKeepAlive, 0, 0],
            [(byte)PropertyId.ReasonString, 0, 1, 0],
        ];
        (PacketType Type, byte[] Head)[] packets =
        [
            (PacketType.Publish, [0, 1, (byte)'t']),
            (PacketType.Puback, [0, 1, 0]),
            (PacketType.Connect, [0, 4, .. "MQTT"u8, 5, 2, 0, 0]),
            (PacketType.Connack, [0, 0]),
            (PacketType.Disconnect, [0]),
            (PacketType.Auth, [0x18]),
        ];
        return from property in properties from packet in packets select Section(packet.Type, packet.Head, property);
    }

    [TestCaseSource(nameof(ManySmallFields))]
    public void Very_many_small_fields_take_no_more_than_the_limit(ProtocolVersion version, byte[] bytes)
    {
        foreach (var limit in new[] { PacketDecoder.LeastMemoryLimitBytes, 60_010, 250_000, Megabyte })
            AssertWithin(limit, bytes, version, PacketOrigin.Client);
    }

    [Test]
    public void Long_illegal_texts_are_not_repeated_in_what_is_said_about_them()
    {
        byte[] topic = [0xFF, 0xFF, .. Enumerable.Repeat((byte)'+', 65535)];
        AssertWithin(200_000, Frame(PacketType.Publish, topic), ProtocolVersion.V311, PacketOrigin.Unknown);
        var violation = PacketDecoder.Observe(Frame(PacketType.Publish, topic), ProtocolVersion.V311).Violations[0];
        Assert.That(violation.Message, Has.Length.LessThan(200));
        byte[] filters = [0, 1, .. Enumerable.Repeat(topic, 4).SelectMany(filter => filter.Append((byte)3))];
        AssertWithin(Megabyte, Frame(PacketType.Subscribe, filters), ProtocolVersion.V311, PacketOrigin.Unknown);
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Every_legal_packet_is_decoded_within_the_least_limit_and_refused_only_when_it_is_long(
        ProtocolVersion version
    ) =>
        Check.One(
            Config,
            Prop.ForAll(
                PacketGenerators.Packet(version).ToArbitrary(),
                packet =>
                {
                    var bytes = PacketEncoder.Encode(packet, version);
                    AssertWithin(PacketDecoder.LeastMemoryLimitBytes, bytes, version, PacketOrigin.Unknown);
                    var limit = PacketDecoder.LeastMemoryLimitBytes + (32 * bytes.Length);
                    Assert.That(PacketDecoder.Decode(bytes, version, PacketOrigin.Unknown, limit), Is.EqualTo(packet));
                }
            )
        );

    [Test]
    public void A_packet_beyond_the_limit_is_refused_with_an_error_that_names_the_limit()
    {
        var filters = Frame(
            PacketType.Subscribe,
            [0, 1, .. Enumerable.Repeat(new byte[] { 0, 1, (byte)'a', 0 }, 10_000).SelectMany(filter => filter)]
        );
        var error = Assert.Throws<ProtocolException>(() =>
            PacketDecoder.Decode(filters, ProtocolVersion.V311, PacketOrigin.Client, filters.Length)
        )!;
        Assert.That(error.ReasonCode, Is.EqualTo(ReasonCode.QuotaExceeded));
        Assert.That(error.Message, Does.Contain($"more memory than the limit of {filters.Length} bytes"));
        var observed = PacketDecoder.Observe(filters, ProtocolVersion.V311, PacketOrigin.Client, filters.Length);
        Assert.That((observed.Packet, observed.Violations.Count), Is.EqualTo((default(Packet), 1)));
        var packet = (SubscribePacket)
            PacketDecoder.Decode(filters, ProtocolVersion.V311, PacketOrigin.Client, Megabyte);
        Assert.That(packet.Subscriptions, Has.Count.EqualTo(10_000));
    }

    private static void AssertWithin(int limit, byte[] bytes, ProtocolVersion version, PacketOrigin origin)
    {
        var failure = PacketFuzzer.Check(bytes, version, origin, limit, out _, out var allocated);
        Assert.That(failure, Is.Null, $"{(PacketType)(bytes[0] >> 4)}, {bytes.Length} bytes");
        Assert.That(allocated, Is.LessThanOrEqualTo(limit));
    }

    private static TestCaseData Case(ProtocolVersion version, PacketType type, byte[] head, byte[] field) =>
        new TestCaseData(version, Frame(type, [.. head, .. Repeat(field)])).SetArgDisplayNames(
            version.ToString(),
            type.ToString(),
            Convert.ToHexString(head),
            Convert.ToHexString(field)
        );

    private static TestCaseData Section(PacketType type, byte[] head, byte[] property)
    {
        var section = Repeat(property);
        byte[] tail = type == PacketType.Connect ? [0, 0] : [];
        return new TestCaseData(
            ProtocolVersion.V5,
            Frame(type, [.. head, .. Length(section.Length), .. section, .. tail])
        ).SetArgDisplayNames(type.ToString(), Convert.ToHexString(property));
    }

    private static byte[] Repeat(byte[] field) =>
        [.. Enumerable.Repeat(field, 60_000 / field.Length).SelectMany(bytes => bytes)];

    private static byte[] Frame(PacketType type, byte[] body)
    {
        var flags = type is PacketType.Subscribe or PacketType.Unsubscribe ? 2 : 0;
        return [(byte)(((int)type << 4) | flags), .. Length(body.Length), .. body];
    }

    private static byte[] Length(int value)
    {
        var length = new byte[4];
        return length[..VariableByteInteger.Write(length, value)];
    }
}
