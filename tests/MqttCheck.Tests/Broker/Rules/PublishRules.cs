using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>Messages from clients and to clients: acknowledgements, identifiers, repetition, order, windows.</summary>
public sealed class PublishRules
{
    internal static readonly RuleCheck[] Table =
    [
        new(
            "PUB-1",
            "2.3.1-1",
            "2.2.1-3",
            "packet identifier 0 closes the connection",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Publish("t", "x", 1, id: 0);
                client.AssertClosedFor(ReasonCode.ProtocolError);
            }
        ),
        new(
            "PUB-1",
            "2.3.1-2,2.3.1-4,4.3.2-1",
            "2.2.1-4,4.3.2-1",
            "messages that are open at the same time have different identifiers",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 1);
                for (ushort i = 1; i <= 50; i++)
                    publisher.Publish("t", $"{i}", 1, i);
                Assert.That(
                    subscriber.TakeAll().Cast<PublishPacket>().Select(p => p.PacketId),
                    Is.Unique.And.None.EqualTo(0)
                );
            }
        ),
        new(
            "PUB-2",
            "2.3.1-6",
            "2.2.1-5",
            "acknowledgements carry the identifier of the message",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Publish("t", "x", 1, id: 65535);
                Assert.That(client.Take<PubackPacket>().PacketId, Is.EqualTo(65535));
                client.Publish("t", "x", 2, id: 256);
                Assert.That(client.Take<PubrecPacket>().PacketId, Is.EqualTo(256));
                client.Send(new PubrelPacket(256));
                Assert.That(client.Take<PubcompPacket>().PacketId, Is.EqualTo(256));
            }
        ),
        new(
            "PUB-3",
            "3.3.1-1,3.3.1-3",
            "3.3.1-1,3.3.1-3,4.3.2-2",
            "DUP is not copied from the publisher",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 1);
                publisher.Publish("t", "x", 1, 1, duplicate: true);
                Assert.That(subscriber.Take<PublishPacket>().Duplicate, Is.False);
            }
        ),
        new(
            "PUB-3",
            "3.3.1-4",
            "3.3.1-4",
            "QoS 3 closes the connection",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.SendBytes(0x36, 5, 0, 1, (byte)'t', 0, 1);
                client.AssertClosedFor(ReasonCode.MalformedPacket);
            }
        ),
        new(
            "PUB-4",
            "2.3.1-5,3.3.1-2,3.3.4-1,4.3.1-1",
            "2.2.1-2,3.3.1-2,3.3.4-1,4.3.1-1",
            "QoS 0 is delivered once, without identifier and DUP, and not acknowledged",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 2);
                publisher.Publish("t", "x");
                publisher.AssertSilent();
                Assert.That(
                    subscriber.TakeAll(),
                    Is.EqualTo(
                        new Packet[]
                        {
                            new PublishPacket { Topic = "t", Payload = Bytes.FromText("x") },
                        }
                    )
                );
            }
        ),
        new(
            "PUB-5",
            "4.3.2-2",
            "4.3.2-4,4.3.2-5",
            "QoS 1 is acknowledged, and the same identifier is a new message afterwards, even with DUP",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 1);
                publisher.Publish("t", "x", 1, 9);
                publisher.Publish("t", "y", 1, 9, duplicate: true);
                Assert.That(publisher.TakeAll(), Is.EqualTo(new Packet[] { new PubackPacket(9), new PubackPacket(9) }));
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x", "t=y" }));
            }
        ),
        new(
            "PUB-6",
            "4.3.3-2",
            "4.3.3-8,4.3.3-10",
            "a QoS 2 message repeated before PUBREL is delivered once and gets a PUBREC each time",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 2, publisherKeepsSession: true);
                publisher.Publish("t", "x", 2, 9);
                publisher.Publish("t", "x", 2, 9, duplicate: true);
                Assert.That(publisher.TakeAll(), Is.EqualTo(new Packet[] { new PubrecPacket(9), new PubrecPacket(9) }));
                publisher.Lose();
                publisher = bench.Connect(version, "publisher", clean: false);
                publisher.Publish("t", "x", 2, 9, duplicate: true);
                publisher.Send(new PubrelPacket(9));
                publisher.Send(new PubrelPacket(9));
                var second =
                    version == V5 ? new PubcompPacket(9, ReasonCode.PacketIdentifierNotFound) : new PubcompPacket(9);
                Assert.That(
                    publisher.TakeAll(),
                    Is.EqualTo(new Packet[] { new PubrecPacket(9), new PubcompPacket(9), second })
                );
                publisher.Publish("t", "y", 2, 9);
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x", "t=y" }));
            }
        ),
        new(
            "PUB-6",
            "4.3.3-1",
            "4.3.3-1,4.3.3-2,4.3.3-3,4.3.3-5,4.3.3-6",
            "the broker answers PUBREC with PUBREL and ends with PUBCOMP",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 2, subscriberKeepsSession: true);
                publisher.Publish("t", "x", 2, 9);
                var message = subscriber.Take<PublishPacket>();
                Assert.That(
                    (message.Qos, message.Duplicate, message.PacketId > 0),
                    Is.EqualTo((QualityOfService.ExactlyOnce, false, true))
                );
                subscriber.Send(new PubrecPacket(message.PacketId));
                Assert.That(subscriber.Take<PubrelPacket>(), Is.EqualTo(new PubrelPacket(message.PacketId)));
                subscriber.Send(new PubrecPacket(message.PacketId));
                Assert.That(subscriber.Take<PubrelPacket>(), Is.EqualTo(new PubrelPacket(message.PacketId)));
                subscriber.Send(new PubcompPacket(message.PacketId));
                subscriber.Lose();
                bench.Connect(version, "subscriber", clean: false).AssertSilent();
            }
        ),
        new(
            "PUB-7",
            "",
            "4.3.3-4,4.4.0-2",
            "a PUBREC that reports an error ends the exchange",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 2, subscriberKeepsSession: true);
                publisher.Publish("t", "x", 2, 9);
                subscriber.Send(
                    new PubrecPacket(subscriber.Take<PublishPacket>().PacketId, ReasonCode.UnspecifiedError)
                );
                subscriber.AssertSilent();
                subscriber.Lose();
                bench.Connect(version, "subscriber", clean: false).AssertSilent();
            }
        ),
        new(
            "PUB-7",
            "",
            "3.4.2-1,3.5.2-1",
            "without subscribers the acknowledgement says so",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Publish("nobody", "x", 1, 1);
                client.Publish("nobody", "x", 2, 2);
                Assert.That(
                    client.TakeAll(),
                    Is.EqualTo(
                        new Packet[]
                        {
                            new PubackPacket(1, ReasonCode.NoMatchingSubscribers),
                            new PubrecPacket(2, ReasonCode.NoMatchingSubscribers),
                        }
                    )
                );
            }
        ),
        new(
            "PUB-8",
            "2.3.1-3,4.4.0-1,3.3.1-1,4.6.0-1",
            "4.3.2-3,4.4.0-1,3.3.1-1,4.6.0-1",
            "a resumed session gets every open PUBLISH again with DUP, "
                + "the same identifier and in order, and every open PUBREL",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 2, subscriberKeepsSession: true);
                for (ushort i = 1; i <= 4; i++)
                    publisher.Publish("t", $"{i}", i % 2 == 0 ? 2 : 1, i);
                var sent = subscriber.TakeAll().Cast<PublishPacket>().ToArray();
                subscriber.Send(new PubrecPacket(sent[1].PacketId));
                subscriber.Lose();
                subscriber = bench.Connect(version, "subscriber", clean: false);
                var expected = new[] { sent[0], sent[2], sent[3] }.Select(p => p with { Duplicate = true });
                Assert.That(
                    subscriber.TakeAll(),
                    Is.EqualTo(new Packet[] { new PubrelPacket(sent[1].PacketId) }.Concat(expected))
                );
            }
        ),
        new(
            "PUB-9",
            "3.8.4-6",
            "3.8.4-8",
            "a delivery has the lower of the published and the granted QoS",
            version =>
            {
                for (var granted = 0; granted <= 2; granted++)
                for (var published = 0; published <= 2; published++)
                {
                    var (_, publisher, subscriber) = Pair(version, granted);
                    publisher.Publish("t", "x", published);
                    Assert.That((int)subscriber.Take<PublishPacket>().Qos, Is.EqualTo(Math.Min(granted, published)));
                }
            }
        ),
        new(
            "PUB-11",
            "3.3.2-2",
            "3.3.2-2",
            "wildcards in a topic name close the connection",
            version =>
            {
                foreach (var topic in new[] { "a/+", "#" })
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.Publish(topic, "x");
                    client.AssertClosedFor(ReasonCode.TopicNameInvalid);
                }
            }
        ),
        new(
            "PUB-11",
            "4.7.3-1",
            "4.7.3-1",
            "an empty topic name closes the connection",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.Publish("", "x");
                client.AssertClosedFor(ReasonCode.ProtocolError);
            }
        ),
        new(
            "PUB-12",
            "3.3.5-2",
            "3.4.2-1",
            "a publication that is not allowed is acknowledged in 3.1.1, refused in 5, and goes nowhere",
            version =>
            {
                var bench = new BrokerBench(
                    new BrokerOptions
                    {
                        Access = BrokerAccess.Parse(
                            "anonymous yes\nallow * subscribe #\nallow * publish open/#",
                            "test"
                        ),
                    }
                );
                var subscriber = bench.Connect(version, "s");
                subscriber.Subscribe("#");
                var client = bench.Connect(version, "a");
                client.Publish("secret", "x", 1, 1);
                client.Publish("secret", "x", 2, 2);
                client.Publish("secret", "x", retain: true);
                client.Publish("open/t", "y", 1, 3);
                var reason = version == V5 ? ReasonCode.NotAuthorized : ReasonCode.Success;
                Assert.That(
                    client.TakeAll(),
                    Is.EqualTo(
                        new Packet[] { new PubackPacket(1, reason), new PubrecPacket(2, reason), new PubackPacket(3) }
                    )
                );
                Assert.That(
                    (subscriber.TakeMessages(), bench.Core.Counters.RetainedMessages),
                    Is.EqualTo((new[] { "open/t=y" }, 0))
                );
            }
        ),
        new(
            "PUB-13",
            "",
            "3.3.2-4,3.3.2-15,3.3.2-16,3.3.2-17,3.3.2-18,3.3.2-19,3.3.2-20",
            "properties are forwarded unchanged, user properties in order, and not towards 3.1.1",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 1);
                var old = bench.Connect(V311, "old");
                old.Subscribe("t");
                var properties = new PacketProperties
                {
                    PayloadFormatIndicator = PayloadFormat.Utf8,
                    ContentType = "",
                    ResponseTopic = "r/1",
                    CorrelationData = new byte[] { 0, 255 },
                    MessageExpiryIntervalSeconds = 7,
                    UserProperties = [new("z", "1"), new("", ""), new("z", "2")],
                };
                publisher.Publish("t", "x", 1, properties: properties with { TopicAlias = 5 });
                Assert.That(subscriber.Take<PublishPacket>().Properties, Is.EqualTo(properties));
                Assert.That(
                    old.Take<PublishPacket>(),
                    Is.EqualTo(
                        new PublishPacket
                        {
                            Topic = "t",
                            Payload = Bytes.FromText("x"),
                            Qos = QualityOfService.AtLeastOnce,
                            PacketId = 1,
                        }
                    )
                );
            }
        ),
        new(
            "ORD-2",
            "4.6.0-6",
            "4.6.0-6",
            "messages of a publisher to a topic keep their order, also behind a full window",
            version =>
            {
                var bench = new BrokerBench(new BrokerOptions { Limits = new BrokerLimits { InFlightPerClient = 3 } });
                var subscriber = bench.Connect(version, "s");
                subscriber.Subscribe("t", 1);
                var publisher = bench.Connect(version, "p");
                for (ushort i = 1; i <= 20; i++)
                    publisher.Publish("t", $"{i}", 1, i);
                var seen = new List<string>();
                while (subscriber.TakeAll() is { Length: > 0 } packets)
                {
                    Assert.That(packets, Has.Length.LessThanOrEqualTo(3));
                    foreach (var packet in packets.Cast<PublishPacket>())
                    {
                        seen.Add(packet.Payload.ToText());
                        subscriber.Send(new PubackPacket(packet.PacketId));
                    }
                }
                Assert.That(seen, Is.EqualTo(Enumerable.Range(1, 20).Select(i => $"{i}")));
            }
        ),
        new(
            "FLO-1",
            "",
            "3.3.4-9,4.9.0-1,4.9.0-2",
            "no more QoS 1 and 2 messages are open than the client's Receive Maximum; PUBCOMP frees, PUBREC does not",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(
                    version,
                    2,
                    change: c => c with { Properties = new PacketProperties { ReceiveMaximum = 1 } }
                );
                publisher.Publish("t", "1", 2, 1);
                publisher.Publish("t", "2", 1, 2);
                publisher.Publish("t", "0", 0);
                var first = subscriber.Take<PublishPacket>();
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=0" }));
                subscriber.Send(new PubrecPacket(first.PacketId));
                subscriber.Take<PubrelPacket>();
                subscriber.AssertSilent();
                subscriber.Send(new PubcompPacket(first.PacketId));
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=2" }));
            }
        ),
        new(
            "FLO-1",
            "",
            "4.9.0-1",
            "resends fill the window of the new connection",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 1, subscriberKeepsSession: true);
                for (ushort i = 1; i <= 3; i++)
                    publisher.Publish("t", $"{i}", 1, i);
                subscriber.Lose();
                subscriber = bench.Connect(
                    version,
                    "subscriber",
                    clean: false,
                    change: c =>
                        c with
                        {
                            Properties = new PacketProperties { ReceiveMaximum = 2, SessionExpiryIntervalSeconds = 9 },
                        }
                );
                publisher.Publish("t", "4", 1, 4);
                var open = subscriber.TakeAll().Cast<PublishPacket>().ToList();
                Assert.That(
                    open.Select(p => (p.Payload.ToText(), p.Duplicate)),
                    Is.EqualTo(new[] { ("1", true), ("2", true) })
                );
                subscriber.Send(new PubackPacket(open[1].PacketId));
                subscriber.Send(new PubackPacket(open[0].PacketId));
                Assert.That(
                    subscriber.TakeAll().Cast<PublishPacket>().Select(p => (p.Payload.ToText(), p.Duplicate)),
                    Is.EqualTo(new[] { ("3", true), ("4", false) })
                );
            }
        ),
        new(
            "FLO-1",
            "",
            "3.3.4-7",
            "more open QoS 2 messages than the broker's Receive Maximum close the connection",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { ReceiveMaximum = 2 } }
                ).Connect(version, "a");
                for (ushort i = 1; i <= 2; i++)
                    client.Publish("t", "x", 2, i);
                client.TakeAll();
                client.Publish("t", "x", 2, 3);
                client.AssertClosedFor(ReasonCode.ReceiveMaximumExceeded);
            }
        ),
        new(
            "FLO-2",
            "",
            "3.3.4-8,3.3.4-10,4.9.0-3",
            "a full window delays no other packets",
            version =>
            {
                var (_, publisher, subscriber) = Pair(
                    version,
                    1,
                    change: c => c with { Properties = new PacketProperties { ReceiveMaximum = 1 } }
                );
                publisher.Publish("t", "1", 1, 1);
                publisher.Publish("t", "2", 1, 2);
                subscriber.TakeAll();
                subscriber.Send(new PingreqPacket());
                subscriber.Take<PingrespPacket>();
                subscriber.Subscribe("other");
            }
        ),
        new(
            "FLO-3",
            "",
            "3.1.2-24,3.1.2-25",
            "a message too large for a client is dropped for it alone, and blocks nothing",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(
                    version,
                    1,
                    change: c =>
                        c with
                        {
                            Properties = new PacketProperties { MaximumPacketSizeBytes = 40, ReceiveMaximum = 1 },
                        }
                );
                var other = bench.Connect(version, "other");
                other.Subscribe("t");
                publisher.Publish("t", new string('x', 100), 1, 1);
                publisher.Publish("t", "small", 1, 2);
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=small" }));
                Assert.That(other.TakeMessages(), Has.Length.EqualTo(2));
                Assert.That(subscriber.LargestPacketBytes, Is.LessThanOrEqualTo(40));
            }
        ),
        new(
            "FLO-3",
            "4.8.0-1",
            "3.2.2-15",
            "a packet larger than the broker takes closes the connection",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { PacketBytes = 100 } }
                ).Connect(version, "a");
                client.SendBytes(0x30, 99);
                client.AssertClosedFor(ReasonCode.PacketTooLarge);
            }
        ),
        new(
            "ALI-1",
            "",
            "3.3.2-9",
            "an alias above the maximum closes the connection",
            version =>
            {
                foreach (var maximum in new[] { 0, 5 })
                {
                    var client = new BrokerBench(
                        new BrokerOptions { Limits = new BrokerLimits { TopicAliasMaximum = maximum } }
                    ).Connect(version, "a");
                    if (maximum > 0)
                        client.Publish("t", "x", properties: new PacketProperties { TopicAlias = (ushort)maximum });
                    client.Publish("t", "x", properties: new PacketProperties { TopicAlias = (ushort)(maximum + 1) });
                    client.AssertClosedFor(ReasonCode.TopicAliasInvalid);
                }
            }
        ),
        new(
            "ALI-2",
            "",
            "3.3.2-7,3.3.2-10,3.3.2-12",
            "an alias stands for its last topic, on this connection only",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 0, "#");
                var alias = new PacketProperties { TopicAlias = 1 };
                publisher.Publish("a", "1", properties: alias);
                publisher.Publish("", "2", properties: alias);
                publisher.Publish("b", "3", properties: alias);
                publisher.Publish("", "4", properties: alias);
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "a=1", "a=2", "b=3", "b=4" }));
                var other = bench.Connect(version, "other");
                other.Publish("", "5", properties: alias);
                other.AssertClosedFor(ReasonCode.ProtocolError);
            }
        ),
        new(
            "ALI-1",
            "",
            "3.1.2-26,3.3.2-8",
            "the broker uses aliases up to the client's maximum, each defined before it is used",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(
                    version,
                    1,
                    "#",
                    subscriberKeepsSession: true,
                    change: c => c with { Properties = c.Properties with { TopicAliasMaximum = 2 } }
                );
                foreach (var topic in new[] { "a", "b", "c", "a", "c" })
                    publisher.Publish(topic, "x", 1);
                var sent = subscriber.TakeAll().Cast<PublishPacket>().ToList();
                Assert.That(
                    sent.Select(p => (p.Topic, (int)(p.Properties.TopicAlias ?? 0))),
                    Is.EqualTo(new[] { ("a", 1), ("b", 2), ("c", 0), ("", 1), ("c", 0) })
                );
                subscriber.Lose();
                var again = bench.Connect(version, "subscriber", clean: false);
                Assert.That(
                    again.TakeAll().Cast<PublishPacket>().Select(p => p.Topic),
                    Is.EqualTo(new[] { "a", "b", "c", "a", "c" })
                );
            }
        ),
        new(
            "EXP-1",
            "",
            "3.3.2-5",
            "a message that waits longer than its expiry is dropped",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 1, subscriberKeepsSession: true);
                subscriber.Lose();
                publisher.Publish(
                    "t",
                    "short",
                    1,
                    1,
                    properties: new PacketProperties { MessageExpiryIntervalSeconds = 5 }
                );
                publisher.Publish(
                    "t",
                    "long",
                    1,
                    2,
                    properties: new PacketProperties { MessageExpiryIntervalSeconds = 50 }
                );
                bench.Pass(5.1);
                var messages = bench.Connect(version, "subscriber", clean: false).TakeAll().Cast<PublishPacket>();
                Assert.That(
                    messages.Select(p => (p.Payload.ToText(), (int)p.Properties.MessageExpiryIntervalSeconds!)),
                    Is.EqualTo(new[] { ("long", 45) })
                );
            }
        ),
        new(
            "EXP-1",
            "",
            "3.3.2-5",
            "a retained message vanishes when it expires",
            version =>
            {
                var bench = new BrokerBench();
                bench
                    .Connect(version, "p")
                    .Publish(
                        "t",
                        "x",
                        retain: true,
                        properties: new PacketProperties { MessageExpiryIntervalSeconds = 10 }
                    );
                bench.Pass(3);
                var early = bench.Connect(version, "early");
                early.Subscribe("t");
                Assert.That(early.Take<PublishPacket>().Properties.MessageExpiryIntervalSeconds, Is.EqualTo(7));
                bench.Pass(7);
                var late = bench.Connect(version, "late");
                late.Subscribe("#");
                late.AssertSilent();
                Assert.That(bench.Core.Counters.RetainedMessages, Is.Zero);
            }
        ),
        new(
            "EXP-3",
            "",
            "4.3.3-7,4.3.3-13",
            "a QoS 2 message once sent does not expire",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 2, subscriberKeepsSession: true);
                publisher.Publish(
                    "t",
                    "x",
                    2,
                    1,
                    properties: new PacketProperties { MessageExpiryIntervalSeconds = 5 }
                );
                subscriber.Lose();
                bench.Pass(10);
                Assert.That(
                    bench.Connect(version, "subscriber", clean: false).TakeMessages(),
                    Is.EqualTo(new[] { "t=x" })
                );
            }
        ),
        new(
            "CAP-1",
            "3.3.5-1",
            "3.2.2-11",
            "a publication above the maximum QoS closes the connection",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { MaximumQos = QualityOfService.AtLeastOnce } }
                ).Connect(version, "a");
                Assert.That(client.Subscribe("t", 2).ReasonCodes[0], Is.EqualTo(ReasonCode.GrantedQos1));
                client.Publish("t", "x", 2);
                client.AssertClosedFor(ReasonCode.QosNotSupported);
            }
        ),
        new(
            "CAP-2",
            "",
            "3.2.2-14",
            "RETAIN closes the connection where nothing is retained",
            version =>
            {
                var client = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { RetainedMessages = 0 } }
                ).Connect(version, "a");
                client.Publish("t", "x", retain: true);
                client.AssertClosedFor(ReasonCode.RetainNotSupported);
            }
        ),
        new(
            "BAD-1",
            "4.8.0-1",
            "4.13.1-1",
            "garbage closes its connection and harms no other",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 1);
                foreach (
                    var garbage in new byte[][]
                    {
                        [0, 0],
                        [0x30, 0x80, 0x80, 0x80, 0x80, 1],
                        [0x20, 2, 0, 0],
                        [0x30, 1, 0],
                        [0x40, 0],
                        [0x82, 2, 0, 1],
                        [0xC0, 1, 0],
                    }
                )
                {
                    var client = bench.Connect(version, "bad");
                    client.SendBytes(garbage);
                    Assert.That(
                        client.CloseReason,
                        Is.EqualTo(BrokerCloseReason.ProtocolError),
                        Convert.ToHexString(garbage)
                    );
                }
                publisher.Publish("t", "x");
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
            }
        ),
        new(
            "BAD-2",
            "1.5.3-1,1.5.3-2",
            "1.5.4-1,1.5.4-2",
            "ill-formed UTF-8 and U+0000 in a topic name close the connection",
            version =>
            {
                foreach (var topic in new byte[][] { [0xC3, 0x28], [0xED, 0xA0, 0x80], [(byte)'a', 0], [0xC0, 0x80] })
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.SendBytes([
                        0x30,
                        (byte)(2 + topic.Length + (version == V5 ? 1 : 0)),
                        0,
                        (byte)topic.Length,
                        .. topic,
                        .. version == V5 ? new byte[] { 0 } : [],
                    ]);
                    Assert.That(client.IsClosed, Is.True);
                }
            }
        ),
        new(
            "BAD-2",
            "1.5.3-3",
            "1.5.4-3",
            "U+FEFF is a character like others",
            version =>
            {
                var (_, publisher, subscriber) = Pair(version, 0, "\uFEFFt");
                publisher.Publish("\uFEFFt", "x");
                publisher.Publish("t", "y");
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "\uFEFFt=x" }));
            }
        ),
        new(
            "BAD-3",
            "3.6.1-1,2.2.2-1,2.2.2-2",
            "3.6.1-1,2.1.3-1",
            "wrong flags in the fixed header close the connection",
            version =>
            {
                foreach (var packet in new byte[][] { [0x60, 2, 0, 1], [0x42, 2, 0, 1], [0xC1, 0] })
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.SendBytes(packet);
                    client.AssertClosedFor(ReasonCode.MalformedPacket);
                }
            }
        ),
        new(
            "BAD-5",
            "",
            "2.2.2-1,3.3.4-6",
            "an unknown, misplaced or repeated property closes the connection",
            version =>
            {
                foreach (
                    var properties in new byte[][]
                    {
                        [0x7F, 0],
                        [0x21, 0, 1],
                        [1, 0, 1, 0],
                        [0x0B, 1],
                        [1, 2],
                        [0x23, 0, 0],
                    }
                )
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.SendBytes([
                        0x30,
                        (byte)(4 + properties.Length),
                        0,
                        1,
                        (byte)'t',
                        (byte)properties.Length,
                        .. properties,
                    ]);
                    Assert.That(client.IsClosed, Is.True, Convert.ToHexString(properties));
                }
            }
        ),
        new(
            "BAD-6",
            "4.8.0-1",
            "4.13.1-1",
            "half a packet waits for its rest",
            version =>
            {
                var (bench, publisher, subscriber) = Pair(version, 1);
                var bytes = PacketEncoder.Encode(
                    new PublishPacket { Topic = "t", Payload = Bytes.FromText("whole") },
                    version
                );
                for (var length = 1; length < bytes.Length; length++)
                    Assert.That(publisher.SendBytes(bytes.AsSpan(0, length)), Is.Zero);
                subscriber.AssertSilent();
                Assert.That(publisher.SendBytes([.. bytes, 0xC0]), Is.EqualTo(bytes.Length));
                Assert.That(subscriber.TakeMessages(), Is.EqualTo(new[] { "t=whole" }));
            }
        ),
    ];

    [TestCaseSource(nameof(Cases))]
    public void Holds(RuleCheck check, ProtocolVersion version) => check.Run(version);

    private static IEnumerable<TestCaseData> Cases() => RuleCheck.Cases(Table);

    private static (BrokerBench Bench, BenchClient Publisher, BenchClient Subscriber) Pair(
        ProtocolVersion version,
        int qos,
        string filter = "t",
        bool publisherKeepsSession = false,
        bool subscriberKeepsSession = false,
        Func<ConnectPacket, ConnectPacket>? change = null
    )
    {
        var bench = new BrokerBench();
        var subscriber = bench.Connect(version, "subscriber", !subscriberKeepsSession, change);
        subscriber.Subscribe(filter, qos);
        return (bench, bench.Connect(version, "publisher", !publisherKeepsSession), subscriber);
    }
}
