using System.Globalization;
using MqttCheck.Captures.Replay;
using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Captures.Tests.Replay;

/// <summary>The traffic of a capture is sent to another broker as it was, but for its payloads and names.</summary>
[TestFixture]
internal sealed class CaptureReplayTests
{
    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public async Task The_broker_gets_the_exchanges_of_the_capture_no_earlier_than_they_were(ProtocolVersion version)
    {
        var capture = Scenes.Plant(publications: 20, version, size: 40).PcapNg();
        var seen = Turned.Of(capture);

        var replayed = await Replayed.OfAsync(capture);

        Assert.That(Replayed.Lines(replayed.Exchanges), Is.EquivalentTo(Replayed.Lines(seen.Exchanges)));
        Assert.That(replayed.Result.Publications, Is.EqualTo(20));
        Assert.That(replayed.Result.Notes, Is.Empty);
        var (there, here) = (Times(seen.Exchanges), Times(replayed.Exchanges));
        for (var i = 0; i < there.Count; i++)
            Assert.That(here[i], Is.GreaterThanOrEqualTo(there[i] / 10), $"{i}");
    }

    [Test]
    public async Task Random_conversations_come_as_they_were([Values(1, 2, 3)] int seed)
    {
        var capture = RandomScene.Of(new Random(seed)).PcapNg();

        var replayed = await Replayed.OfAsync(capture);

        Assert.That(
            Replayed.Lines(replayed.Exchanges),
            Is.EquivalentTo(Replayed.Lines(Turned.Of(capture).Exchanges.Select(Succeeds)))
        );

        // The broker of the scene forgets deliveries, and this one does not.
        static Exchange Succeeds(Exchange one) => one with { Outcome = ExchangeOutcome.Success };
    }

    [Test]
    public async Task Sessions_that_stood_before_the_capture_stand_before_the_first_message()
    {
        var traffic = Scenes.Plant(publications: 10);
        var capture = traffic.With(traffic.Packets.Skip(12)).PcapNg();

        var replayed = await Replayed.OfAsync(capture);

        var publications = replayed.Exchanges.Where(one => one.Message == MessageKind.Publish).ToList();
        Assert.That(publications, Has.Count.EqualTo(10));
        Assert.That(publications, Has.All.Property("Receivers").EqualTo(1));
        Assert.That(replayed.Result.Deliveries, Is.EqualTo(10));
        Assert.That(replayed.Exchanges.Count(one => one.Message == MessageKind.Connect), Is.EqualTo(2));
        Assert.That(replayed.Result.Notes, Has.One.StartsWith("joined: 2 connections stood"));
    }

    [Test]
    public async Task A_share_of_the_clients_sends()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        for (var i = 0; i < 20; i++)
        {
            var client = traffic.Connection(50_000 + i).Open();
            client.Send(true, talk.Connect($"client-{i}")).Send(false, talk.Connack());
            client.Send(true, talk.Publish("a", "12345", 1, 1)).Send(false, talk.Puback(1));
        }

        var replayed = await Replayed.OfAsync(traffic.PcapNg(), setup => setup with { Share = .1 });

        Assert.That((replayed.Result.Clients, replayed.Result.Publications), Is.EqualTo((2, 2)));
        Assert.That(replayed.Exchanges.Count(one => one.Message == MessageKind.Connect), Is.EqualTo(2));
    }

    [Test]
    public async Task Nothing_is_left_on_the_broker_and_what_was_not_sent_is_said()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var client = traffic.Connection(50_001).Open();
        var connect = new ConnectPacket
        {
            ProtocolVersion = ProtocolVersion.V311,
            ClientId = "kept",
            CleanStart = false,
            Will = new("last/will", MqttCheck.Protocol.Bytes.FromText("gone")),
        };
        client.Send(true, talk.Bytes(connect)).Send(false, talk.Connack());
        client.Send(true, talk.Subscribe(1, "$SYS/#", "a/#")).Send(false, talk.Suback(1, 2));
        client.Send(true, talk.Publish("a/b", "kept", 1, 2, isRetained: true)).Send(false, talk.Puback(2));
        client.Send(false, talk.Publish("a/b", "kept", 1, 7)).Send(true, talk.Puback(7));
        client.Send(true, talk.Pingreq()).Send(false, talk.Pingresp());
        client.Close(true).Close(false);

        var replayed = await Replayed.OfAsync(traffic.PcapNg());

        Assert.That((replayed.Left.Sessions, replayed.Left.RetainedMessages), Is.EqualTo((0, 0)));
        Assert.That(replayed.Result.SessionsLeft, Is.Zero);
        Assert.That(replayed.Result.Deliveries, Is.EqualTo(1));
        Assert.That(
            replayed.Result.Notes,
            Is.EqualTo(
                new[]
                {
                    "left out: 1 wills",
                    "left out: 1 subscriptions and messages on topics of the broker itself, such as $SYS",
                    "left out: 1 pings and authentications",
                }
            )
        );
    }

    [Test]
    public void More_than_the_broker_may_get_is_refused()
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(path, Scenes.Plant(publications: 50).PcapNg());
            var survey = ReplaySurvey.Of(new(path, "", "1.2.3"));
            Assert.That(() => survey.RequireBelow(2, 100_000), Throws.Nothing);
            Assert.That(
                () => survey.RequireBelow(2, 10),
                Throws.TypeOf<InputException>().With.Message.Contains("--rate-cap")
            );
        }
        finally
        {
            File.Delete(path);
        }
    }

    // Since the first packet, and since the beginning.
    private static List<double> Times(IEnumerable<Exchange> exchanges) =>
        [.. exchanges.Where(one => one.Message == MessageKind.Publish).Select(one => one.SentMicroseconds).Order()];

    // Clients that come and go, subscribe with and without wildcards, and publish at every quality of service.
    private static class RandomScene
    {
        public static WireTraffic Of(Random random)
        {
            var traffic = new WireTraffic();
            var talk = new Talk();
            for (var i = 0; i < 8; i++)
            {
                var name = i.ToString(CultureInfo.InvariantCulture);
                var client = traffic.Connection(50_000 + i).Open();
                client.Send(true, talk.Connect(name, isClean: random.Next(2) == 0)).Send(false, talk.Connack());
                for (var id = 1; id <= random.Next(1, 9); id++)
                    Request(client, talk, random, id);
                if (random.Next(2) == 0)
                    client.Send(true, talk.Disconnect()).Close(false).Close(true);
                traffic.Wait(random.Next(1, 20_000));
            }
            return traffic;
        }

        private static void Request(TalkConnection client, Talk talk, Random random, int id)
        {
            var topic = $"site/{random.Next(3)}/{random.Next(2)}";
            switch (random.Next(4))
            {
                case 0:
                    client.Send(true, talk.Subscribe(id, random.Next(2) == 0 ? "site/+/1" : topic));
                    client.Send(false, talk.Suback(id));
                    break;
                case 1:
                    client.Send(true, talk.Unsubscribe(id, topic)).Send(false, talk.Unsuback(id));
                    break;
                case 2:
                    client.Send(true, talk.Publish(topic, new string('x', random.Next(5, 300))));
                    break;
                default:
                    client.Send(true, talk.Publish(topic, new string('y', random.Next(5, 300)), 1, id));
                    client.Send(false, talk.Puback(id));
                    break;
            }
        }
    }
}
