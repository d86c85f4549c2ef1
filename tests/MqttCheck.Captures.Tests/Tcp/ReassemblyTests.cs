using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Tcp;

/// <summary>However the bytes of a connection are cut, repeated and mixed up, they give the same exchanges.</summary>
[TestFixture]
internal sealed class ReassemblyTests
{
    // Seeds 1 .. 200: a violation would be reported for each of them every time.
    [Test]
    public void Cut_repeated_and_reordered_segments_give_the_same_exchanges()
    {
        var expected = Kinds(Turned.Of(Scenes.Plant().PcapNg()));
        for (var seed = 1; seed <= 200; seed++)
        {
            var random = new Random(seed);
            var traffic = Scenes.Plant();
            var packets = traffic.Packets.SelectMany(packet => Cut(packet, random)).ToList();
            for (var i = packets.Count - 1; i > 0; i--)
            {
                if (random.Next(4) == 0)
                    packets.Insert(
                        i + 1,
                        packets[random.Next(Math.Max(0, i - 5), i)] with
                        {
                            Nanoseconds = packets[i].Nanoseconds,
                        }
                    );
                // Two neighbours of one direction.
                if (
                    random.Next(3) == 0
                    && packets[i].From.Equals(packets[i - 1].From)
                    && (packets[i].Flags & packets[i - 1].Flags & 3) == 0
                    && packets[i - 1].Data.Length > 0
                    && packets[i].Data.Length > 0
                )
                    (packets[i], packets[i - 1]) = (packets[i - 1], packets[i]);
            }

            var turned = Turned.Of(traffic.With(packets).PcapNg());

            Assert.That(Kinds(turned), Is.EqualTo(expected), $"seed {seed}");
            Assert.That((turned.Counts.Gaps, turned.Counts.BadPackets), Is.EqualTo((0L, 0L)), $"seed {seed}");
        }
    }

    [Test]
    public void Overlapping_segments_are_taken_once()
    {
        var traffic = Scenes.Plant();
        var packets = traffic.Packets.SelectMany(packet =>
            packet.Data.Length < 20
                ? [packet]
                : new[]
                {
                    packet with
                    {
                        Data = packet.Data[..15],
                    },
                    packet with
                    {
                        Data = packet.Data[5..],
                        Sequence = packet.Sequence + 5,
                    },
                    packet,
                }
        );
        Assert.That(Kinds(Turned.Of(traffic.With(packets).PcapNg())), Is.EqualTo(Kinds(Turned.Of(traffic.PcapNg()))));
    }

    [Test]
    public void A_lost_publication_is_a_gap_and_nothing_else_is_lost()
    {
        var traffic = Scenes.Plant(publications: 6);
        var lost = traffic.Packets.FindIndex(packet => IsPublish(packet) && packet.From.Port == 50_002);

        var turned = Turned.Of(traffic.With(traffic.Packets.Where((_, i) => i != lost)).PcapNg());

        Assert.That(turned.Counts.Gaps, Is.EqualTo(1));
        Assert.That(turned.Counts.MissingBytes, Is.EqualTo(traffic.Packets[lost].Data.Length));
        Assert.That(turned.Counts.DeliveriesWithoutPublication, Is.EqualTo(1));
        Assert.That(turned.Counts.AnswersWithoutRequest, Is.EqualTo(1));
        Assert.That(Successes(turned), Is.EqualTo(Successes(Turned.Of(traffic.PcapNg())) - 1));
    }

    [Test]
    public void A_lost_delivery_makes_the_end_of_its_publication_unknown()
    {
        var traffic = Scenes.Plant(publications: 6);
        var lost = traffic.Packets.FindIndex(packet => IsPublish(packet) && packet.To.Port == 50_001);

        var turned = Turned.Of(traffic.With(traffic.Packets.Where((_, i) => i != lost)).PcapNg());

        Assert.That(turned.Counts.UnknownEnds, Is.EqualTo(1));
        Assert.That(Successes(turned), Is.EqualTo(Successes(Turned.Of(traffic.PcapNg())) - 1));
        Assert.That(
            turned.Exchanges.Select(exchange => exchange.Outcome),
            Has.All.AnyOf(ExchangeOutcome.Success, ExchangeOutcome.Cancelled)
        );
    }

    // Bytes within a payload leave the border of packets known.
    [Test]
    public void A_gap_within_a_payload_costs_the_payload_only()
    {
        var traffic = Scenes.Plant(publications: 4, size: 3000);
        var packets = traffic.Packets.SelectMany(packet => Split(packet, 1000)).ToList();
        var middle = packets.FindIndex(packet => packet.Data.Length == 1000 && packet.From.Port == 50_002) + 1;
        packets.RemoveAt(middle);

        var turned = Turned.Of(traffic.With(packets).PcapNg());

        Assert.That((turned.Counts.Gaps, turned.Counts.UnknownEnds, turned.Counts.Resumed), Is.EqualTo((1L, 0L, 0L)));
        Assert.That(Kinds(turned), Is.EqualTo(Kinds(Turned.Of(traffic.PcapNg()))));
    }

    [Test]
    public void Packets_cut_behind_their_topics_are_enough()
    {
        var traffic = Scenes.Plant(publications: 4, size: 3000);

        var turned = Turned.Of(traffic.Pcap(snap: 14 + 20 + 32 + 40));

        Assert.That(Kinds(turned), Is.EqualTo(Kinds(Turned.Of(traffic.Pcap()))));
        Assert.That(turned.Counts.UnknownEnds, Is.Zero);
    }

    [Test]
    public void A_port_that_is_used_again_is_another_connection([Values] bool hasEnd)
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        for (var i = 0; i < 3; i++)
        {
            var client = traffic.Connection(50_001).Open();
            client.Send(true, talk.Connect("again")).Send(false, talk.Connack());
            if (hasEnd)
                client.Send(true, talk.Disconnect()).Close(false).Close(true);
        }
        // The sequence numbers differ, as the system's do.
        var shifted = traffic.Packets.Select(
            (packet, i) =>
                packet with
                {
                    Sequence = packet.Sequence + (uint)(i * 3 / traffic.Packets.Count) * 100_000,
                    Acknowledgement = packet.Acknowledgement + (uint)(i * 3 / traffic.Packets.Count) * 100_000,
                }
        );

        var turned = Turned.Of(traffic.With(shifted).PcapNg());

        Assert.That(turned.Counts.MqttConnections, Is.EqualTo(3));
        Assert.That(turned.Exchanges, Has.Count.EqualTo(hasEnd ? 6 : 3));
        Assert.That(turned.Exchanges.Select(exchange => exchange.Client), Has.All.EqualTo(0));
    }

    private static bool IsPublish(WirePacket packet) =>
        packet.Data.Length > 0 && packet.Data[0] >> 4 == (int)PacketType.Publish;

    private static int Successes(Turned turned) =>
        turned.Exchanges.Count(exchange => exchange.Outcome == ExchangeOutcome.Success);

    private static IEnumerable<WirePacket> Cut(WirePacket packet, Random random)
    {
        var at = 0;
        while (packet.Data.Length - at > 1 && random.Next(3) > 0)
        {
            var count = random.Next(1, packet.Data.Length - at);
            yield return packet with
            {
                Data = packet.Data[at..(at + count)],
                Sequence = packet.Sequence + (uint)at,
                Flags = WirePacket.Ack,
            };
            at += count;
        }
        yield return packet with
        {
            Data = packet.Data[at..],
            Sequence = packet.Sequence + (uint)at,
        };
    }

    private static IEnumerable<WirePacket> Split(WirePacket packet, int size) =>
        packet.Data.Length <= size
            ? [packet]
            : packet
                .Data.Chunk(size)
                .Select((part, i) => packet with { Data = part, Sequence = packet.Sequence + (uint)(i * size) });

    // Everything that was exchanged, and by whom; times move with the cuts.
    private static IEnumerable<string> Kinds(Turned turned) =>
        turned
            .Exchanges.OrderBy(exchange => exchange.IssueIndex)
            .Select(exchange =>
                $"{exchange.Client} {exchange.Message} {exchange.Topic} {exchange.MessageSize} {exchange.Subscribers} "
                + $"{exchange.Receivers} {exchange.Outcome}"
            );
}
