using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Tests.Fleets;

public sealed class DeliveryLedgerTests
{
    [Test]
    public void A_message_is_complete_when_every_subscriber_has_it()
    {
        var (ledger, fold) = With(clients: 70, subscribers: [1, 64, 69]);

        var number = Publish(ledger, fold, publisher: 3);

        Assert.That(ledger.Deliver(64, 0, number), Is.EqualTo((DeliveryKind.Awaited, 3)));
        Assert.That(ledger.Deliver(1, 0, number), Is.EqualTo((DeliveryKind.Awaited, 3)));
        Assert.That(ledger.Remaining(3), Is.EqualTo(1));
        Assert.That(ledger.Deliver(69, 0, number), Is.EqualTo((DeliveryKind.LastAwaited, 3)));
        Assert.That(ledger.Close(3), Is.Zero);
        Assert.That(ledger.Deliveries, Is.EqualTo(3));
    }

    [Test]
    public void A_second_copy_is_repeated_even_when_the_exchange_is_over()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1]);
        var number = Publish(ledger, fold, publisher: 0);

        ledger.Deliver(1, 0, number);
        var open = ledger.Deliver(1, 0, number);
        ledger.Close(0);
        var closed = ledger.Deliver(1, 0, number);

        Assert.That((open.Kind, closed.Kind), Is.EqualTo((DeliveryKind.Repeated, DeliveryKind.Repeated)));
    }

    [Test]
    public void A_message_to_somebody_who_was_not_subscribed_is_optional()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1]);

        var number = Publish(ledger, fold, publisher: 0);

        Assert.That(ledger.Deliver(2, 0, number).Kind, Is.EqualTo(DeliveryKind.Optional));
        Assert.That(ledger.Remaining(0), Is.EqualTo(1));
    }

    [Test]
    public void A_message_that_nobody_sent_or_on_another_topic_is_a_stray()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1]);

        var number = Publish(ledger, fold, publisher: 0);

        Assert.That(ledger.Deliver(1, 1, number).Kind, Is.EqualTo(DeliveryKind.Stray));
        Assert.That(ledger.Deliver(1, 0, number + 1).Kind, Is.EqualTo(DeliveryKind.Stray));
        Assert.That(ledger.Deliver(1, 0, number | 77UL << 32).Kind, Is.EqualTo(DeliveryKind.Stray));
        Assert.That(ledger.Deliveries, Is.Zero);
    }

    [Test]
    public void A_receiver_that_leaves_is_awaited_no_longer()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1, 2]);
        Publish(ledger, fold, publisher: 0);

        Assert.That(ledger.Release(0, receiver: 1, topic: 1), Is.False, "another topic");
        Assert.That(ledger.IsAwaitedAt(1), Is.True);
        Assert.That(ledger.Release(0, receiver: 1, topic: 0), Is.False, "not the last one");
        Assert.That(ledger.IsAwaitedAt(1), Is.False);
        Assert.That(ledger.Release(0, receiver: 2, topic: -1), Is.True);
    }

    [Test]
    public void Closing_tells_what_is_missing_and_frees_the_receivers()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1, 2]);
        var number = Publish(ledger, fold, publisher: 0);
        ledger.Deliver(2, 0, number);

        Assert.That(ledger.Close(0), Is.EqualTo(1));
        Assert.That(ledger.IsAwaitedAt(1), Is.False);
        Assert.That(ledger.Deliver(1, 0, number).Kind, Is.EqualTo(DeliveryKind.Optional), "late");
    }

    [Test]
    public void It_agrees_with_sets_of_receivers()
    {
        var property = Prop.ForAll(
            Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
            seed =>
            {
                const int Clients = 67;
                var random = RandomStream.For((ulong)seed);
                var subscribers = Enumerable.Range(0, Clients).Where(_ => random.NextInt(3) == 0).ToArray();
                var (ledger, fold) = With(Clients, subscribers);
                var awaited = new Dictionary<int, HashSet<int>>();
                var numbers = new Dictionary<int, ulong>();
                for (var step = 0; step < 100; step++)
                {
                    var publisher = random.NextInt(4);
                    var client = random.NextInt(Clients);
                    switch (random.NextInt(4))
                    {
                        case 0 when !awaited.ContainsKey(publisher):
                            numbers[publisher] = Publish(ledger, fold, publisher);
                            awaited[publisher] = [.. subscribers];
                            break;
                        case 1 when awaited.Remove(publisher, out var missing):
                            Assert.That(ledger.Close(publisher), Is.EqualTo(missing.Count));
                            break;
                        case 2 when awaited.TryGetValue(publisher, out var open):
                            var expected = open.Remove(client) && open.Count == 0;
                            Assert.That(ledger.Release(publisher, client, -1), Is.EqualTo(expected));
                            break;
                        case 3 when awaited.TryGetValue(publisher, out var open):
                            var was = open.Remove(client);
                            var kind = ledger.Deliver(client, 0, numbers[publisher]).Kind;
                            if (was)
                                Assert.That(
                                    kind,
                                    Is.EqualTo(open.Count == 0 ? DeliveryKind.LastAwaited : DeliveryKind.Awaited)
                                );
                            else
                                Assert.That(kind, Is.AnyOf(DeliveryKind.Optional, DeliveryKind.Repeated));
                            break;
                    }
                    Assert.That(
                        Enumerable.Range(0, Clients).Where(ledger.IsAwaitedAt),
                        Is.EqualTo(awaited.Values.SelectMany(open => open).Distinct().Order())
                    );
                }
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(30).WithReplay(4711UL, 1UL), property);
    }

    // All online, some subscribed to topic 0 of two.
    private static (DeliveryLedger Ledger, FeatureFold Fold) With(int clients, int[] subscribers)
    {
        var fold = new FeatureFold(clients, 2, withheld: false);
        for (var client = 0; client < clients; client++)
            Do(new(MessageKind.Connect, -1, 0, ExchangePhase.Counted, Clean: false), client);
        foreach (var client in subscribers)
            Do(new(MessageKind.Subscribe, 0, 0, ExchangePhase.Counted, Clean: false), client);
        return (new DeliveryLedger(clients), fold);

        void Do(ClientAction action, int client)
        {
            fold.Start(client, action, 0);
            fold.End(client, action, 0, success: true, 0);
        }
    }

    private static ulong Publish(DeliveryLedger ledger, FeatureFold fold, int publisher)
    {
        var number = ledger.NextNumber(publisher);
        ledger.Open(publisher, 0, number, fold.SubscribersOf(0), fold);
        return number;
    }
}
