using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>Subscriptions, retained messages, topics, and shared subscriptions.</summary>
public sealed class SubscribeRules
{
    internal static readonly RuleCheck[] Table =
    [
        new(
            "RET-1",
            "3.3.1-5,3.3.1-7",
            "3.3.1-5",
            "RETAIN replaces the message of exactly that topic",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("a", "1", retain: true);
                publisher.Publish("a/b", "2", retain: true);
                publisher.Publish("a", "3", retain: true);
                Assert.That(RetainedOf(bench, version, "#"), Is.EquivalentTo(new[] { "a=3", "a/b=2" }));
            }
        ),
        new(
            "RET-2",
            "3.3.1-10,3.3.1-11",
            "3.3.1-6,3.3.1-7",
            "an empty payload with RETAIN deletes, is not kept, and still goes to present subscribers",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var subscriber = bench.Connect(version, "s");
                subscriber.Subscribe("t");
                publisher.Publish("t", "x", 1, 1, retain: true);
                publisher.Publish("t", "", 0, retain: true);
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x", "t=" }));
                Assert.That(
                    (RetainedOf(bench, version, "#"), bench.Core.Counters.RetainedMessages),
                    Is.EqualTo((Array.Empty<string>(), 0))
                );
            }
        ),
        new(
            "RET-3",
            "3.3.1-12",
            "3.3.1-8",
            "a message without RETAIN leaves the kept one alone",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("t", "kept", retain: true);
                publisher.Publish("t", "live");
                publisher.Publish("t", "");
                Assert.That(RetainedOf(bench, version, "t"), Is.EqualTo(new[] { "t=kept" }));
            }
        ),
        new(
            "RET-4",
            "3.3.1-6,3.3.1-8",
            "3.3.1-9",
            "a new subscription gets the kept message of each matching topic, marked, at the lower QoS",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("t/0", "x", 0, retain: true);
                publisher.Publish("t/1", "x", 1, 1, retain: true);
                publisher.Publish("t/2", "x", 2, 2, retain: true);
                publisher.Publish("u", "x", 2, 3, retain: true);
                var subscriber = bench.Connect(version, "s");
                subscriber.Subscribe("t/+", 1);
                Assert.That(
                    subscriber.TakeAll().Cast<PublishPacket>().Select(p => (p.Topic, (int)p.Qos, p.Retain)),
                    Is.EquivalentTo(new[] { ("t/0", 0, true), ("t/1", 1, true), ("t/2", 1, true) })
                );
            }
        ),
        new(
            "RET-4",
            "",
            "3.3.1-9,3.3.1-10,3.3.1-11",
            "retain handling 1 asks for kept messages of a new subscription only, 2 for none",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("t", "x", retain: true);
                var subscriber = bench.Connect(version, "s", clean: false);
                subscriber.Subscribe("t", handling: RetainHandling.DoNotSend);
                subscriber.Subscribe("t", handling: RetainHandling.SendIfNew);
                subscriber.AssertSilent();
                subscriber.Lose();
                subscriber = bench.Connect(version, "s", clean: false);
                subscriber.Subscribe("t", handling: RetainHandling.SendIfNew);
                subscriber.AssertSilent();
                subscriber.Unsubscribe("t");
                subscriber.Subscribe("t", handling: RetainHandling.SendIfNew);
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
            }
        ),
        new(
            "RET-5",
            "3.8.4-3",
            "3.8.4-4",
            "the same filter again gets the kept messages again",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("t", "x", retain: true);
                var subscriber = bench.Connect(version, "s");
                for (var i = 0; i < 2; i++)
                {
                    subscriber.Subscribe("t");
                    Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
                }
            }
        ),
        new(
            "RET-6",
            "3.3.1-9",
            "3.3.1-12,3.3.1-13",
            "live messages are not marked, in 5 unless retain as published is asked for",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var plain = bench.Connect(version, "plain");
                plain.Subscribe("t");
                var asPublished = bench.Connect(version, "as-published");
                asPublished.Subscribe("t", asPublished: version == V5);
                publisher.Publish("t", "x", retain: true);
                publisher.Publish("t", "y");
                Assert.That(
                    plain.TakeAll().Cast<PublishPacket>().Select(p => p.Retain),
                    Is.EqualTo(new[] { false, false })
                );
                Assert.That(
                    asPublished.TakeAll().Cast<PublishPacket>().Select(p => p.Retain),
                    Is.EqualTo(new[] { version == V5, false })
                );
            }
        ),
        new(
            "SUB-1",
            "2.3.1-7,3.8.4-1,3.8.4-2",
            "2.2.1-6,3.8.4-1,3.8.4-2",
            "SUBSCRIBE is answered by SUBACK with its identifier",
            version => Assert.That(new BrokerBench().Connect(version, "a").Subscribe("t").PacketId, Is.EqualTo(77))
        ),
        new(
            "SUB-2",
            "3.8.4-5,3.9.3-1,3.9.3-2",
            "3.8.4-6,3.8.4-7,3.9.3-1,3.9.3-2",
            "one code per filter, in order",
            version =>
            {
                var bench = new BrokerBench(
                    new BrokerOptions
                    {
                        Access = BrokerAccess.Parse("anonymous yes\ndeny * subscribe secret/#\nallow * both #", "test"),
                    }
                );
                var client = bench.Connect(version, "a");
                client.Send(
                    new SubscribePacket(
                        3,
                        [
                            new("a", QualityOfService.ExactlyOnce),
                            new("secret/x", QualityOfService.AtLeastOnce),
                            new("b", QualityOfService.AtMostOnce),
                            new("#", QualityOfService.AtMostOnce),
                        ]
                    )
                );
                var failure = version == V5 ? ReasonCode.NotAuthorized : ReasonCode.UnspecifiedError;
                Assert.That(
                    client.Take<SubackPacket>(),
                    Is.EqualTo(new SubackPacket(3, [ReasonCode.GrantedQos2, failure, ReasonCode.Success, failure]))
                );
            }
        ),
        new(
            "SUB-3",
            "3.8.4-4",
            "3.8.4-5",
            "several filters act like one SUBSCRIBE each",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("a", "kept", retain: true);
                var client = bench.Connect(version, "s");
                client.Send(
                    new SubscribePacket(
                        3,
                        [
                            new("a", QualityOfService.AtLeastOnce),
                            new("a", QualityOfService.AtMostOnce),
                            new("b", QualityOfService.AtMostOnce),
                        ]
                    )
                );
                Assert.That(client.Take<SubackPacket>().ReasonCodes, Has.Count.EqualTo(3));
                Assert.That(client.TakeMessages(), Is.EqualTo(new[] { "a=kept", "a=kept" }));
                publisher.Publish("a", "live", 1, 1);
                publisher.Publish("b", "live", 1, 2);
                Assert.That(
                    client.TakeAll().Cast<PublishPacket>().Select(p => (p.Topic, (int)p.Qos)),
                    Is.EqualTo(new[] { ("a", 0), ("b", 0) })
                );
            }
        ),
        new(
            "SUB-4",
            "3.8.4-3",
            "3.8.4-3",
            "the same filter again replaces QoS and options, and messages come once",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var client = bench.Connect(version, "s");
                client.Subscribe("t", 2, identifier: version == V5 ? 4 : 0);
                client.Subscribe("t", 0);
                publisher.Publish("t", "x", 1);
                var message = client.Take<PublishPacket>();
                Assert.That(
                    (message.Qos, message.Properties.SubscriptionIdentifiers.Count),
                    Is.EqualTo((QualityOfService.AtMostOnce, 0))
                );
                client.AssertSilent();
            }
        ),
        new(
            "SUB-5",
            "3.3.5-1",
            "3.3.4-2",
            "overlapping filters make one delivery at their highest QoS",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var client = bench.Connect(version, "s");
                client.Subscribe("a/#", 0);
                client.Subscribe("a/+", 2);
                client.Subscribe("a/b", 1);
                publisher.Publish("a/b", "x", 2);
                Assert.That((int)client.Take<PublishPacket>().Qos, Is.EqualTo(2));
                client.AssertSilent();
            }
        ),
        new(
            "SUB-6",
            "",
            "3.3.4-3,3.3.4-4",
            "a delivery carries the identifiers of all matching subscriptions",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var client = bench.Connect(version, "s");
                client.Subscribe("a/#", 0, identifier: 7);
                client.Subscribe("a/+", 0, identifier: 268_435_455);
                client.Subscribe("a/b", 0, identifier: 7);
                client.Subscribe("+/b", 0);
                publisher.Publish("a/b", "x");
                Assert.That(
                    client.Take<PublishPacket>().Properties.SubscriptionIdentifiers,
                    Is.EquivalentTo(new uint[] { 7, 7, 268_435_455 })
                );
            }
        ),
        new(
            "SUB-6",
            "",
            "3.3.4-3",
            "a kept message carries the identifier of the new subscription",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("t", "x", retain: true);
                var client = bench.Connect(version, "s");
                client.Subscribe("t", 0, identifier: 9);
                Assert.That(
                    client.Take<PublishPacket>().Properties.SubscriptionIdentifiers,
                    Is.EqualTo(new uint[] { 9 })
                );
            }
        ),
        new(
            "SUB-7",
            "",
            "3.8.3-3",
            "no local keeps a client's messages from itself, live and kept",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a");
                client.Publish("t", "kept", retain: true);
                client.Subscribe("t", 0, noLocal: true);
                client.Publish("t", "own");
                bench.Connect(version, "b").Publish("t", "other");
                Assert.That(client.TakeMessages(), Is.EqualTo(new[] { "t=other" }));
            }
        ),
        new(
            "SUB-8",
            "3.8.3-3,3.8.3-4,3.8.1-1",
            "3.8.3-2,3.8.3-5,3.8.1-1",
            "a malformed SUBSCRIBE closes the connection",
            version =>
            {
                byte[] properties = version == V5 ? [0] : [];
                foreach (
                    var (first, body) in new (byte, byte[])[]
                    {
                        (0x82, [0, 1, .. properties]),
                        (0x82, [0, 1, .. properties, 0, 1, (byte)'t', 3]),
                        (0x82, [0, 1, .. properties, 0, 1, (byte)'t', 0xC0]),
                        (0x80, [0, 1, .. properties, 0, 1, (byte)'t', 0]),
                        (0x82, [0, 0, .. properties, 0, 1, (byte)'t', 0]),
                        (0x82, [0, 1, .. properties, 0, 1, (byte)'t']),
                    }
                )
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.SendBytes([first, (byte)body.Length, .. body]);
                    Assert.That(
                        client.CloseReason,
                        Is.EqualTo(BrokerCloseReason.ProtocolError),
                        Convert.ToHexString(body)
                    );
                }
            }
        ),
        new(
            "SUB-9",
            "3.8.3-2",
            "",
            "without wildcard support such filters fail",
            version =>
                Assert.That(
                    new BrokerBench(new BrokerOptions { Limits = new BrokerLimits { WildcardSubscriptions = false } })
                        .Connect(version, "a")
                        .Subscribe("a/#")
                        .ReasonCodes,
                    Is.EqualTo(new[] { ReasonCode.UnspecifiedError })
                )
        ),
        new(
            "CAP-3",
            "",
            "4.13.1-1",
            "wildcards, shared subscriptions or identifiers that are not offered close the connection",
            version =>
            {
                foreach (
                    var (filter, identifier, reason) in new[]
                    {
                        ("a/+", 0, ReasonCode.WildcardSubscriptionsNotSupported),
                        ("$share/g/a", 0, ReasonCode.SharedSubscriptionsNotSupported),
                        ("a", 1, ReasonCode.SubscriptionIdentifiersNotSupported),
                    }
                )
                {
                    var limits = new BrokerLimits
                    {
                        WildcardSubscriptions = false,
                        SharedSubscriptions = false,
                        SubscriptionIdentifiers = false,
                    };
                    var client = new BrokerBench(new BrokerOptions { Limits = limits }).Connect(version, "a");
                    client.Send(
                        new SubscribePacket(1, [new(filter, QualityOfService.AtMostOnce)])
                        {
                            Properties =
                                identifier == 0
                                    ? PacketProperties.Empty
                                    : new PacketProperties { SubscriptionIdentifiers = [(uint)identifier] },
                        }
                    );
                    client.AssertClosedFor(reason);
                }
            }
        ),
        new(
            "SUB-10",
            "3.10.4-1,3.10.4-4,3.10.4-5",
            "3.10.4-1,3.10.4-4,3.10.4-5,3.11.3-1,3.11.3-2",
            "UNSUBSCRIBE removes equal filters and is always answered",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var client = bench.Connect(version, "s");
                client.Subscribe("a/+", 0);
                var answer = client.Unsubscribe("a/b", "a/+", "a/+");
                Assert.That(
                    answer,
                    Is.EqualTo(
                        version == V5
                            ? new UnsubackPacket(
                                78,
                                [ReasonCode.NoSubscriptionExisted, ReasonCode.Success, ReasonCode.NoSubscriptionExisted]
                            )
                            : new UnsubackPacket(78)
                    )
                );
                publisher.Publish("a/b", "x");
                client.AssertSilent();
            }
        ),
        new(
            "SUB-10",
            "3.10.3-2,3.10.1-1",
            "3.10.3-2,3.10.1-1",
            "a malformed UNSUBSCRIBE closes the connection",
            version =>
            {
                byte[] properties = version == V5 ? [0] : [];
                foreach (
                    var (first, body) in new (byte, byte[])[]
                    {
                        (0xA2, [0, 1, .. properties]),
                        (0xA0, [0, 1, .. properties, 0, 1, (byte)'t']),
                    }
                )
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.SendBytes([first, (byte)body.Length, .. body]);
                    Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.ProtocolError));
                }
            }
        ),
        new(
            "SUB-11",
            "3.10.4-3",
            "3.10.4-3",
            "deliveries that were begun are finished after UNSUBSCRIBE",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var client = bench.Connect(version, "s", clean: false);
                client.Subscribe("t", 2);
                publisher.Publish("t", "x", 2);
                var id = client.Take<PublishPacket>().PacketId;
                client.Unsubscribe("t");
                client.Lose();
                client = bench.Connect(version, "s", clean: false);
                Assert.That(client.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
                client.Send(new PubrecPacket(id));
                client.Take<PubrelPacket>();
            }
        ),
        new(
            "TOP-1",
            "4.7.1-2,4.7.1-3",
            "4.7.1-1,4.7.1-2",
            "a filter with a misplaced wildcard is not granted",
            version =>
            {
                foreach (var filter in new[] { "a#", "#/a", "a/#/b", "a+", "+a/b", "" })
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.Send(new SubscribePacket(1, [new(filter, QualityOfService.AtMostOnce)]));
                    Assert.That(client.IsClosed, Is.True, filter);
                }
            }
        ),
        new(
            "TOP-2",
            "4.7.2-1",
            "4.7.2-1",
            "a wildcard at the first level does not match a topic that begins with $",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("$x/y", "kept", retain: true);
                var client = bench.Connect(version, "s");
                foreach (var filter in new[] { "#", "+/y", "+/#", "$share/g/#" })
                    client.Subscribe(filter, 0);
                publisher.Publish("$x/y", "live");
                client.AssertSilent();
                client.Subscribe("$x/#", 0);
                Assert.That(client.TakeMessages(), Is.EqualTo(new[] { "$x/y=kept" }));
            }
        ),
        new(
            "TOP-4",
            "4.7.3-4",
            "4.7.3-4",
            "filters match byte for byte, and empty levels count",
            version =>
            {
                foreach (
                    var (filter, matching, others) in new[]
                    {
                        ("a/#", new[] { "a", "a/", "a/b/c" }, new[] { "ab", "A", "/a" }),
                        ("a/+", ["a/", "a/b"], ["a", "a/b/c"]),
                        ("+", ["a", "é"], ["/a", "a/"]),
                        ("/+", ["/a"], ["a"]),
                        ("+/+", ["/a", "a/b", "/"], ["a"]),
                        ("/", ["/"], ["//", "a/"]),
                        ("a//b", ["a//b"], ["a/b"]),
                        ("é", ["é"], ["e\u0301", "É"]),
                    }
                )
                {
                    var (bench, publisher) = Publisher(version);
                    foreach (var topic in matching.Concat(others))
                        publisher.Publish(topic, "kept", retain: true);
                    Assert.That(
                        RetainedOf(bench, version, filter),
                        Is.EquivalentTo(matching.Select(topic => topic + "=kept")),
                        filter
                    );
                    var client = bench.Connect(version, "s");
                    client.Subscribe(
                        filter,
                        0,
                        handling: version == V5 ? RetainHandling.DoNotSend : RetainHandling.Send
                    );
                    client.TakeAll();
                    foreach (var topic in matching.Concat(others))
                        publisher.Publish(topic, "live");
                    Assert.That(client.TakeMessages(), Is.EqualTo(matching.Select(topic => topic + "=live")), filter);
                }
            }
        ),
        new(
            "SHR-1",
            "",
            "4.8.2-1,4.8.2-2",
            "a malformed shared filter is not granted",
            version =>
            {
                foreach (var filter in new[] { "$share/g", "$share/g/", "$share//a", "$share/g+/a", "$share/" })
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.Send(new SubscribePacket(1, [new(filter, QualityOfService.AtMostOnce)]));
                    Assert.That(client.IsClosed, Is.True, filter);
                }
            }
        ),
        new(
            "SHR-2",
            "4.7.1-1",
            "4.8.2-3",
            "each message goes to one member of each group, and to plain subscribers",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var members = Enumerable.Range(0, 3).Select(i => bench.Connect(version, $"member{i}")).ToArray();
                foreach (var member in members)
                    member.Subscribe("$share/g/t/#", 1);
                var single = bench.Connect(version, "single");
                single.Subscribe("$share/other/t/+", 1);
                var plain = bench.Connect(version, "plain");
                plain.Subscribe("t/x", 1);
                for (ushort i = 1; i <= 30; i++)
                    publisher.Publish("t/x", $"{i}", 1, i);
                Assert.That(members.Select(member => member.TakeAll().Length), Is.EqualTo(new[] { 10, 10, 10 }));
                Assert.That((single.TakeAll().Length, plain.TakeAll().Length), Is.EqualTo((30, 30)));
            }
        ),
        new(
            "SHR-2",
            "",
            "4.8.2-3",
            "each member gets its own granted QoS",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var members = Enumerable.Range(0, 3).Select(i => bench.Connect(version, $"member{i}")).ToArray();
                for (var i = 0; i < 3; i++)
                    members[i].Subscribe("$share/g/t", i);
                for (ushort i = 1; i <= 3; i++)
                    publisher.Publish("t", "x", 2, i);
                Assert.That(
                    members.Select(member => (int)member.Take<PublishPacket>().Qos),
                    Is.EqualTo(new[] { 0, 1, 2 })
                );
            }
        ),
        new(
            "SHR-2",
            "",
            "4.8.2-3",
            "messages go to members that are there before those that are away, and wait if all are away",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var away = bench.Connect(version, "away", clean: false);
                away.Subscribe("$share/g/t");
                away.Lose();
                var present = bench.Connect(version, "present");
                present.Subscribe("$share/g/t");
                for (ushort i = 1; i <= 4; i++)
                    publisher.Publish("t", "x", 1, i);
                Assert.That(present.TakeAll(), Has.Length.EqualTo(4));
                present.Lose();
                publisher.Publish("t", "y", 1, 5);
                Assert.That(bench.Connect(version, "away", clean: false).TakeMessages(), Is.EqualTo(new[] { "t=y" }));
            }
        ),
        new(
            "SHR-4",
            "",
            "3.8.3-4",
            "a shared subscription gets no kept messages, and no local on it closes the connection",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                publisher.Publish("t", "x", retain: true);
                var client = bench.Connect(version, "s");
                client.Subscribe("$share/g/t");
                client.AssertSilent();
                client.Send(new SubscribePacket(1, [new("$share/g/t", QualityOfService.AtMostOnce, NoLocal: true)]));
                client.AssertClosedFor(ReasonCode.ProtocolError);
            }
        ),
        new(
            "SHR-4",
            "",
            "4.8.2-3",
            "joining twice is joining once, and leaving leaves",
            version =>
            {
                var (bench, publisher) = Publisher(version);
                var (a, b) = (bench.Connect(version, "a"), bench.Connect(version, "b"));
                a.Subscribe("$share/g/t");
                a.Subscribe("$share/g/t");
                b.Subscribe("$share/g/t");
                for (ushort i = 1; i <= 4; i++)
                    publisher.Publish("t", "x", 1, i);
                Assert.That((a.TakeAll().Length, b.TakeAll().Length), Is.EqualTo((2, 2)));
                Assert.That(b.Unsubscribe("$share/g/t").ReasonCodes, Is.EqualTo(new[] { ReasonCode.Success }));
                publisher.Publish("t", "x", 1, 5);
                Assert.That((a.TakeAll().Length, b.TakeAll().Length), Is.EqualTo((1, 0)));
            }
        ),
    ];

    [TestCaseSource(nameof(Cases))]
    public void Holds(RuleCheck check, ProtocolVersion version) => check.Run(version);

    private static IEnumerable<TestCaseData> Cases() => RuleCheck.Cases(Table);

    private static (BrokerBench Bench, BenchClient Publisher) Publisher(ProtocolVersion version)
    {
        var bench = new BrokerBench();
        return (bench, bench.Connect(version, "publisher"));
    }

    private static string[] RetainedOf(BrokerBench bench, ProtocolVersion version, string filter)
    {
        var client = bench.Connect(version, "reader");
        client.Subscribe(filter, 0);
        return client.TakeMessages();
    }
}
