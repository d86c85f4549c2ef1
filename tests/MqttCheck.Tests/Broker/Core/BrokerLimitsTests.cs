using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Core;

/// <summary>The broker never holds more than its limits say.</summary>
public sealed class BrokerLimitsTests
{
    [Test]
    public void No_broker_is_made_with_a_wrong_limit() =>
        Assert.That(
            () => new BrokerBench(Options(new BrokerLimits { Sessions = 0 })),
            Throws.TypeOf<InputException>().With.Message.Contains("Sessions is 0; allowed is 1 .. 10000000.")
        );

    [Test]
    public void Connections_beyond_the_limit_are_turned_away_until_one_ends_and_its_number_is_used_again()
    {
        var bench = new BrokerBench(Options(new BrokerLimits { Connections = 2 }));
        var (first, second) = (bench.Open(V5), bench.Open(V5));
        Assert.That(
            (first.Number, second.Number, bench.Core.TryOpen(0, out var refused), refused),
            Is.EqualTo((0, 1, false, -1))
        );
        first.Lose();
        Assert.That(bench.Open(V5).Number, Is.Zero);
    }

    [Test]
    public void Sessions_beyond_the_limit_are_refused([Values(V311, V5)] ProtocolVersion version)
    {
        var bench = new BrokerBench(Options(new BrokerLimits { Sessions = 1 }));
        bench.Connect(version, "a", clean: false).Lose();
        var client = bench.Open(version);
        client.Send(new ConnectPacket { ProtocolVersion = version, ClientId = "b" });
        Assert.That(
            client.Take<ConnackPacket>().ReasonCode,
            Is.EqualTo(version == V5 ? ReasonCode.QuotaExceeded : ReasonCode.ServerUnavailable)
        );
        bench.Connect(version, "a");
    }

    [Test]
    public void Subscriptions_beyond_the_limit_fail_one_by_one([Values(V311, V5)] ProtocolVersion version)
    {
        var client = new BrokerBench(Options(new BrokerLimits { SubscriptionsPerSession = 2 })).Connect(version, "a");
        client.Send(
            new SubscribePacket(1, [new("a", 0), new("b", 0), new("c", 0), new("a", QualityOfService.AtLeastOnce)])
        );
        var failure = version == V5 ? ReasonCode.QuotaExceeded : ReasonCode.UnspecifiedError;
        Assert.That(
            client.Take<SubackPacket>().ReasonCodes,
            Is.EqualTo(new[] { ReasonCode.Success, ReasonCode.Success, failure, ReasonCode.GrantedQos1 })
        );
    }

    [Test]
    public void Very_many_filters_over_very_many_retained_messages_are_served_in_turns_that_leave_room_for_others(
        [Values(V311, V5)] ProtocolVersion version
    )
    {
        var (bench, publisher) = Retaining(5000, version);
        var (greedy, modest) = (bench.Connect(version, "g"), bench.Connect(version, "m"));

        // Each of the five filters matches all messages: 25 000 deliveries are owed.
        string[] filters = ["#", "+/#", "r/#", "r/+", "+/+"];
        greedy.Send(
            new SubscribePacket(
                1,
                ValueList.Create<SubscriptionRequest>([.. filters.Select(filter => new SubscriptionRequest(filter, 0))])
            )
        );
        Assert.That(greedy.Take<SubackPacket>().ReasonCodes, Has.Count.EqualTo(5));
        var received = greedy.TakeAll().Length;
        Assert.That(received, Is.InRange(1, 500));

        // Whoever comes later has its turn after one of the greedy client's, and live messages do not wait at all.
        modest.Subscribe("r/4999");
        publisher.Publish("r/4999", "live");
        Assert.That(modest.TakeMessages(), Is.EqualTo(new[] { "r/4999=live" }));
        while (bench.Core.NextDue < bench.Now + 1_000_000_000)
        {
            bench.Pass((bench.Core.NextDue - bench.Now) / 1e9);
            var turn = greedy.TakeAll().Length;
            Assert.That(turn, Is.LessThanOrEqualTo(500), "one turn");
            received += turn;
        }
        Assert.That(
            received,
            Is.EqualTo((5 * 5000) + 1),
            "all that was retained, for each of the five filters, and one live message"
        );
        Assert.That(modest.TakeMessages(), Is.EqualTo(new[] { "r/4999=x" }));
    }

    [Test]
    public void Unsubscribing_and_the_end_of_a_session_end_the_sending_of_retained_messages()
    {
        var (bench, _) = Retaining(5000);
        var (leaving, ending) = (bench.Connect(V5, "l"), bench.Connect(V5, "e"));
        leaving.Send(new SubscribePacket(1, [new("r/#", 0), new("r/7", 0)]));
        ending.Send(new SubscribePacket(1, [new("r/#", 0)]));
        leaving.TakeAll();
        leaving.Unsubscribe("r/#");
        ending.Disconnect();
        bench.Pass(1);
        Assert.That(leaving.TakeMessages(), Is.EqualTo(new[] { "r/7=x" }));
        Assert.That(bench.Core.NextDue, Is.EqualTo(long.MaxValue), "nothing is left to do");
    }

    [Test]
    public void A_subscription_repeated_while_its_retained_messages_are_sent_gets_them_from_the_start()
    {
        var (bench, _) = Retaining(2000);
        var client = bench.Connect(V5, "c");
        client.Send(new SubscribePacket(1, [new("r/#", 0)])).TakeAll();
        client.Subscribe("r/#", qos: 0);
        bench.Pass(1);
        Assert.That(client.TakeMessages(), Has.Length.EqualTo(2000).And.Unique);
    }

    // "When a new subscription is made, the last retained message, if any, on each matching topic name MUST be sent to
    // the subscriber" (MQTT-3.3.1-6).
    [TestCase("", "#", "r/#")]
    [TestCase("", "r/#")]
    [TestCase("new", "#")]
    [TestCase("new", "r/+", "+/1999")]
    public void A_retained_message_that_goes_before_its_turn_is_sent_before_it_goes(
        string payload,
        params string[] filters
    )
    {
        var (bench, publisher) = Retaining(2000);
        var client = bench.Connect(V5, "c");
        client.Send(
            new SubscribePacket(
                1,
                ValueList.Create<SubscriptionRequest>([.. filters.Select(filter => new SubscriptionRequest(filter, 0))])
            )
        );
        foreach (var topic in new[] { "r/0", "r/1999" })
            publisher.Publish(topic, payload, retain: true);
        bench.Pass(1);
        var messages = client.TakeMessages();
        Assert.That(messages.Count(message => message == "r/1999=x"), Is.EqualTo(filters.Length));
        var retained = filters.Sum(filter => filter == "+/1999" ? 1 : 2000);
        Assert.That(messages, Has.Length.EqualTo(retained + 2), "the two live messages come once");
    }

    // MQTT-3.3.2-5 goes before MQTT-3.3.1-6: what has expired is not sent even before it goes.
    [TestCase(1, 1)]
    [TestCase(2, 0)]
    public void An_expired_message_that_is_replaced_before_its_turn_is_not_sent(int seconds, int sent)
    {
        var (bench, publisher) = Retaining(600);
        publisher.Publish(
            "r/last",
            "x",
            retain: true,
            properties: new PacketProperties { MessageExpiryIntervalSeconds = 2 }
        );
        var client = bench.Connect(V5, "c");
        client.Subscribe("r/+", 0);
        var deletion = PacketEncoder.Encode(new PublishPacket { Topic = "r/last", Retain = true }, V5);
        bench.Core.Receive(publisher.Number, deletion, seconds * 1_000_000_000L);
        Assert.That(client.TakeMessages().Count(message => message == "r/last=x"), Is.EqualTo(sent));
    }

    [Test]
    public void A_full_queue_drops_the_newest_messages([Values] bool byBytes)
    {
        var limits = byBytes
            ? new BrokerLimits { QueuedBytesPerSession = 6 }
            : new BrokerLimits { QueuedMessagesPerSession = 3 };
        var (bench, subscriber, publisher) = BrokerBench.Joined(V311, 1, Options(limits));
        subscriber.Lose();
        for (ushort i = 1; i <= 5; i++)
            publisher.Publish("t", $"{i}", 1, i);
        Assert.That(bench.Connect(V311, "s", clean: false).TakeMessages(), Is.EqualTo(new[] { "t=1", "t=2", "t=3" }));
        Assert.That(bench.Core.Counters.Dropped, Is.EqualTo(2));
    }

    [Test]
    public void A_congested_client_gets_no_QoS_0_and_its_other_messages_wait_in_order()
    {
        var (bench, subscriber, publisher) = BrokerBench.Joined(V311, 1);
        bench.Congested.Add(subscriber);
        for (ushort i = 1; i <= 3; i++)
        {
            publisher.Publish("t", $"{i}", 1, i).Publish("t", "zero", 0);
        }
        subscriber.AssertSilent();
        bench.Congested.Clear();
        bench.Core.Drained(subscriber.Number, bench.Now);
        Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=1", "t=2", "t=3" }));
        Assert.That(bench.Core.Counters.Dropped, Is.EqualTo(3));
    }

    [Test]
    public void Topics_and_filters_with_too_many_levels_are_refused([Values(V311, V5)] ProtocolVersion version)
    {
        var client = new BrokerBench(Options(new BrokerLimits { TopicLevels = 3 })).Connect(version, "a");
        client.Subscribe("a/b/#");
        Assert.That(
            client.Subscribe("a/b/c/#").ReasonCodes,
            Is.EqualTo(new[] { version == V5 ? ReasonCode.TopicFilterInvalid : ReasonCode.UnspecifiedError })
        );
        client.Publish("a/b/c/d", "x").AssertClosedFor(ReasonCode.TopicNameInvalid);
    }

    [Test]
    public void Reconnecting_leaves_no_timers_behind()
    {
        var bench = new BrokerBench();
        for (var i = 0; i < 1000; i++)
            bench
                .Connect(
                    V5,
                    "a",
                    change: c =>
                        c with
                        {
                            KeepAliveSeconds = 100,
                            Properties = new PacketProperties { SessionExpiryIntervalSeconds = 1000 },
                            CleanStart = false,
                        }
                )
                .Lose();
        Assert.That(bench.Core.NextDue, Is.EqualTo(1000_000_000_000));
        bench.Pass(1000);
        Assert.That(bench.Core.NextDue, Is.EqualTo(long.MaxValue));
    }

    private static BrokerOptions Options(BrokerLimits limits) => new() { Limits = limits };

    private static (BrokerBench Bench, BenchClient Publisher) Retaining(int topics, ProtocolVersion version = V5)
    {
        var bench = new BrokerBench();
        var publisher = bench.Connect(version, "p");
        for (var i = 0; i < topics; i++)
            publisher.Publish($"r/{i}", "x", retain: true);
        return (bench, publisher);
    }
}
