using MqttCheck.Captures.Logs;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>A bad capture gives what is right in it, or is refused with what to do.</summary>
[TestFixture]
internal sealed class BadCaptureTests : DirectoryFixture
{
    // 6 000 packets of which one in a hundred is missing, for seeds 1 .. 5. Nothing is guessed: each exchange that is
    // there has the values that it has in the whole capture.
    [Test]
    public void With_one_in_a_hundred_packets_missing_every_finished_exchange_is_right()
    {
        var traffic = Scenes.Plant(publications: 1500);
        var whole = Turned.Of(traffic.PcapNg());
        var known = whole.Exchanges.ToDictionary(
            exchange => (exchange.Message, exchange.SentMicroseconds, exchange.Client),
            Facts
        );
        for (var seed = 1; seed <= 5; seed++)
        {
            var random = new Random(seed);
            var turned = Turned.Of(
                traffic.With(traffic.Packets.Where((_, i) => i == 0 || random.Next(100) > 0)).PcapNg()
            );

            Assert.That(turned.Counts.Gaps, Is.GreaterThan(10), $"seed {seed}");
            var finished = turned.Exchanges.Where(exchange => exchange.Outcome != ExchangeOutcome.Cancelled).ToList();
            Assert.That(finished, Has.Count.GreaterThan(known.Count * 9 / 10), $"seed {seed}");
            foreach (
                var exchange in finished.Where(exchange => exchange.Message == MqttCheck.Clients.MessageKind.Publish)
            )
                Assert.That(
                    Facts(exchange),
                    Is.EqualTo(known[(exchange.Message, exchange.SentMicroseconds, exchange.Client)]),
                    $"seed {seed}"
                );
        }
    }

    [Test]
    public void Two_brokers_are_refused_until_one_is_chosen()
    {
        var traffic = Scenes.Plant(broker: "192.0.2.1");
        Scenes.Plant(broker: "192.0.2.2", client: "192.0.2.9", traffic: traffic);
        var file = traffic.PcapNg();

        Assert.That(
            () => Turned.Of(file),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("2 brokers: 192.0.2.1:1883 (2 connections), 192.0.2.2:1883 (2 connections)")
                .And.Message.Contains("--address")
        );
        var chosen = Turned.Of(file, request => request with { Addresses = [System.Net.IPAddress.Parse("192.0.2.2")] });
        Assert.That(chosen.Exchanges, Has.Count.EqualTo(9));
        Assert.That(Turned.Of(file, request => request with { Ports = [1883] }).Exchanges, Has.Count.EqualTo(18));
    }

    [Test]
    public void A_capture_without_MQTT_is_refused()
    {
        var traffic = new WireTraffic();
        traffic
            .Connection(1, 80)
            .Open()
            .Send(true, "GET / HTTP/1.1\r\n\r\n"u8)
            .Send(false, "HTTP/1.1 200 OK\r\n\r\n"u8);
        traffic.Connection(2, 22).Open().Send(false, "SSH-2.0-x\r\n"u8);

        Assert.That(
            () => Turned.Of(traffic.PcapNg()),
            Throws.TypeOf<InputException>().With.Message.Contains("no MQTT in 9 packets, 9 of TCP")
        );
    }

    [Test]
    public void TLS_without_keys_is_refused_with_what_to_do()
    {
        var traffic = new WireTraffic();
        traffic.Connection(1, 8883).Open().Send(true, [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]);

        Assert.That(
            () => Turned.Of(traffic.PcapNg()),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("1 connections are encrypted (TLS)")
                .And.Message.Contains("--tls-keys")
        );
        Assert.That(
            () => Turned.Of(traffic.PcapNg(), request => request with { TlsKeys = In("none.txt") }),
            Throws.TypeOf<InputException>().With.Message.Contains("none.txt\": there is no such file")
        );
    }

    [Test]
    public void A_refused_capture_leaves_no_log()
    {
        File.WriteAllBytes(In("bad.pcap"), new WireTraffic().PcapNg());

        Assert.That(() => CaptureLog.Write(new(In("bad.pcap"), In("log.csv"), "1")), Throws.TypeOf<InputException>());
        Assert.That(Directory.GetFiles(Folder), Is.EqualTo(new[] { In("bad.pcap") }));
    }

    [Test]
    public void Payloads_names_and_passwords_are_not_written()
    {
        File.WriteAllBytes(In("a.pcap"), Scenes.Plant(size: 40).PcapNg());

        Turned.OfFile(In("a.pcap"), Folder);

        foreach (var file in Directory.GetFiles(Folder).Where(file => file != In("a.pcap")))
        {
            foreach (var secret in (string[])["secret", "anna", "sensor", "dashboard", "plant", ".....", "192.0.2"])
                Assert.That(File.ReadAllText(file), Does.Not.Contain(secret), file);
        }
    }

    [Test]
    public void Names_are_written_if_they_are_asked_for()
    {
        var names = Turned.Of(Scenes.Plant().PcapNg(), request => request with { KeepsNames = true }).Names;

        Assert.That(
            names.Split('\n'),
            Is.SupersetOf(
                new[]
                {
                    "client\t0\tdashboard\tseen",
                    "client\t1\tsensor\tseen",
                    "filters\t0\tplant/+/temp\t",
                    "topic\t1\tplant/7/temp\t",
                }
            )
        );
    }

    [TestCase(30, 3000, "broker")]
    [TestCase(3000, 30, "clients")]
    [TestCase(3000, 3000, "between")]
    [TestCase(30, 30, "machine")]
    public void The_handshakes_tell_where_the_capture_was_taken(int toBroker, int toClient, string place)
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        traffic.Connection(1).Open(toBroker, toClient).Send(true, talk.Connect("a")).Send(false, talk.Connack());

        Assert.That(Turned.Of(traffic.PcapNg()).Log.Information.Engine["observationPoint"], Is.EqualTo(place));
    }

    private static (MqttCheck.Clients.MessageKind, int, int, double, ExchangeOutcome) Facts(Exchange exchange) =>
        (exchange.Message, exchange.MessageSize, exchange.Receivers, exchange.LatencyMilliseconds, exchange.Outcome);
}
