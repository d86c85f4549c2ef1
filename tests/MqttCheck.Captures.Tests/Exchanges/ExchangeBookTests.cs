using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests.Exchanges;

/// <summary>The exchanges are those that the clients had.</summary>
[TestFixture]
internal sealed class ExchangeBookTests
{
    [Test]
    public void A_publication_lasts_until_its_last_delivery_or_its_acknowledgement(
        [Values(ProtocolVersion.V311, ProtocolVersion.V5)] ProtocolVersion version
    )
    {
        var publication = Turned
            .Of(Scenes.Plant(version: version).PcapNg())
            .Exchanges.First(exchange => exchange.Message == MessageKind.Publish);

        Assert.That(
            (publication.Subscribers, publication.Receivers, publication.MessageSize, publication.TopicSize),
            Is.EqualTo((1, 1, 8, 12))
        );
        Assert.That(
            (
                publication.AcknowledgedMicroseconds - publication.SentMicroseconds,
                publication.LastDeliveryMicroseconds - publication.SentMicroseconds,
                publication.LatencyMilliseconds
            ),
            Is.EqualTo((100.0, 200.0, 0.2)).Within(1e-9)
        );
        Assert.That(publication.Qos, Is.EqualTo(QualityOfService.AtLeastOnce));
    }

    [Test]
    public void A_connect_is_meant_for_the_beginning_of_its_connection()
    {
        var connect = Turned.Of(Scenes.Plant().PcapNg()).Exchanges[0];

        Assert.That(connect.Message, Is.EqualTo(MessageKind.Connect));
        // Three packets of 100 us, and 30 + 20 us between them.
        Assert.That(connect.SentMicroseconds - connect.IntendedMicroseconds, Is.EqualTo(350).Within(1e-9));
        Assert.That(connect.LatencyMilliseconds, Is.EqualTo(0.1).Within(1e-9));
    }

    [Test]
    public void Refusals_are_told_from_successes()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        traffic
            .Connection(1)
            .Open()
            .Send(true, talk.Connect("a"))
            .Send(false, talk.Connack(code: ReasonCode.NotAuthorized));
        var other = traffic.Connection(2).Open().Send(true, talk.Connect("b")).Send(false, talk.Connack());
        other.Send(true, talk.Subscribe(1, "x")).Send(false, talk.Suback(1, code: ReasonCode.UnspecifiedError));

        Assert.That(
            Turned.Of(traffic.PcapNg()).Exchanges.Select(exchange => (exchange.Message, exchange.Outcome)),
            Is.EqualTo(
                new[]
                {
                    (MessageKind.Connect, ExchangeOutcome.Refused),
                    (MessageKind.Connect, ExchangeOutcome.Success),
                    (MessageKind.Subscribe, ExchangeOutcome.Refused),
                }
            )
        );
    }

    [Test]
    public void An_answer_that_never_comes_is_a_timeout_and_a_lost_connection_is_named()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var client = traffic.Connection(1).Open().Send(true, talk.Connect("a")).Send(false, talk.Connack());
        client.Send(true, talk.Publish("x", "1", 1, 1));
        traffic.Wait(12_000_000);
        client.Send(true, talk.Publish("x", "2", 1, 2)).Close(false).Close(true);
        traffic.Connection(2).Open();

        Assert.That(
            Turned.Of(traffic.PcapNg()).Exchanges.Skip(1).Select(exchange => exchange.Outcome),
            Is.EqualTo(new[] { ExchangeOutcome.Timeout, ExchangeOutcome.ConnectionLost })
        );
    }

    [Test]
    public void Identical_payloads_are_matched_in_the_order_of_sending()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var client = traffic.Connection(1).Open().Send(true, talk.Connect("a")).Send(false, talk.Connack());
        client.Send(true, talk.Subscribe(1, "x")).Send(false, talk.Suback(1));
        client.Send(true, talk.Publish("x", "on")).Send(true, talk.Publish("x", "on"));
        client.Send(false, talk.Publish("x", "on")).Send(false, talk.Publish("x", "on"));

        Assert.That(
            Turned.Of(traffic.PcapNg()).Exchanges.Skip(2).Select(exchange => exchange.LatencyMilliseconds),
            Is.EqualTo(new[] { 0.2, 0.2 }).Within(1e-9)
        );
    }

    [Test]
    public void Retained_messages_and_shared_subscriptions_are_not_awaited()
    {
        var traffic = new WireTraffic();
        var talk = new Talk(ProtocolVersion.V5);
        var old = new Talk();
        var client = traffic.Connection(1).Open().Send(true, talk.Connect("a")).Send(false, talk.Connack());
        client.Send(true, talk.Subscribe(1, "$share/g/x")).Send(false, talk.Suback(1));
        client.Send(true, talk.Publish("x", "1")).Send(false, talk.Publish("x", "1"));
        var other = traffic.Connection(2).Open().Send(true, old.Connect("b")).Send(false, old.Connack());
        other
            .Send(true, old.Subscribe(1, "y"))
            .Send(false, old.Suback(1))
            .Send(false, old.Publish("y", "0", isRetained: true));

        var turned = Turned.Of(traffic.PcapNg());

        Assert.That((turned.Counts.SharedDeliveries, turned.Counts.RetainedMessages), Is.EqualTo((1L, 1L)));
        Assert.That(turned.Exchanges.Single(exchange => exchange.Message == MessageKind.Publish).Subscribers, Is.Zero);
    }

    [Test]
    public void A_topic_alias_stands_for_its_topic()
    {
        var traffic = new WireTraffic();
        var talk = new Talk(ProtocolVersion.V5);
        var client = traffic.Connection(1).Open().Send(true, talk.Connect("a")).Send(false, talk.Connack());
        client.Send(true, talk.Publish("x/y", "1", alias: 3)).Send(true, talk.Publish("", "2", alias: 3));

        var topics = Turned
            .Of(traffic.PcapNg())
            .Exchanges.Skip(1)
            .Select(exchange => (exchange.Topic, exchange.TopicSize));

        Assert.That(topics, Is.EqualTo(new[] { (0, 3), (0, 3) }));
    }

    [Test]
    public void A_receiver_that_goes_away_is_not_awaited_any_more()
    {
        var traffic = new WireTraffic();
        var talk = new Talk();
        var gone = traffic.Connection(1).Open().Send(true, talk.Connect("gone")).Send(false, talk.Connack());
        gone.Send(true, talk.Subscribe(1, "x")).Send(false, talk.Suback(1));
        var client = traffic.Connection(2).Open().Send(true, talk.Connect("a")).Send(false, talk.Connack());
        client.Send(true, talk.Publish("x", "1"));
        gone.Send(true, talk.Disconnect()).Close(false).Close(true);

        var publication = Turned
            .Of(traffic.PcapNg())
            .Exchanges.Single(exchange => exchange.Message == MessageKind.Publish);

        Assert.That(
            (publication.Subscribers, publication.Receivers, publication.Outcome),
            Is.EqualTo((1, 0, ExchangeOutcome.Success))
        );
    }
}
