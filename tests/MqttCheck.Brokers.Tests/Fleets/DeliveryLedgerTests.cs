using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Profiles;
using MqttCheck.Profiles.Behaviours;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

public sealed class DeliveryLedgerTests
{
    [Test]
    public void A_message_that_nobody_sent_or_on_another_topic_is_a_stray()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1]);

        var number = Publish(ledger, fold, publisher: 0);

        Assert.That(
            (ledger.Deliver(1, 1, number).Kind, ledger.Deliver(1, 0, number + 1).Kind),
            Is.EqualTo((DeliveryKind.Stray, DeliveryKind.Stray))
        );
        Assert.That(
            (ledger.Deliver(1, 0, number | 77UL << 32).Kind, ledger.Deliveries),
            Is.EqualTo((DeliveryKind.Stray, 0))
        );
    }

    [Test]
    public void A_receiver_that_leaves_another_topic_is_awaited_on()
    {
        var (ledger, fold) = With(clients: 3, subscribers: [1, 2]);
        Publish(ledger, fold, publisher: 0);
        Assert.That((ledger.Release(0, receiver: 1, topic: 1), ledger.IsAwaitedAt(1)), Is.EqualTo((false, true)));
    }

    // 30 cases of a fixed seed.
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
                var received = new Dictionary<ulong, HashSet<int>>();
                var numbers = new Dictionary<int, ulong>();
                for (var step = 0; step < 300; step++)
                {
                    var publisher = random.NextInt(4);
                    var client = random.NextInt(Clients);
                    switch (random.NextInt(6))
                    {
                        case 0 when !awaited.ContainsKey(publisher):
                            numbers[publisher] = Publish(ledger, fold, publisher);
                            received[numbers[publisher]] = [];
                            awaited[publisher] = [.. subscribers];
                            break;
                        case 1 when awaited.Remove(publisher, out var missing):
                            Assert.That(ledger.Close(publisher), Is.EqualTo(missing.Count));
                            break;
                        case 2 when awaited.TryGetValue(publisher, out var open):
                            var expected = open.Remove(client) && open.Count == 0;
                            Assert.That(ledger.Release(publisher, client, random.NextInt(2) - 1), Is.EqualTo(expected));
                            break;
                        case > 2 when numbers.TryGetValue(publisher, out var number):
                            var isNew = received[number].Add(client);
                            var isAwaited = awaited.TryGetValue(publisher, out var rest) && rest.Remove(client);
                            var kind =
                                !isNew ? DeliveryKind.Repeated
                                : !isAwaited ? DeliveryKind.Optional
                                : rest!.Count > 0 ? DeliveryKind.Awaited
                                : DeliveryKind.LastAwaited;
                            Assert.That(ledger.Deliver(client, 0, number), Is.EqualTo((kind, publisher)));
                            break;
                    }
                    Assert.That(
                        Enumerable.Range(0, Clients).Where(ledger.IsAwaitedAt),
                        Is.EqualTo(awaited.Values.SelectMany(open => open).Distinct().Order())
                    );
                    Assert.That(
                        awaited.Keys.Select(ledger.Remaining),
                        Is.EqualTo(awaited.Values.Select(open => open.Count))
                    );
                }
            }
        );
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(30).WithReplay(4711UL, 1UL), property);
    }

    [Test]
    public void A_message_without_a_number_answers_for_the_one_that_its_sender_has_open_there()
    {
        var (ledger, fold) = With(3, [1]);
        var open = DeliveryLedger.OpenOf(0);

        Assert.That(ledger.Deliver(1, 0, open).Kind, Is.EqualTo(DeliveryKind.Optional), "before it is sent");
        Publish(ledger, fold, 0);
        Assert.That(ledger.Deliver(1, 1, open).Kind, Is.EqualTo(DeliveryKind.Optional), "on another topic");
        Assert.That(ledger.Deliver(1, 0, open), Is.EqualTo((DeliveryKind.LastAwaited, 0)));
        Assert.That(ledger.Deliver(1, 0, open).Kind, Is.EqualTo(DeliveryKind.Repeated));
    }

    [Test]
    public void Who_drops_a_filter_is_awaited_on_none_of_its_topics()
    {
        UsageProfile sensors = new()
        {
            Name = "sensors",
            WaitMilliseconds = new ConstantLaw(1),
            Weights = new(1, 0, 1, 0, 0),
            TopicName = "a/{topic}",
            Topics = 2,
        };
        var hubs = sensors with { Weights = new(1, 1, 0, 1, 0), Filters = ["a/#", "b"] };
        var population = new Population { Name = "p", Groups = [new("s", 1, sensors), new("h", 1, hubs)] };
        var space = TopicSpace.Of(population, 2);
        var (_, fold) = With(2, [1]);
        var ledger = new DeliveryLedger(2, null, space);
        Publish(ledger, fold, 0);

        Assert.That(ledger.Release(0, 1, space.OfGroup(1).Subscribe + 1), Is.False, "b has no topic of them");
        Assert.That(ledger.Remaining(0), Is.EqualTo(1));
        Assert.That(ledger.Release(0, 1, space.OfGroup(1).Subscribe), Is.True, "a/# has all");
        Assert.That(ledger.Remaining(0), Is.Zero);
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
