using System.Security.Cryptography;
using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.WebSockets;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>The frames of RFC 6455, section 5, in whatever pieces they arrive.</summary>
public sealed class WebSocketDecoderTests
{
    [Test]
    public void What_is_written_is_read_under_every_split()
    {
        // Deterministic: the seed is fixed.
        var lengths = Gen.Elements(0, 1, 7, 8, 9, 124, 125, 126, 127, 300, 65535, 65536, 70_001);
        var cases =
            from count in Gen.Choose(1, 4)
            from sizes in Gen.ArrayOf(lengths, count)
            from masked in ArbMap.Default.GeneratorFor<bool>()
            from cuts in Gen.ArrayOf(Gen.Choose(1, 40_000), 50)
            select (sizes, masked, cuts);
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200).WithReplay(2026, 1),
            Prop.ForAll(
                Arb.From(cases),
                input =>
                {
                    var (sizes, masked, cuts) = input;
                    var sent = new List<byte>();
                    var bytes = new List<byte>();
                    foreach (var size in sizes)
                    {
                        var payload = RandomNumberGenerator.GetBytes(size);
                        sent.AddRange(payload);
                        // A ping between two messages disturbs neither.
                        bytes.AddRange(Frame(0x89, [1, 2, 3], masked));
                        bytes.AddRange(Frame(0x82, payload, masked));
                    }
                    var (received, events) = Read(new WebSocketDecoder(masked), bytes.ToArray(), cuts);
                    return received.SequenceEqual(sent)
                        && events.Count == sizes.Length
                        && events.All(item => item == WebSocketEvent.Ping);
                }
            )
        );
    }

    [Test]
    public void A_message_may_be_cut_into_frames_with_control_frames_between_them()
    {
        byte[] bytes =
        [
            .. Frame(0x02, [1, 2], true),
            .. Frame(0x00, [], true),
            .. Frame(0x89, "hi"u8, true),
            .. Frame(0x8A, [], true),
            .. Frame(0x80, [3], true),
            .. Frame(0x82, [4], true),
        ];
        for (var cut = 1; cut <= bytes.Length; cut++)
        {
            var (received, events) = Read(new WebSocketDecoder(isMasked: true), bytes, [cut]);
            Assert.That(received, Is.EqualTo(new byte[] { 1, 2, 3, 4 }));
            Assert.That(events, Is.EqualTo(new[] { WebSocketEvent.Ping }));
        }
    }

    // One row for each rule of sections 5.2 to 5.6 that bytes can break: first bytes of a masked frame, and the status
    // it is answered with.
    [TestCase("C28000000000", 1002, TestName = "Reserved_bits")]
    [TestCase("8200", 1002, TestName = "Unmasked_frame_of_a_client")]
    [TestCase("838000000000", 1002, TestName = "Reserved_data_opcode")]
    [TestCase("8B8000000000", 1002, TestName = "Reserved_control_opcode")]
    [TestCase("818000000000", 1003, TestName = "Text")]
    [TestCase("098000000000", 1002, TestName = "Fragmented_ping")]
    [TestCase("89FE007E00000000", 1002, TestName = "Ping_of_126_bytes")]
    [TestCase("808000000000", 1002, TestName = "Continuation_of_nothing")]
    [TestCase("028000000000828000000000", 1002, TestName = "Message_within_a_message")]
    [TestCase("82FE007D00000000", 1002, TestName = "Length_of_125_in_two_bytes")]
    [TestCase("82FF000000000000FFFF00000000", 1002, TestName = "Length_of_65535_in_eight_bytes")]
    [TestCase("82FF800000000000000000000000", 1002, TestName = "Length_beyond_63_bits")]
    [TestCase("88810000000003", 1002, TestName = "Close_with_half_a_status")]
    public void A_violation_is_told_with_its_status(string frame, int status)
    {
        var bytes = Convert.FromHexString(frame);
        for (var cut = 1; cut <= bytes.Length; cut++)
        {
            var decoder = new WebSocketDecoder(isMasked: true);
            var (_, events) = Read(decoder, bytes, [cut]);
            Assert.That(events, Is.EqualTo(new[] { WebSocketEvent.Violation }));
            Assert.That(decoder.Status, Is.EqualTo(status));
            Assert.That(decoder.Problem, Is.Not.Empty);
        }
    }

    [Test]
    public void A_masked_frame_of_a_server_is_a_violation()
    {
        var (_, events) = Read(new WebSocketDecoder(isMasked: false), Frame(0x82, [1], masked: true), [1]);
        Assert.That(events, Is.EqualTo(new[] { WebSocketEvent.Violation }));
    }

    [Test]
    public void Random_bytes_end_in_a_violation_or_wait_for_more()
    {
        var generator = RandomStream.For(7);
        for (var i = 0; i < 20_000; i++)
        {
            var bytes = new byte[1 + generator.NextInt(60)];
            foreach (ref var value in bytes.AsSpan())
                value = (byte)generator.NextInt(256);
            var (received, _) = Read(new WebSocketDecoder(isMasked: true), bytes, [1 + generator.NextInt(20)]);
            Assert.That(received, Has.Count.LessThanOrEqualTo(bytes.Length));
        }
    }

    private static byte[] Frame(byte first, ReadOnlySpan<byte> payload, bool masked)
    {
        var head = new byte[WebSocketFrame.MaximumHead];
        uint? mask = masked ? 0xA1B2C3D4 : null;
        var length = WebSocketFrame.WriteHead(head, (WebSocketOpcode)(first & 0x0F), payload.Length, mask);
        head[0] = first;
        var copy = payload.ToArray();
        if (mask is { } value)
            WebSocketMask.Apply(copy, value);
        return [.. head[..length], .. copy];
    }

    private static (List<byte> Received, List<WebSocketEvent> Events) Read(
        WebSocketDecoder decoder,
        byte[] bytes,
        int[] cuts
    )
    {
        var payload = new ByteQueue(new BufferPool());
        var events = new List<WebSocketEvent>();
        var turn = 0;
        for (var at = 0; at < bytes.Length; )
        {
            var piece = Math.Min(cuts[turn++ % cuts.Length], bytes.Length - at);
            ReadOnlySpan<byte> rest = bytes.AsSpan(at, piece);
            at += piece;
            while (decoder.Read(ref rest, payload) is var met && met != WebSocketEvent.NeedsMore)
            {
                events.Add(met);
                if (met is WebSocketEvent.Violation or WebSocketEvent.Close)
                    return ([.. payload.Bytes], events);
            }
        }
        return ([.. payload.Bytes], events);
    }
}
