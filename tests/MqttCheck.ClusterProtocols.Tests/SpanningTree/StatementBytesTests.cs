using FsCheck;
using FsCheck.Fluent;
using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Statistics;

namespace MqttCheck.ClusterProtocols.Tests.SpanningTree;

/// <summary>The 36 bytes that a PINGREQ of a node of a tree is longer than one of a client.</summary>
[TestFixture]
internal sealed class StatementBytesTests
{
    private const int Nodes = 256;

    private static readonly Gen<Bpdu> s_statement =
        from numbers in Gen.ArrayOf(Gen.Choose(0, 255), 8)
        from costs in Gen.ArrayOf(Gen.Choose(0, int.MaxValue), 2)
        from parent in Gen.Choose(-1, Nodes - 1)
        from isUnknown in Gen.Elements(true, false)
        from capability in Gen.Elements(0, -1.5, .1, 1e9, double.MaxValue)
        select new Bpdu
        {
            Epoch = numbers[0] * 16_777_216L,
            RootCapability = capability,
            Root = numbers[1],
            Cost = costs[0] * 200L,
            Hops = numbers[2],
            Parent = parent,
            SenderCapability = -capability,
            LinkCost = isUnknown ? TreeNeighbour.Unknown : costs[1] * 200L,
            TopologyChange = numbers[3] % 2 == 0,
        };

    [Test]
    public void A_statement_is_read_as_it_was_written() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(500).WithReplay(20261129, 57),
            Prop.ForAll(
                s_statement.ToArbitrary(),
                bpdu => StatementBytes.Instance.TryRead(Bytes(bpdu), Nodes, out var read) && Bpdu.From(read) == bpdu
            )
        );

    [Test]
    public void The_bytes_are_those_of_the_documented_layout()
    {
        var bpdu = new Bpdu
        {
            Epoch = 3,
            RootCapability = 1,
            Root = 2,
            Cost = 20_000_000,
            Hops = 4,
            Parent = -1,
            SenderCapability = 0,
            LinkCost = TreeNeighbour.Unknown,
            TopologyChange = true,
        };
        const string Expected = "00000003 0002 FFFF 04 01 3FF0000000000000 0000000000000000 0001312D00 FFFFFFFFFF";
        Assert.That(Convert.ToHexString(Bytes(bpdu)), Is.EqualTo(Expected.Replace(" ", "")));
        var packet = HopPacket.PingreqWith(bpdu.ToMessage());
        var written = new PeerPackets(StatementBytes.Instance).Write(packet, 0);
        Assert.That((written.Length, HopBytes.Of(packet)), Is.EqualTo((2 + 36, 2 + 36)));
        Assert.That(Convert.ToHexString(written[..2]), Is.EqualTo("C024"));
    }

    // An epoch, hops and costs beyond their places are sent as the largest.
    [Test]
    public void Numbers_too_large_for_their_places_are_sent_as_the_largest()
    {
        var bpdu = new Bpdu
        {
            Epoch = long.MaxValue,
            RootCapability = 0,
            Root = 0,
            Cost = long.MaxValue,
            Hops = 1000,
            Parent = -1,
            SenderCapability = 0,
            LinkCost = long.MaxValue,
            TopologyChange = false,
        };
        Assert.That(StatementBytes.Instance.TryRead(Bytes(bpdu), Nodes, out var read), Is.True);
        var largest = (1L << 40) - 2;
        Assert.That(
            Bpdu.From(read),
            Is.EqualTo(bpdu with { Epoch = uint.MaxValue, Cost = largest, Hops = 255, LinkCost = largest })
        );
    }

    // Seed 57.
    [Test]
    public void No_bytes_crash_the_reader_and_what_it_takes_names_nodes_that_there_are()
    {
        var random = RandomStream.For(57, 1);
        var taken = 0;
        for (var i = 0; i < 10_000; i++)
        {
            var bytes = new byte[random.NextInt(4) == 0 ? random.NextInt(80) : HopBytes.StatementBytes];
            for (var at = 0; at < bytes.Length; at++)
                bytes[at] = random.NextInt(3) > 0 ? (byte)0 : (byte)random.NextInt(256);
            if (!StatementBytes.Instance.TryRead(bytes, 5, out var statement))
                continue;
            taken++;
            var bpdu = Bpdu.From(statement);
            Assert.That((bpdu.Root, bpdu.Parent), Is.EqualTo((bpdu.Root % 5, Math.Max(-1, bpdu.Parent % 5))));
            Assert.That(double.IsFinite(bpdu.RootCapability) && bpdu.Cost >= 0, Is.True);
        }
        Assert.That(taken, Is.GreaterThan(100));
    }

    private static byte[] Bytes(Bpdu bpdu)
    {
        var bytes = new byte[HopBytes.StatementBytes];
        StatementBytes.Instance.Write(bytes, bpdu.ToMessage());
        return bytes;
    }
}
