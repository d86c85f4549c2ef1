using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>Bytes that the broker must not take, and what it may send.</summary>
public sealed class FormatRules
{
    internal static readonly RuleCheck[] Table =
    [
        new(
            "CON-5",
            "3.1.2-9,3.1.2-18,3.1.2-19,3.1.2-20,3.1.2-21,3.1.3-1,3.1.3-3",
            "3.1.2-9,3.1.2-16,3.1.2-17,3.1.2-18,3.1.2-19,3.1.3-1,3.1.3-3",
            "what the connect flags announce has to be there, and nothing else",
            version =>
            {
                byte[] id = [0, 1, (byte)'a'];
                AssertRefused(version, 0x02, []);
                AssertRefused(version, 0x06, id);
                AssertRefused(version, 0x82, id);
                AssertRefused(version, 0xC2, [.. id, 0, 1, (byte)'u']);
                AssertRefused(version, 0x02, [.. id, 0, 1, (byte)'u']);
            }
        ),
        new(
            "CON-5",
            "3.1.3-4,3.1.3-10,3.1.3-11",
            "3.1.3-4,3.1.3-11,3.1.3-12",
            "client identifier, will topic and user name have to be UTF-8",
            version =>
            {
                byte[] bad = [0, 1, 0xFF],
                    id = [0, 1, (byte)'a'],
                    properties = version == V5 ? [0] : [];
                AssertRefused(version, 0x02, bad);
                AssertRefused(version, 0x06, [.. id, .. properties, .. bad, 0, 0]);
                AssertRefused(version, 0x82, [.. id, .. bad]);
            }
        ),
        new(
            "SUB-8",
            "3.8.3-1,3.10.3-1",
            "3.8.3-1,3.10.3-1",
            "a filter that is not UTF-8 closes the connection",
            version =>
            {
                byte[] properties = version == V5 ? [0] : [];
                AssertClosed(version, PacketType.Subscribe, [0, 1, .. properties, 0, 1, 0xFF, 0]);
                AssertClosed(version, PacketType.Unsubscribe, [0, 1, .. properties, 0, 1, 0xFF]);
            }
        ),
        new(
            "SUB-10",
            "3.10.4-6",
            "3.10.4-6",
            "an UNSUBSCRIBE of several filters acts like one of each, with one answer",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a");
                foreach (var filter in new[] { "a", "b", "c" })
                    client.Subscribe(filter, 0);
                client.Unsubscribe("a", "c");
                client.AssertSilent();
                foreach (var topic in new[] { "a", "b", "c" })
                    client.Publish(topic, "x");
                Assert.That(client.TakeMessages(), Is.EqualTo(new[] { "b=x" }));
            }
        ),
        new(
            "SUB-11",
            "3.10.4-2",
            "3.10.4-2",
            "nothing new is queued after UNSUBSCRIBE, also for a session that is away",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a", clean: false);
                client.Subscribe("t", 1);
                client.Unsubscribe("t");
                client.Lose();
                bench.Connect(version, "p").Publish("t", "x", 1);
                bench.Connect(version, "a", clean: false).AssertSilent();
            }
        ),
        new(
            "TOP-3",
            "4.7.3-1,4.7.3-2,4.7.3-3",
            "4.7.3-1,4.7.3-2,4.7.3-3",
            "topics have 1 to 65535 bytes and no U+0000",
            version =>
            {
                var longest = new string('x', 65535);
                var client = new BrokerBench().Connect(version, "a");
                client.Subscribe(longest, 0);
                client.Publish(longest, "carried");
                Assert.That(client.Take<PublishPacket>().Topic, Is.EqualTo(longest));
                byte[] properties = version == V5 ? [0] : [];
                AssertClosed(version, PacketType.Subscribe, [0, 1, .. properties, 0, 0, 0]);
                AssertClosed(version, PacketType.Subscribe, [0, 1, .. properties, 0, 2, (byte)'a', 0, 0]);
                AssertClosed(version, PacketType.Publish, [0, 2, (byte)'a', 0, .. properties]);
            }
        ),
        new(
            "PUB-11",
            "3.3.2-1,4.7.1-1",
            "3.3.2-1,4.7.0-1",
            "a topic name that is not UTF-8 or has a wildcard closes the connection",
            version =>
            {
                byte[] properties = version == V5 ? [0] : [];
                foreach (var character in new byte[] { 0xFF, (byte)'+', (byte)'#' })
                    AssertClosed(version, PacketType.Publish, [0, 1, character, .. properties]);
            }
        ),
        new(
            "REQ-1",
            "",
            "3.3.2-13,3.3.2-14",
            "a response topic that is not UTF-8 or has a wildcard closes the connection",
            version =>
            {
                foreach (var character in new byte[] { 0xFF, (byte)'+', (byte)'#' })
                    AssertClosed(
                        version,
                        PacketType.Publish,
                        [0, 1, (byte)'t', 4, (byte)PropertyId.ResponseTopic, 0, 1, character]
                    );
            }
        ),
        new(
            "BAD-2",
            "",
            "1.5.7-1",
            "a user property that is not UTF-8 closes the connection",
            version =>
            {
                AssertClosed(
                    version,
                    PacketType.Publish,
                    [0, 1, (byte)'t', 6, (byte)PropertyId.UserProperty, 0, 1, 0xFF, 0, 0]
                );
                AssertClosed(
                    version,
                    PacketType.Publish,
                    [0, 1, (byte)'t', 6, (byte)PropertyId.UserProperty, 0, 0, 0, 1, 0]
                );
            }
        ),
        new(
            "BAD-4",
            "4.8.0-1",
            "4.13.1-1,1.5.5-1",
            "a remaining length of more than four bytes, and in 5 "
                + "one that is longer than necessary, closes the connection",
            version =>
            {
                var client = new BrokerBench().Connect(version, "a");
                client.SendBytes(0x30, 0x80, 0x80, 0x80, 0x80, 0x01);
                client.AssertClosedFor(ReasonCode.MalformedPacket);
                client = new BrokerBench().Connect(version, "a");
                client.SendBytes(0xC0, 0x80, 0x00);
                if (version == V5)
                    client.AssertClosedFor(ReasonCode.MalformedPacket);
            }
        ),
        new(
            "DIS-2",
            "",
            "3.14.2-1",
            "a DISCONNECT of the broker carries a code that is listed for one",
            version =>
            {
                foreach (
                    var packet in new byte[][]
                    {
                        [0x00, 0],
                        [0xF0, 0],
                        [0x36, 0],
                        [0x40, 2, 0, 0],
                        [0x10, 0],
                        [0x82, 2, 0, 1],
                        [0x30, 4, 0, 0, 0, 0],
                        [0x62, 3, 0, 1, 0x7F],
                    }
                )
                {
                    var client = new BrokerBench().Connect(version, "a");
                    client.SendBytes(packet);
                    Assert.That(
                        client
                            .Take<DisconnectPacket>()
                            .ReasonCode.IsAllowedIn(PacketType.Disconnect, PacketOrigin.Server),
                        Is.True,
                        Convert.ToHexString(packet)
                    );
                }
            }
        ),
        new(
            "FLO-4",
            "",
            "3.2.2-19,3.2.2-20,3.4.2-2,3.4.2-3,3.5.2-2,3.5.2-3,3.6.2-2,3.6.2-3,3.7.2-2,"
                + "3.7.2-3,3.9.2-1,3.9.2-2,3.11.2-1,3.11.2-2,3.14.2-3,3.14.2-4",
            "no answer is larger than the client takes, and none carries "
                + "a reason string or user property that would make it so",
            version => AssertPlainAnswers(version, new PacketProperties { MaximumPacketSizeBytes = 20 }, largest: 20)
        ),
        new(
            "CAP-4",
            "",
            "3.1.2-29",
            "a client that asks for no problem information gets "
                + "neither reason strings nor user properties in its answers",
            version =>
                AssertPlainAnswers(
                    version,
                    new PacketProperties { RequestProblemInformation = false },
                    largest: int.MaxValue
                )
        ),
    ];

    [TestCaseSource(nameof(Cases))]
    public void Holds(RuleCheck check, ProtocolVersion version) => check.Run(version);

    private static IEnumerable<TestCaseData> Cases() => RuleCheck.Cases(Table);

    private static void AssertRefused(ProtocolVersion version, byte flags, byte[] payload)
    {
        var client = new BrokerBench().Open(version);
        byte[] properties = version == V5 ? [0] : [];
        byte[] body = [0, 4, .. "MQTT"u8, (byte)version, flags, 0, 0, .. properties, .. payload];
        client.SendBytes([0x10, (byte)body.Length, .. body]);
        Assert.That(client.IsClosed, Is.True);
        Assert.That(
            client.TakeAll().Cast<ConnackPacket>().Select(p => p.ReasonCode),
            Has.None.EqualTo(ReasonCode.Success)
        );
    }

    private static void AssertClosed(ProtocolVersion version, PacketType type, byte[] body)
    {
        var bench = new BrokerBench();
        var client = bench.Connect(version, "a");
        var other = bench.Connect(version, "b");
        var flags = type == PacketType.Publish ? 0 : 2;
        client.SendBytes([(byte)(((int)type << 4) | flags), (byte)body.Length, .. body]);
        Assert.That(client.CloseReason, Is.EqualTo(BrokerCloseReason.ProtocolError), Convert.ToHexString(body));
        Assert.That(other.IsClosed, Is.False);
    }

    // Every kind of answer, those that report an error among them.
    private static void AssertPlainAnswers(ProtocolVersion version, PacketProperties properties, int largest)
    {
        var bench = new BrokerBench(
            new BrokerOptions
            {
                Access = BrokerAccess.Parse("anonymous yes\ndeny * both secret\nallow * both #", "test"),
            }
        );
        var client = bench.Connect(version, "a", change: connect => connect with { Properties = properties });
        client.Publish("secret", "x", 1, 1);
        client.Publish("secret", "x", 2, 2);
        client.Send(new PubrecPacket(3));
        client.Send(new PubrelPacket(4));
        client.Send(new SubscribePacket(5, [new("secret", QualityOfService.AtMostOnce)]));
        client.Send(new UnsubscribePacket(6, ["none"]));
        client.SendBytes(0xF0, 0);
        var answers = client.TakeAll();
        Assert.That(
            answers.Select(answer => answer.Type),
            Is.EqualTo(
                new[]
                {
                    PacketType.Puback,
                    PacketType.Pubrec,
                    PacketType.Pubrel,
                    PacketType.Pubcomp,
                    PacketType.Suback,
                    PacketType.Unsuback,
                    PacketType.Disconnect,
                }
            )
        );
        var carried = answers
            .Append(client.Connack!)
            .Select(answer => (PacketProperties)answer.GetType().GetProperty("Properties")!.GetValue(answer)!);
        Assert.That(carried.Where(p => p.ReasonString is not null || p.UserProperties.Count > 0), Is.Empty);
        Assert.That(client.LargestPacketBytes, Is.LessThanOrEqualTo(largest));
    }
}
