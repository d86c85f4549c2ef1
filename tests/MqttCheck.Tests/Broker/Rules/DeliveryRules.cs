using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using MqttCheck.Protocol.Topics;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>Where messages go, in which order and with what; identifiers and aliases on the way.</summary>
public sealed class DeliveryRules
{
    internal static readonly RuleCheck[] Table =
    [
        new(
            "PUB-10",
            "3.3.2-3",
            "3.3.2-3",
            "what is delivered matches the filter",
            version =>
            {
                var bench = new BrokerBench();
                string[] filters = ["a", "a/+", "a/#", "+/b", "#", "/+", "+/+/c"];
                var subscribers = filters
                    .Select(
                        (filter, i) =>
                        {
                            var client = bench.Connect(version, $"s{i}");
                            client.Subscribe(filter, 0);
                            return client;
                        }
                    )
                    .ToArray();
                var publisher = bench.Connect(version, "p");
                string[] topics = ["a", "a/b", "a/b/c", "b", "/a", "x/b", "a/", "$x/b"];
                foreach (var topic in topics)
                    publisher.Publish(topic, "x");
                for (var i = 0; i < filters.Length; i++)
                    Assert.That(
                        subscribers[i].TakeAll().Cast<PublishPacket>().Select(p => p.Topic),
                        Is.EqualTo(topics.Where(topic => TopicFilter.Matches(filters[i], topic))),
                        filters[i]
                    );
            }
        ),
        new(
            "PUB-6",
            "4.3.3-2",
            "4.3.3-11,4.3.3-12",
            "PUBREL is answered with PUBCOMP, and the same identifier is a new message afterwards",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 0);
                for (var i = 0; i < 2; i++)
                {
                    publisher.Publish("t", $"{i}", 2, 9);
                    publisher.Take<PubrecPacket>();
                    publisher.Send(new PubrelPacket(9));
                    Assert.That(publisher.Take<PubcompPacket>(), Is.EqualTo(new PubcompPacket(9)));
                }
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=0", "t=1" }));
            }
        ),
        new(
            "PUB-7",
            "",
            "4.3.3-9",
            "an identifier whose PUBREC reported an error is free",
            version =>
            {
                var bench = new BrokerBench(
                    new BrokerOptions
                    {
                        Access = BrokerAccess.Parse("anonymous yes\ndeny * publish secret\nallow * both #", "test"),
                    }
                );
                var subscriber = bench.Connect(version, "s");
                subscriber.Subscribe("t", 0);
                var publisher = bench.Connect(version, "p");
                publisher.Publish("secret", "x", 2, 9);
                Assert.That(publisher.Take<PubrecPacket>().ReasonCode, Is.EqualTo(ReasonCode.NotAuthorized));
                publisher.Publish("t", "y", 2, 9);
                Assert.That(publisher.Take<PubrecPacket>().ReasonCode, Is.EqualTo(ReasonCode.Success));
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=y" }));
            }
        ),
        new(
            "PUB-7",
            "",
            "3.6.2-1,3.7.2-1",
            "PUBREL and PUBCOMP for an unknown identifier carry the code that is listed for it",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Send(new PubrecPacket(7));
                Assert.That(
                    client.Take<PubrelPacket>(),
                    Is.EqualTo(new PubrelPacket(7, ReasonCode.PacketIdentifierNotFound))
                );
                client.Send(new PubrelPacket(8));
                Assert.That(
                    client.Take<PubcompPacket>(),
                    Is.EqualTo(new PubcompPacket(8, ReasonCode.PacketIdentifierNotFound))
                );
            }
        ),
        new(
            "ORD-1",
            "4.6.0-2,4.6.0-3,4.6.0-4",
            "4.6.0-2,4.6.0-3,4.6.0-4",
            "PUBACK, PUBREC and PUBREL come in the order of what they answer",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 2);
                ushort[] ids = [5, 3, 9];
                foreach (var id in ids)
                    publisher.Publish("u", "x", 1, id);
                foreach (var id in ids)
                    publisher.Publish("t", "x", 2, id);
                var answers = publisher.TakeAll();
                Assert.That(answers.OfType<PubackPacket>().Select(p => p.PacketId), Is.EqualTo(ids));
                Assert.That(answers.OfType<PubrecPacket>().Select(p => p.PacketId), Is.EqualTo(ids));
                var delivered = subscriber.TakeAll().Cast<PublishPacket>().Select(p => p.PacketId).Reverse().ToArray();
                foreach (var id in delivered)
                    subscriber.Send(new PubrecPacket(id));
                Assert.That(subscriber.TakeAll().Cast<PubrelPacket>().Select(p => p.PacketId), Is.EqualTo(delivered));
            }
        ),
        new(
            "ORD-2",
            "4.6.0-5",
            "4.6.0-5",
            "every topic is ordered, whatever its QoS",
            version =>
            {
                for (var qos = 0; qos <= 2; qos++)
                {
                    var (_, publisher, subscriber) = Pair(version, 2);
                    for (ushort i = 1; i <= 20; i++)
                        publisher.Publish("t", $"{i}", qos, i);
                    Assert.That(subscriber.TakeMessages(), Is.EqualTo(Enumerable.Range(1, 20).Select(i => $"t={i}")));
                }
            }
        ),
        new(
            "WIL-1",
            "3.1.2-12",
            "",
            "a client without a will leaves nothing when it is lost",
            version =>
            {
                var bench = new BrokerBench();
                var witness = bench.Connect(version, "witness");
                witness.Subscribe("#", 0);
                bench.Connect(version, "a").Lose();
                witness.AssertSilent();
            }
        ),
        new(
            "EXP-2",
            "",
            "3.3.2-6",
            "a message is forwarded with what is left of its expiry interval",
            version =>
            {
                var bench = new BrokerBench();
                var subscriber = bench.Connect(version, "s", clean: false);
                subscriber.Subscribe("t", 1);
                subscriber.Lose();
                bench
                    .Connect(version, "p")
                    .Publish("t", "x", 1, properties: new PacketProperties { MessageExpiryIntervalSeconds = 10 });
                bench.Pass(4);
                Assert.That(
                    bench
                        .Connect(version, "s", clean: false)
                        .Take<PublishPacket>()
                        .Properties.MessageExpiryIntervalSeconds,
                    Is.EqualTo(6)
                );
            }
        ),
        new(
            "SHR-3",
            "",
            "4.8.2-4",
            "a QoS 2 message that was begun is finished with the same member after it comes back",
            version =>
            {
                var (_, chosen, other) = Group(version, keepsSessions: true, out var bench);
                var id = chosen.Take<PublishPacket>().PacketId;
                var name = chosen.ClientId;
                chosen.Lose();
                other.AssertSilent();
                chosen = bench.Connect(version, name, clean: false);
                var again = chosen.Take<PublishPacket>();
                Assert.That((again.PacketId, again.Duplicate), Is.EqualTo((id, true)));
                chosen.Send(new PubrecPacket(id));
                chosen.Take<PubrelPacket>();
                chosen.Send(new PubcompPacket(id));
                other.AssertSilent();
            }
        ),
        new(
            "SHR-3",
            "",
            "4.8.2-5",
            "a QoS 2 message that was begun goes to nobody else when the session of its member ends",
            version =>
            {
                var (_, chosen, other) = Group(version, keepsSessions: false, out var bench);
                chosen.Lose();
                bench.Pass(1);
                other.AssertSilent();
            }
        ),
        new(
            "SHR-3",
            "",
            "4.8.2-6",
            "a message that its member refuses is discarded",
            version =>
            {
                var (publisher, chosen, other) = Group(version, keepsSessions: false, out _);
                chosen.Send(new PubrecPacket(chosen.Take<PublishPacket>().PacketId, ReasonCode.UnspecifiedError));
                other.AssertSilent();
                publisher.Publish("t", "y", 1, 2);
                var next = other.Take<PublishPacket>();
                other.Send(new PubackPacket(next.PacketId, ReasonCode.QuotaExceeded));
                chosen.AssertSilent();
            }
        ),
        new(
            "ALI-1",
            "",
            "3.2.2-17,3.2.2-18,3.3.2-11",
            "every alias up to the broker's maximum is taken, and none beyond it",
            version =>
            {
                foreach (var maximum in new[] { 0, 3 })
                {
                    var client = new BrokerBench(
                        new BrokerOptions { Limits = new BrokerLimits { TopicAliasMaximum = maximum } }
                    ).Connect(version, "a");
                    Assert.That(client.Connack!.Properties.TopicAliasMaximum ?? 0, Is.EqualTo(maximum));
                    for (ushort alias = 1; alias <= maximum; alias++)
                        client.Publish("t", "x", properties: new PacketProperties { TopicAlias = alias });
                    client.AssertSilent();
                    client.Publish("t", "x", properties: new PacketProperties { TopicAlias = (ushort)(maximum + 1) });
                    client.AssertClosedFor(ReasonCode.TopicAliasInvalid);
                }
            }
        ),
        new(
            "ALI-1",
            "",
            "3.1.2-27",
            "a client that takes no aliases gets none",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 0);
                for (var i = 0; i < 5; i++)
                    publisher.Publish("t", "x");
                Assert.That(
                    subscriber.TakeAll().Cast<PublishPacket>().Select(p => (p.Topic, p.Properties.TopicAlias)),
                    Is.All.EqualTo(("t", default(ushort?)))
                );
            }
        ),
        new(
            "CAP-1",
            "3.8.4-6",
            "3.2.2-10",
            "a broker of a lower maximum QoS accepts a SUBSCRIBE of any, and grants its own",
            version =>
            {
                for (var maximum = 0; maximum <= 1; maximum++)
                {
                    var client = new BrokerBench(
                        new BrokerOptions { Limits = new BrokerLimits { MaximumQos = (QualityOfService)maximum } }
                    ).Connect(version, "a");
                    for (var qos = 0; qos <= 2; qos++)
                        Assert.That((int)client.Subscribe("t", qos).ReasonCodes[0], Is.EqualTo(Math.Min(qos, maximum)));
                }
            }
        ),
    ];

    [TestCaseSource(nameof(Cases))]
    public void Holds(RuleCheck check, ProtocolVersion version) => check.Run(version);

    private static IEnumerable<TestCaseData> Cases() => RuleCheck.Cases(Table);

    private static (BrokerBench Bench, BenchClient Publisher, BenchClient Subscriber) Pair(
        ProtocolVersion version,
        int qos
    )
    {
        var bench = new BrokerBench();
        var subscriber = bench.Connect(version, "subscriber");
        subscriber.Subscribe("t", qos);
        return (bench, bench.Connect(version, "publisher"), subscriber);
    }

    // Two members of a group, one of which has been given a QoS 2 message.
    private static (BenchClient Publisher, BenchClient Chosen, BenchClient Other) Group(
        ProtocolVersion version,
        bool keepsSessions,
        out BrokerBench bench
    )
    {
        bench = new BrokerBench();
        var members = new[]
        {
            bench.Connect(version, "m0", !keepsSessions),
            bench.Connect(version, "m1", !keepsSessions),
        };
        foreach (var member in members)
            member.Subscribe("$share/g/t", 2);
        var publisher = bench.Connect(version, "p");
        publisher.Publish("t", "x", 2);
        var first = members[0].HasReceived ? 0 : 1;
        return (publisher, members[first], members[1 - first]);
    }
}
