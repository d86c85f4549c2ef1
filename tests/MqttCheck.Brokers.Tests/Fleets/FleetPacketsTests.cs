using System.Text;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>The keys of a profile that change packets, seen in the packets that a broker receives.</summary>
public sealed class FleetPacketsTests
{
    [Test]
    public void Without_the_keys_packets_carry_nothing_more()
    {
        var run = VirtualRun.Of(VirtualRun.Profile(), ProtocolVersion.V5);

        run.Run();

        Assert.That(
            run.Received<ConnectPacket>().Select(packet => (packet.KeepAliveSeconds, packet.Will)),
            Has.All.EqualTo((0, (WillMessage?)null))
        );
        Assert.That(
            run.Received<PublishPacket>().Select(packet => (packet.Retain, packet.Properties.IsEmpty)),
            Has.All.EqualTo((false, true))
        );
        Assert.That(run.Received<PingreqPacket>(), Is.Empty);
    }

    [Test]
    public void A_client_with_nothing_to_send_keeps_its_connection_alive([Values] bool isIdle)
    {
        var run = VirtualRun.Of(
            VirtualRun.Profile(wait: new ConstantLaw(isIdle ? 3000 : 500)) with
            {
                KeepAliveSeconds = 2,
            }
        );
        run.Broker.AnswersPings = true;

        var result = run.Run();

        Assert.That(result.FirstFailures, Is.Empty);
        Assert.That(run.Received<ConnectPacket>().Select(packet => packet.KeepAliveSeconds), Has.All.EqualTo(2));
        Assert.That(run.Received<PingreqPacket>(), isIdle ? Has.Count.GreaterThan(100) : Is.Empty);
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void Retained_messages_are_no_duplicates_and_are_gone_after_the_run(ProtocolVersion version)
    {
        var run = VirtualRun.Of(VirtualRun.Profile(topics: 2) with { Retain = true }, version);

        var result = run.Run();

        var sent = run.Received<PublishPacket>();
        Assert.That(sent.Where(packet => packet.Payload.Length > 0).Select(packet => packet.Retain), Has.All.True);
        Assert.That(sent.Where(packet => packet.Payload.Length == 0), Has.Exactly(2).Items);
        Assert.That(run.Broker.Retained, Is.Empty, "the run removes what it left");
        Assert.That((result.Duplicates, result.Strays, result.Lost), Is.EqualTo((0, 0, 0)));
        Assert.That(result.Redeliveries, Is.Positive, "whoever subscribed again got the kept message");
        Assert.That((run.Failed, run.Broker.Sessions), Is.EqualTo((Array.Empty<Exchange>(), 0)));
    }

    [Test]
    public void An_interrupted_run_removes_what_it_left_too()
    {
        var run = VirtualRun.Of(VirtualRun.Profile() with { Retain = true });
        using var cancellation = new CancellationTokenSource();
        run.After(TimeSpan.FromMilliseconds(60), cancellation.Cancel);

        var result = run.Run(cancellation.Token);

        Assert.That((result.Interrupted, run.Broker.Retained.Count), Is.EqualTo((true, 0)));
        Assert.That(run.Received<PublishPacket>().Count(packet => packet.Payload.Length > 0), Is.Positive);
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void A_message_is_awaited_of_one_member_of_a_share(ProtocolVersion version)
    {
        var profile = Sharing();
        var run = VirtualRun.Of(profile, version);

        var result = run.Run();

        var filters = run.Received<SubscribePacket>().Select(packet => packet.Subscriptions[0].Filter);
        Assert.That(filters, Has.All.StartsWith("$share/workers/mqttcheck/0badcafe/"));
        Assert.That(
            run.Received<UnsubscribePacket>().Select(packet => packet.Filters[0]),
            Has.All.StartsWith("$share/workers/mqttcheck/0badcafe/")
        );
        Assert.That((run.Failed, result.Duplicates, result.Lost), Is.EqualTo((Array.Empty<Exchange>(), 0, 0)));
        var publications = run.Log.Exchanges.Where(exchange => exchange.Message == MessageKind.Publish).ToArray();
        Assert.That(
            publications.Select(exchange => exchange.Subscribers),
            Has.All.LessThanOrEqualTo(1).And.Some.EqualTo(1)
        );
        Assert.That(publications.Count(exchange => exchange.Receivers == 1), Is.GreaterThan(20));
    }

    [Test]
    public void A_share_that_gets_a_message_twice_is_seen()
    {
        var run = VirtualRun.Of(Sharing());
        run.Broker.ServesWholeShares = true;

        Assert.That(run.Run().Duplicates, Is.Positive);
    }

    [Test]
    public void A_log_with_shares_replays_to_the_features_that_it_holds()
    {
        var run = VirtualRun.Of(Sharing());

        run.Run();

        var lastCounted = run
            .Log.Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
            .Max(exchange => exchange.EndMicroseconds);
        var exchanges = run.Log.Exchanges.Where(exchange => exchange.SentMicroseconds < lastCounted).ToArray();
        var replayed = ExchangeLogReplay.Features(exchanges, [.. Enumerable.Repeat(true, 5)], [0, 0, 0, 0, 0]);
        Assert.That(
            replayed.Select(features => features.Subscribers),
            Is.EqualTo(exchanges.Select(exchange => exchange.Subscribers))
        );
    }

    [Test]
    public void Publications_carry_expiry_and_user_properties()
    {
        UserProperty[] properties = [new("site", "north"), new("x", "ä")];
        var run = VirtualRun.Of(
            VirtualRun.Profile() with
            {
                MessageExpirySeconds = 30,
                UserProperties = [.. properties],
            },
            ProtocolVersion.V5
        );

        var result = run.Run();

        var sent = run.Received<PublishPacket>().Select(packet => packet.Properties).ToArray();
        Assert.That(sent.Select(one => one.MessageExpiryIntervalSeconds), Has.All.EqualTo(30));
        Assert.That(sent.Select(one => one.UserProperties), Has.All.EqualTo(properties));
        Assert.That((run.Failed, result.Lost), Is.EqualTo((Array.Empty<Exchange>(), 0)));
    }

    [TestCase(10, 2, 2)]
    [TestCase(3, 65_535, 3)]
    [TestCase(10, 0, 0)]
    public void A_topic_alias_replaces_the_name_as_far_as_the_broker_allows(int wanted, int allowed, int expected)
    {
        var run = VirtualRun.Of(VirtualRun.Profile() with { TopicAliases = wanted }, ProtocolVersion.V5);
        run.Broker.ConnackProperties = new() { TopicAliasMaximum = (ushort)allowed };

        var result = run.Run();

        var sent = run.Received<PublishPacket>();
        Assert.That(sent.Select(packet => (int)(packet.Properties.TopicAlias ?? 0)).Max(), Is.EqualTo(expected));
        Assert.That(sent.Any(packet => packet.Topic.Length == 0), Is.EqualTo(expected > 0));
        Assert.That((run.Failed, result.Lost, result.Strays), Is.EqualTo((Array.Empty<Exchange>(), 0, 0)));
        Assert.That(result.Deliveries, Is.Positive);
    }

    [TestCase(ProtocolVersion.V311)]
    [TestCase(ProtocolVersion.V5)]
    public void A_first_message_follows_each_connect_of_a_sequence_and_is_gone_after_the_run(ProtocolVersion version)
    {
        var run = VirtualRun.Of(
            VirtualRun.Profile() with
            {
                AfterConnect = new("status/{client}")
                {
                    Payload = "on",
                    Qos = QualityOfService.AtLeastOnce,
                    Retain = true,
                },
                Will = new("status/{client}", "off", QualityOfService.AtMostOnce) { Retain = true },
            },
            version
        );

        var result = run.Run();

        foreach (var client in run.Broker.Received.GroupBy(received => received.Client))
        {
            var packets = client.Select(received => received.Packet).ToList();
            for (var at = 0; at < packets.Count; at++)
                if (packets[at] is ConnectPacket { CleanStart: false } connect)
                {
                    Assert.That(connect.Will, Is.Not.Null.And.Property("Retain").True);
                    // A warm-up sequence may have the connect alone, and so may the one at the end of a run.
                    if (packets[at + 1] is DisconnectPacket)
                        continue;
                    var first = (PublishPacket)packets[at + 1];
                    Assert.That(
                        (first.Topic, Encoding.UTF8.GetString(first.Payload.Span), first.Retain),
                        Is.EqualTo(($"status/{client.Key[^1]}", "on", true))
                    );
                }
        }
        Assert.That(
            run.Received<PublishPacket>().Count(packet => packet.Topic.StartsWith("status/", StringComparison.Ordinal)),
            Is.GreaterThan(20)
        );
        Assert.That(run.Broker.Retained, Is.Empty, "the run removes what it left");
        Assert.That((result.Strays, result.Lost, run.Failed.Count()), Is.EqualTo((0, 0, 0)));
    }

    [Test]
    public void A_will_goes_with_every_connection()
    {
        var will = new ClientWill("status/{client}", "gone", QualityOfService.AtLeastOnce);
        var run = VirtualRun.Of(VirtualRun.Profile() with { Will = will });

        run.Run();

        var wills = run
            .Broker.Received.Where(received => received.Packet is ConnectPacket)
            .Select(received => (received.Client, ((ConnectPacket)received.Packet).Will!))
            .Distinct();
        Assert.That(
            wills.OrderBy(pair => pair.Client),
            Is.EqualTo(
                Enumerable
                    .Range(0, 5)
                    .Select(client =>
                        (
                            $"mqttcheck0badcafec{client}",
                            new WillMessage(
                                $"status/{client}",
                                new Bytes(Encoding.UTF8.GetBytes("gone")),
                                QualityOfService.AtLeastOnce
                            )
                        )
                    )
            )
        );
    }

    // A DISCONNECT with reason code 0 discards the will (MQTT 5, 3.14.4), and 0x04 has it published.
    [TestCase(false, ReasonCode.Success)]
    [TestCase(true, ReasonCode.DisconnectWithWill)]
    public void A_client_that_leaves_asks_for_its_will_where_the_profile_says_so(bool isAsked, ReasonCode code)
    {
        var will = new ClientWill("status", "gone", QualityOfService.AtMostOnce) { OnDisconnect = isAsked };
        var run = VirtualRun.Of(VirtualRun.Profile() with { Will = will }, ProtocolVersion.V5);

        run.Run();

        Assert.That(run.Failed, Is.Empty);
        var goodbyes = run.Received<DisconnectPacket>();
        Assert.That(goodbyes, Is.Not.Empty);
        Assert.That(goodbyes.Select(goodbye => goodbye.ReasonCode), Has.All.EqualTo(code));
        Assert.That(
            () => VirtualRun.Of(VirtualRun.Profile() with { Will = will }).Run(),
            isAsked
                ? Throws.TypeOf<InputException>().With.Message.Contains("\"will.onDisconnect\" is given")
                : Throws.Nothing
        );
    }

    [Test]
    public void What_the_protocol_or_the_broker_cannot_is_refused_by_name()
    {
        var run = VirtualRun.Of(VirtualRun.Profile() with { TopicAliases = 1, MessageExpirySeconds = 1 });
        var noRetain = VirtualRun.Of(VirtualRun.Profile() with { Retain = true }, ProtocolVersion.V5);
        noRetain.Broker.ConnackProperties = new() { RetainAvailable = false };
        var noShares = VirtualRun.Of(Sharing(), ProtocolVersion.V5);
        noShares.Broker.ConnackProperties = new() { SharedSubscriptionAvailable = false };

        Assert.That(
            () => run.Run(),
            Throws
                .TypeOf<InputException>()
                .With.Message.Contains("\"messageExpirySeconds\" is given, which MQTT 3.1.1 cannot carry")
                .And.Message.Contains("\"topicAliases\"")
                .And.Message.Contains("--mqtt 5")
        );
        Assert.That(
            () => noRetain.Run(),
            Throws
                .TypeOf<BrokerException>()
                .With.Message.EqualTo(
                    "Profile test has \"retain\"; the broker at 127.0.0.1:1883 keeps no messages (CONNACK, Retain "
                        + "Available)."
                )
        );
        Assert.That(
            () => noShares.Run(),
            Throws.TypeOf<BrokerException>().With.Message.Contains("has \"sharedSubscription\"")
        );
    }

    private static UsageProfile Sharing() =>
        VirtualRun.Profile(topics: 2, weights: new(1, .2, 5, 3, 1)) with
        {
            ShareName = "workers",
            CleanSessions = true,
        };
}
