using MqttCheck.Protocol;

namespace MqttCheck.Tests.Protocol;

public sealed class PacketFuzzerTests
{
    [Test]
    public void One_hundred_thousand_random_and_mutated_byte_strings_do_no_harm()
    {
        var report = PacketFuzzer.Run(seed: 1, cases: 100_000, CancellationToken.None);
        TestContext.Out.WriteLine(report);
        Assert.That(report.Failures, Is.Empty);
        Assert.That(report.Cases, Is.EqualTo(100_000));
        // Mutations that leave a packet legal are wanted too, else the comparison of accepted packets would be idle.
        Assert.That(report.Accepted, Is.InRange(5_000, 50_000));
    }

    [Test]
    public void Legal_samples_are_legal()
    {
        foreach (var version in new[] { ProtocolVersion.V311, ProtocolVersion.V5 })
        {
            foreach (var packet in SamplePackets.For(version))
            {
                var bytes = PacketEncoder.Encode(packet, version);
                Assert.That(PacketDecoder.Decode(bytes, version), Is.EqualTo(packet));
                Assert.That(PacketFuzzer.Check(bytes, version, PacketOrigin.Unknown, out var isLegal, out _), Is.Null);
                Assert.That(isLegal, Is.True);
            }
        }
    }

    [TestCase((byte)PacketType.Subscribe, 4)]
    [TestCase((byte)PacketType.Unsubscribe, 3)]
    [TestCase((byte)PacketType.Publish, 5)]
    public void Memory_stays_in_proportion_to_the_bytes_of_many_tiny_fields(byte type, int bytesPerField)
    {
        // One million bytes of the smallest filters or user properties, legal and with an illegal character each.
        foreach (var name in new byte[] { (byte)'a', (byte)'+', 0 })
        {
            var bytes = ManyFields((PacketType)type, bytesPerField, name);
            Assert.That(PacketFuzzer.Check(bytes, ProtocolVersion.V5, PacketOrigin.Unknown, out _, out var allocated), Is.Null);
            TestContext.Out.WriteLine($"{(PacketType)type} {name}: {bytes.Length} bytes, {allocated} allocated");
        }
    }

    private static byte[] ManyFields(PacketType type, int bytesPerField, byte name)
    {
        const int fields = 200_000;
        byte[] field = type switch
        {
            PacketType.Subscribe => [0, 1, name, 0],
            PacketType.Unsubscribe => [0, 1, name],
            _ => [(byte)PropertyId.UserProperty, 0, 0, 0, 0],
        };
        Assert.That(field, Has.Length.EqualTo(bytesPerField));
        var length = new byte[4];
        byte[] section = [.. Enumerable.Repeat(field, fields).SelectMany(f => f)];
        var written = VariableByteInteger.Write(length, section.Length);
        byte[] body = type == PacketType.Publish ? [0, 1, name, .. length[..written], .. section] : [0, 1, 0, .. section];
        written = VariableByteInteger.Write(length, body.Length);
        var first = ((int)type << 4) | (type == PacketType.Publish ? 0 : 2);
        return [(byte)first, .. length[..written], .. body];
    }
}
