using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Tests.Protocol;

internal sealed class PacketStreamTests
{
    [Test]
    public void An_announced_length_allocates_nothing_until_the_bytes_arrive()
    {
        var stream = new PacketStream(VariableByteInteger.MaxValue + 5);
        ReadOnlySpan<byte> input = [0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1];
        var before = GC.GetAllocatedBytesForCurrentThread();
        var status = stream.TryRead(ref input, out _);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.That(status, Is.EqualTo(FrameStatus.NeedMore));
        Assert.That(allocated, Is.LessThan(1000));
        Assert.That(stream.BufferedBytes, Is.EqualTo(7));
    }

    [Test]
    public void A_stream_that_arrives_byte_by_byte_never_holds_more_than_twice_its_packet()
    {
        var packet = new PublishPacket { Topic = "a", Payload = new byte[100_000] };
        var bytes = PacketEncoder.Encode(packet, ProtocolVersion.V5);
        var stream = new PacketStream(bytes.Length);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var complete = 0;
        for (var i = 0; i < bytes.Length; i++)
        {
            var input = bytes.AsSpan(i, 1);
            ReadOnlySpan<byte> one = input;
            if (stream.TryRead(ref one, out var whole) == FrameStatus.Complete && whole.SequenceEqual(bytes))
                complete++;
        }
        Assert.That(complete, Is.EqualTo(1));
        // The doublings of a growing buffer add up to twice its last size.
        Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(3 * bytes.Length));
    }

    [Test]
    public void A_packet_in_one_piece_is_handed_out_in_place()
    {
        var stream = new PacketStream(100);
        byte[] bytes = [0xC0, 0, 0x40, 2, 0, 1];
        ReadOnlySpan<byte> input = bytes;
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.That(stream.TryRead(ref input, out var first) == FrameStatus.Complete && first.Overlaps(bytes), Is.True);
        Assert.That(stream.TryRead(ref input, out var second) == FrameStatus.Complete && second.Length == 4, Is.True);
        Assert.That(stream.TryRead(ref input, out _), Is.EqualTo(FrameStatus.NeedMore));
    }

    [TestCase(5, FrameStatus.TooLarge)]
    [TestCase(6, FrameStatus.Complete)]
    public void The_limit_counts_the_whole_packet(int limit, FrameStatus status)
    {
        byte[] bytes = [0x30, 4, 0, 1, (byte)'a', 0];
        foreach (var cut in new[] { 0, 1, 2 })
        {
            var stream = new PacketStream(limit);
            ReadOnlySpan<byte> first = bytes.AsSpan(0, cut),
                second = bytes.AsSpan(cut);
            var result = stream.TryRead(ref first, out _);
            if (result == FrameStatus.NeedMore)
                result = stream.TryRead(ref second, out _);
            Assert.That(result, Is.EqualTo(status));
        }
    }

    [Test]
    public void A_length_of_five_bytes_is_malformed_for_good()
    {
        var stream = new PacketStream(100);
        ReadOnlySpan<byte> first = [0x30, 0x80, 0x80],
            second = [0x80, 0x80, 0x01];
        Assert.That(
            (stream.TryRead(ref first, out _), stream.TryRead(ref second, out _)),
            Is.EqualTo((FrameStatus.NeedMore, FrameStatus.Malformed))
        );
        Assert.That(stream.TryRead(ref second, out _), Is.EqualTo(FrameStatus.Malformed));
    }

    // The borders of table 2.4 (3.1.1) and 1-1 (5).
    [TestCase(0, 1)]
    [TestCase(127, 1)]
    [TestCase(128, 2)]
    [TestCase(16_383, 2)]
    [TestCase(16_384, 3)]
    [TestCase(2_097_151, 3)]
    [TestCase(2_097_152, 4)]
    [TestCase(268_435_455, 4)]
    public void Variable_byte_integers_take_their_shortest_form(int value, int length)
    {
        var bytes = new byte[4];
        Assert.That(
            (VariableByteInteger.Write(bytes, value), VariableByteInteger.Length(value)),
            Is.EqualTo((length, length))
        );
        Assert.That((VariableByteInteger.Read(bytes, out var read), read), Is.EqualTo((length, value)));
        Assert.That(VariableByteInteger.Read(bytes.AsSpan(0, length - 1), out _), Is.Zero);
    }
}
