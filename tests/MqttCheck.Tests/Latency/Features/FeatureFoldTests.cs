using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Latency.Features;

public sealed class FeatureFoldTests
{
    [TestCase(1, 0)]
    [TestCase(50, 0)]
    [TestCase(800, 0)]
    [TestCase(800, 9)]
    public void Recent_activity_is_that_of_one_client_and_where_it_is_low_the_more_the_more_clients_there_are(
        int clients,
        int reconnects
    )
    {
        var fold = new FeatureFold(clients, 1, withheld: false);
        // Everybody connects, one after the other, within the last 40 ms, some of them again and again.
        for (var client = 0; client < clients; client++)
        {
            for (var connect = 0; connect <= reconnects; connect++)
            {
                fold.Start(client, Connect, 10);
                fold.End(client, Connect, 0, success: true, 10);
            }
        }
        Assert.That(
            fold.Start(0, Disconnect, 49.9).RecentActivity,
            Is.EqualTo(Activity(clients * (reconnects + 1), clients - 1)).Within(1e-9).Percent,
            "a client that leaves does not count"
        );
        fold.End(0, Disconnect, 0, success: true, 49.9);
        Assert.That(
            fold.Start(0, Connect, 50).RecentActivity,
            Is.EqualTo(Activity(1, clients - 1)).Within(1e-9).Percent,
            "the disconnect"
        );

        // With 800 clients, twice the activity of one where that is low, and hardly more than it where it is high.
        static double Activity(int completions, int online) =>
            online == 0
                ? 0
                : completions
                    / (double)online
                    * (1 + (Math.Pow(online / 50.0, 0.25) - 1) / (1 + Math.Pow(completions / (double)online, 2)));
    }

    // A client is answered twice, the second time so much after it was answered first and sent again; then somebody
    // publishes what it is subscribed to.
    [TestCase(
        39,
        10,
        ExpectedResult = 1,
        Description = "it has answered the first at once, so it waits with the second"
    )]
    [TestCase(39, 41, ExpectedResult = 1)]
    [TestCase(39, 43, ExpectedResult = 0, Description = "it has acknowledged the second without sending anything")]
    [TestCase(
        41,
        10,
        ExpectedResult = 0,
        Description = "it has not answered the first at once, so it does not wait with the second"
    )]
    public int Withheld_are_the_receivers_that_were_just_answered_and_answer_at_once_themselves(
        double pause,
        double after
    )
    {
        var fold = Subscribed();
        Exchange(fold, 1, Publish(topic: 1), 1000);
        Exchange(fold, 1, Publish(topic: 1), 1000 + pause);
        return fold.Start(0, Publish(), 1000 + pause + after).Withheld;
    }

    [TestCase(
        QualityOfService.AtLeastOnce,
        ExpectedResult = 0,
        Description = "acknowledged with the answer to the first delivery"
    )]
    [TestCase(
        QualityOfService.AtMostOnce,
        ExpectedResult = 1,
        Description = "a delivery that nobody answers leaves it as it is"
    )]
    public int Delivery_that_has_to_be_answered_carries_the_acknowledgement(QualityOfService qos)
    {
        var fold = Subscribed();
        // The client answers one delivery, which makes it one that waits with the next packet it gets.
        Exchange(fold, 0, Publish(), 1000);
        Exchange(fold, 0, Publish(qos: qos), 1100);
        return fold.Start(0, Publish(), 1110).Withheld;
    }

    [Test]
    public void Delivery_that_waited_is_sent_with_the_next_packet_of_its_receiver_or_when_its_time_is_over()
    {
        var fold = Subscribed();
        Exchange(fold, 1, Publish(topic: 1), 1000);
        Exchange(fold, 1, Publish(topic: 1), 1010);
        Assert.That(fold.Start(0, Publish(), 1020).Withheld, Is.EqualTo(1));
        fold.End(0, Publish(), 1, success: true, 1052);
        Assert.That(fold.Start(0, Publish(), 1053).Withheld, Is.Zero, "sent at 1052, and answered at once");
        Exchange(fold, 1, Publish(topic: 1), 1060);
        Assert.That(fold.Start(2, Publish(), 1065).Withheld, Is.EqualTo(1));
        Exchange(fold, 1, Publish(topic: 1), 1070);
        Assert.That(
            fold.Start(2, Publish(), 1071).Withheld,
            Is.EqualTo(1),
            "the answer to that packet is withheld in turn"
        );
        Exchange(fold, 1, Disconnect, 1072);
        Exchange(fold, 1, Connect, 1073);
        Assert.That(fold.Start(2, Publish(), 1074).Withheld, Is.Zero, "a new connection has answered nothing");
    }

    [Test]
    public void Handshake_of_quality_of_service_2_is_an_answer()
    {
        var fold = Subscribed();
        Exchange(fold, 1, Publish(topic: 1, QualityOfService.ExactlyOnce), 1000);
        Assert.That(fold.Start(0, Publish(), 1010).Withheld, Is.EqualTo(1));
    }

    // Of three clients the second is subscribed to topic 0, long ago.
    private static FeatureFold Subscribed()
    {
        var fold = new FeatureFold(3, 2, withheld: true);
        for (var client = 0; client < 3; client++)
            Exchange(fold, client, Connect, 0);
        Exchange(fold, 1, new(MessageKind.Subscribe, 0, 0, ExchangePhase.Counted, Clean: false), 500);
        return fold;
    }

    private static void Exchange(FeatureFold fold, int client, ClientAction action, double milliseconds) =>
        fold.End(client, action, fold.Start(client, action, milliseconds).Subscribers, success: true, milliseconds);

    private static ClientAction Publish(int topic = 0, QualityOfService qos = QualityOfService.AtLeastOnce) =>
        new(MessageKind.Publish, topic, 10, ExchangePhase.Counted, Clean: false) { Qos = qos };

    private static ClientAction Connect => new(MessageKind.Connect, -1, 0, ExchangePhase.Counted, Clean: false);

    private static ClientAction Disconnect => new(MessageKind.Disconnect, -1, 0, ExchangePhase.Counted, Clean: false);
}
