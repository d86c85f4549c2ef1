using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Learning.Data;
using MqttCheck.Logs;

namespace MqttCheck.Captures.Tests.Exchanges;

/// <summary>Sessions that stood before the capture are joined; subscriptions follow from deliveries.</summary>
[TestFixture]
internal sealed class JoinedSessionTests
{
    [Test]
    public void A_capture_that_begins_in_the_middle_has_the_publications_with_their_deliveries()
    {
        var turned = Middle(publications: 10, skipped: 12);

        Assert.That(turned.Counts.Joined, Is.EqualTo(2));
        var publications = turned.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish).ToList();
        Assert.That(publications, Has.Count.EqualTo(10));
        Assert.That(publications, Has.All.Property("Receivers").EqualTo(1));
        Assert.That(publications, Has.All.Property("Subscribers").EqualTo(1));
        Assert.That(publications, Has.All.Property("LatencyMilliseconds").EqualTo(0.2).Within(1e-9));
    }

    // The first publication has lost its first half, so that the first border is that of the second.
    [Test]
    public void A_capture_that_begins_within_a_packet_begins_with_the_next()
    {
        var traffic = Scenes.Plant(publications: 10);
        var packets = traffic.Packets.Skip(12).ToList();
        Assert.That(packets[0].Data[0] >> 4, Is.EqualTo(3));
        packets[0] = packets[0] with { Data = packets[0].Data[9..], Sequence = packets[0].Sequence + 9 };

        var turned = Turned.Of(traffic.With(packets).PcapNg());

        Assert.That(turned.Counts.PassedOverBytes, Is.EqualTo(packets[0].Data.Length));
        Assert.That(turned.Exchanges.Count(exchange => exchange.Message == MessageKind.Publish), Is.EqualTo(9));
    }

    [Test]
    public void What_stood_at_the_beginning_counts_when_the_log_is_replayed()
    {
        var turned = Middle(publications: 10, skipped: 12);
        var sessions = turned.Log.Information.Cases[0].Sessions!;

        var (features, _) = ExchangeLogReplay.FeaturesAndHolds([.. turned.Exchanges], null, null, sessions);

        Assert.That(sessions.Online, Is.EqualTo(new[] { 0, 1 }));
        Assert.That(sessions.Subscriptions.Single().Topics, Is.EqualTo(new[] { 0 }));
        Assert.That(
            features
                .Zip(turned.Exchanges)
                .Where(pair => pair.Second.Message == MessageKind.Publish)
                .Select(pair => pair.First.Subscribers),
            Has.All.EqualTo(1)
        );
    }

    [Test]
    public void A_wildcard_counts_for_the_topics_that_it_matches_when_the_log_is_replayed()
    {
        var turned = Turned.Of(Scenes.Plant().PcapNg());
        var sessions = turned.Log.Information.Cases[0].Sessions!;

        var (features, _) = ExchangeLogReplay.FeaturesAndHolds([.. turned.Exchanges], null, null, sessions);

        Assert.That(sessions.Filters, Has.Count.EqualTo(1));
        Assert.That(
            features
                .Zip(turned.Exchanges)
                .Where(pair => pair.Second.Message == MessageKind.Publish)
                .Select(pair => pair.First.Subscribers),
            Has.All.EqualTo(1)
        );
    }

    [Test]
    public void A_session_that_is_resumed_has_the_subscriptions_that_its_deliveries_show()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var client = traffic.Connection(1).Open().Send(true, talk.Connect("a", isClean: false));
        client.Send(false, talk.Connack(isPresent: true));
        for (var i = 1; i <= 3; i++)
        {
            client
                .Send(true, talk.Publish("x", $"{i}", 1, i))
                .Send(false, talk.Puback(i))
                .Send(false, talk.Publish("x", $"{i}"));
            traffic.Wait(3_000_000);
        }
        client.Send(true, talk.Pingreq()).Send(false, talk.Pingresp());

        var publications = Turned
            .Of(traffic.PcapNg())
            .Exchanges.Where(exchange => exchange.Message == MessageKind.Publish)
            .ToList();

        Assert.That(publications, Has.Count.EqualTo(3));
        Assert.That(publications, Has.All.Property("Receivers").EqualTo(1));
    }

    // The reader comes back twice: to its session, and to a new one.
    [Test]
    public void A_session_that_ends_takes_its_subscriptions_along_when_a_model_is_learned()
    {
        const int Each = 50;
        var traffic = new WireTraffic();
        var talk = new Talk();
        var reader = Reader(1, isClean: false, isPresent: false);
        reader.Send(true, talk.Subscribe(1, "x")).Send(false, talk.Suback(1));
        var writer = traffic.Connection(2).Open().Send(true, talk.Connect("writer")).Send(false, talk.Connack());
        Publish(isDelivered: true);
        Leave();
        reader = Reader(3, isClean: false, isPresent: true);
        Publish(isDelivered: true);
        Leave();
        reader = Reader(4, isClean: true, isPresent: false);
        Publish(isDelivered: false);

        var data = TrainingData.From(Turned.Of(traffic.PcapNg()).Log);

        Assert.That(
            data.Rows.Where(row => row.Features.Kind == MessageKind.Publish).Select(row => row.Features.Subscribers),
            Is.EqualTo([.. Enumerable.Repeat(1, 2 * Each), .. Enumerable.Repeat(0, Each)])
        );

        TalkConnection Reader(int port, bool isClean, bool isPresent) =>
            traffic
                .Connection(port)
                .Open()
                .Send(true, talk.Connect("reader", isClean))
                .Send(false, talk.Connack(isPresent));

        void Leave() => reader.Send(true, talk.Disconnect()).Close(false).Close(true);

        void Publish(bool isDelivered)
        {
            for (var i = 1; i <= Each; i++)
            {
                writer.Send(true, talk.Publish("x", $"{i}", 1, i)).Send(false, talk.Puback(i));
                if (isDelivered)
                    reader.Send(false, talk.Publish("x", $"{i}"));
                traffic.Wait(10_000);
            }
        }
    }

    private static Turned Middle(int publications, int skipped)
    {
        var traffic = Scenes.Plant(publications);
        return Turned.Of(traffic.With(traffic.Packets.Skip(skipped)).PcapNg());
    }
}
