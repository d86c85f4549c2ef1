using MqttCheck.Captures.Files;

namespace MqttCheck.Captures.Tests.Files;

/// <summary>Every form of a capture holds the same exchanges.</summary>
[TestFixture]
internal sealed class CaptureFilesTests
{
    [Test]
    public void Pcap_in_either_byte_order_and_unit_gives_the_same_log(
        [Values] bool bigEndian,
        [Values(1, 1000)] int unit
    )
    {
        var turned = Turned.Of(Scenes.Plant().Pcap(bigEndian, unit));

        AssertIsPlant(turned);
        Assert.That(turned.Lines(), Is.EqualTo(Turned.Of(Scenes.Plant().Pcap()).Lines()));
    }

    [Test]
    public void Pcapng_in_either_byte_order_with_several_interfaces_gives_the_same_log([Values] bool bigEndian)
    {
        // Microseconds, nanoseconds, and 2^-30 of a second.
        var file = Scenes.Plant().PcapNg(bigEndian, [1, 113, 276, 0, 108, 101], [6, 9, 0x80 | 30]);

        var turned = Turned.Of(file);

        AssertIsPlant(turned);
        // 2^-30 of a second is not quite a nanosecond.
        Assert.That(
            turned.Exchanges.Select(exchange => Math.Round(exchange.LatencyMilliseconds, 4)),
            Is.EqualTo(
                Turned
                    .Of(Scenes.Plant().Pcap())
                    .Exchanges.Select(exchange => Math.Round(exchange.LatencyMilliseconds, 4))
            )
        );
    }

    [Test]
    public void Every_link_type_gives_the_same_log(
        [Values(0, 1, 1001, 101, 108, 113, 276)] int link,
        [Values("192.0.2.", "2001:db8::")] string network
    )
    {
        var turned = Turned.Of(Scenes.Plant(client: network + "7", broker: network + "1").Pcap(link: link));

        AssertIsPlant(turned);
        Assert.That(turned.Lines(), Is.EqualTo(Turned.Of(Scenes.Plant().Pcap()).Lines()));
    }

    [Test]
    public void A_capture_that_is_cut_anywhere_is_read_up_to_the_cut([Values] bool blocks)
    {
        var whole = blocks ? Scenes.Plant().PcapNg() : Scenes.Plant().Pcap();
        var all = Turned.Of(whole).Lines().ToHashSet();
        for (var length = whole.Length / 2; length < whole.Length; length += 61)
        {
            var cut = Turned.Of(whole[..length]);
            Assert.That(
                cut.Exchanges.Where(exchange => exchange.Outcome == MqttCheck.Logs.ExchangeOutcome.Success),
                Is.Not.Empty
            );
            Assert.That(
                cut.Lines().Where(line => line.Contains("Outcome = Success", StringComparison.Ordinal)),
                Is.SubsetOf(all)
            );
        }
    }

    [Test]
    public void The_place_of_damage_is_named()
    {
        var whole = Scenes.Plant().Pcap();
        var cut = Turned.Of(whole[..^5]);
        Assert.That(cut.Summary.Damage, Is.EqualTo("it ends within a packet"));
        Assert.That(cut.Summary.Lines(), Has.Some.StartsWith("Note: the capture was read up to byte "));
        Assert.That(Turned.Of(whole).Summary.Damage, Is.Null);
    }

    [Test]
    public void What_is_no_capture_is_not_taken_for_one()
    {
        Assert.That(CaptureFormat.IsCapture(Scenes.Plant().Pcap(bigEndian: true, unit: 1)), Is.True);
        Assert.That(CaptureFormat.IsCapture(Scenes.Plant().PcapNg()), Is.True);
        Assert.That(CaptureFormat.IsCapture("message,active_messages"u8), Is.False);
        Assert.That(CaptureFormat.IsCapture(new byte[100]), Is.False);
        Assert.That(CaptureFormat.IsCapture(RepositoryFiles.At("README.md")), Is.False);
        Assert.That(CaptureFormat.IsCapture("no-such-file"), Is.False);
    }

    [Test]
    public void Fragments_and_other_protocols_are_counted()
    {
        var traffic = Scenes.Plant();
        var frames = traffic.Pcap(link: 101);
        // The first packet becomes a fragment, the second one of UDP.
        frames[24 + 16 + 6] = 0x20;
        frames[24 + 16 + traffic.Packets[0].Ip().Length + 16 + 9] = 17;

        var counts = Turned.Of(frames).Counts;

        Assert.That((counts.Fragments, counts.NotTcp), Is.EqualTo((1L, 1L)));
    }

    private static void AssertIsPlant(Turned turned)
    {
        Assert.That(turned.Exchanges, Has.Count.EqualTo(9));
        Assert.That(turned.Counts.NotUsed, Is.Empty);
    }
}
