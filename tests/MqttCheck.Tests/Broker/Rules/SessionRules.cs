using MqttCheck.Broker.Core;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;
using static MqttCheck.Protocol.ProtocolVersion;

namespace MqttCheck.Tests.Broker.Rules;

/// <summary>What is kept of a client without connection, and its will.</summary>
public sealed class SessionRules
{
    internal static readonly RuleCheck[] Table =
    [
        new(
            "SES-1",
            "3.1.2-6,3.1.4-3,3.2.2-1",
            "3.1.2-4,3.1.4-4,3.2.2-2",
            "a clean start drops the old state",
            version =>
            {
                var bench = new BrokerBench();
                bench.Connect(version, "a", clean: false).Subscribe("t");
                var again = bench.Connect(version, "a");
                Assert.That(again.Connack!.SessionPresent, Is.False);
                bench.Connect(version, "b").Publish("t", "x");
                again.AssertSilent();
                Assert.That(bench.Core.Counters.Subscriptions, Is.Zero);
            }
        ),
        new(
            "SES-2",
            "3.1.2-4,3.1.3-2,3.2.2-2,3.2.2-3",
            "3.1.2-5,3.1.2-6,3.1.3-2,3.2.2-3",
            "without a clean start the session is resumed, or made",
            version =>
            {
                var bench = new BrokerBench();
                var first = bench.Connect(version, "a", clean: false);
                Assert.That(first.Connack!.SessionPresent, Is.False);
                first.Subscribe("t", 0);
                first.Disconnect();
                var second = bench.Connect(version, "a", clean: false);
                Assert.That(second.Connack!.SessionPresent, Is.True);
                bench.Connect(version, "b").Publish("t", "x");
                Assert.That(second.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
            }
        ),
        new(
            "SES-2",
            "3.1.2-4,4.1.0-1,4.1.0-2",
            "3.1.2-5",
            "a session is also resumed after a lost connection",
            version =>
            {
                var bench = new BrokerBench();
                bench.Connect(version, "a", clean: false).Lose();
                Assert.That(bench.Connect(version, "a", clean: false).Connack!.SessionPresent, Is.True);
            }
        ),
        new(
            "SES-3",
            "3.1.2-6",
            "3.1.2-23",
            "a session without expiry ends with its connection",
            version =>
            {
                var bench = new BrokerBench();
                bench.Connect(version, "a").Disconnect();
                Assert.That(bench.Core.Counters.Sessions, Is.Zero);
                bench.Connect(version, "a").Lose();
                Assert.That(bench.Connect(version, "a", clean: false).Connack!.SessionPresent, Is.False);
            }
        ),
        new(
            "SES-3",
            "",
            "3.1.2-23,4.1.0-2",
            "a session ends when its expiry has passed after the close",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(
                    version,
                    "a",
                    change: c => c with { Properties = new PacketProperties { SessionExpiryIntervalSeconds = 10 } }
                );
                client.Subscribe("t");
                bench.Pass(100);
                client.Lose();
                bench.Pass(9.9);
                Assert.That(
                    bench.Core.Counters,
                    Has.Property("Sessions").EqualTo(1).And.Property("Subscriptions").EqualTo(1)
                );
                bench.Pass(0.2);
                Assert.That(
                    bench.Core.Counters,
                    Has.Property("Sessions").EqualTo(0).And.Property("Subscriptions").EqualTo(0)
                );
            }
        ),
        new(
            "SES-3",
            "3.1.2-4",
            "3.1.2-23",
            "the broker may end sessions earlier than asked, and says so",
            version =>
            {
                var bench = new BrokerBench(
                    new BrokerOptions { Limits = new BrokerLimits { SessionExpirySeconds = 60 } }
                );
                var client = bench.Connect(version, "a", clean: false);
                if (version == V5)
                    Assert.That(client.Connack!.Properties.SessionExpiryIntervalSeconds, Is.EqualTo(60));
                client.Lose();
                bench.Pass(61);
                Assert.That(bench.Core.Counters.Sessions, Is.Zero);
            }
        ),
        new(
            "SES-4",
            "3.1.2-5,4.5.0-1",
            "4.5.0-1",
            "QoS 1 and 2 messages wait for a client that is away, in their order",
            version =>
            {
                var bench = new BrokerBench();
                var subscriber = bench.Connect(version, "a", clean: false);
                subscriber.Subscribe("one", 1);
                subscriber.Subscribe("two", 2);
                subscriber.Disconnect();
                var publisher = bench.Connect(version, "b");
                for (ushort i = 1; i <= 3; i++)
                {
                    publisher.Publish("one", $"{i}", 1, i);
                    publisher.Publish("two", $"{i}", 2, (ushort)(i + 10));
                }
                publisher.Publish("one", "0", 0);
                Assert.That(
                    bench.Connect(version, "a", clean: false).TakeMessages(),
                    Is.EqualTo(new[] { "one=1", "two=1", "one=2", "two=2", "one=3", "two=3" })
                );
            }
        ),
        new(
            "SES-5",
            "3.1.2-7",
            "4.1.0-1",
            "retained messages outlive the session that published them",
            version =>
            {
                var bench = new BrokerBench();
                var publisher = bench.Connect(version, "a");
                publisher.Publish("t", "x", retain: true);
                publisher.Disconnect();
                bench.Connect(version, "a");
                var later = bench.Connect(version, "b");
                later.Subscribe("t");
                Assert.That(later.TakeMessages(), Is.EqualTo(new[] { "t=x" }));
            }
        ),
        new(
            "SES-7",
            "",
            "3.14.2-2",
            "DISCONNECT changes the expiry",
            version =>
            {
                var bench = new BrokerBench();
                var client = bench.Connect(version, "a", clean: false);
                client.Send(
                    new DisconnectPacket { Properties = new PacketProperties { SessionExpiryIntervalSeconds = 0 } }
                );
                Assert.That(bench.Core.Counters.Sessions, Is.Zero);
            }
        ),
        new(
            "SES-7",
            "",
            "3.14.2-2",
            "DISCONNECT cannot raise an expiry of 0, and is then no DISCONNECT: the will is published",
            version =>
            {
                var bench = new BrokerBench();
                var observer = bench.Connect(version, "observer");
                observer.Subscribe("will");
                var client = bench.Connect(
                    version,
                    "a",
                    change: c => c with { Will = new WillMessage("will", Bytes.FromText("gone")) }
                );
                client.Send(
                    new DisconnectPacket { Properties = new PacketProperties { SessionExpiryIntervalSeconds = 10 } }
                );
                client.AssertClosedFor(ReasonCode.ProtocolError);
                Assert.That(
                    (observer.TakeMessages(), bench.Core.Counters.Sessions),
                    Is.EqualTo((new[] { "will=gone" }, 1))
                );
            }
        ),
        Will(
            "WIL-1",
            "3.1.2-8",
            "3.1.2-7",
            "a lost connection publishes the will",
            client => client.Lose(),
            published: true
        ),
        Will(
            "WIL-1",
            "3.1.2-8",
            "3.1.2-7",
            "a violation publishes the will",
            client => client.SendBytes(0xF1, 0),
            published: true
        ),
        Will(
            "WIL-2",
            "3.14.4-3,3.1.2-10",
            "3.14.4-3,3.1.2-10",
            "DISCONNECT deletes the will",
            client => client.Disconnect(),
            published: false
        ),
        Will(
            "WIL-2",
            "",
            "3.14.4-3",
            "DISCONNECT with will publishes it",
            client => client.Disconnect(ReasonCode.DisconnectWithWill),
            published: true
        ),
        Will(
            "WIL-2",
            "",
            "3.14.4-3",
            "DISCONNECT with an error publishes the will",
            client => client.Disconnect(ReasonCode.ImplementationSpecificError),
            published: true
        ),
        new(
            "WIL-3",
            "3.1.2-16,3.1.2-17",
            "3.1.2-14,3.1.2-15",
            "a will has its own QoS and is retained only if it says so",
            version =>
            {
                var bench = new BrokerBench();
                var observer = bench.Connect(version, "observer");
                observer.Subscribe("will/#", 2);
                foreach (var retain in new[] { false, true })
                    bench
                        .Connect(
                            version,
                            "a",
                            change: c =>
                                c with
                                {
                                    Will = new WillMessage(
                                        $"will/{retain}",
                                        Bytes.FromText("x"),
                                        QualityOfService.AtLeastOnce,
                                        retain
                                    ),
                                }
                        )
                        .Lose();
                Assert.That(
                    observer.TakeAll().OfType<PublishPacket>().Select(p => (p.Topic, p.Qos, p.Retain)),
                    Is.EqualTo(
                        new[]
                        {
                            ("will/False", QualityOfService.AtLeastOnce, false),
                            ("will/True", QualityOfService.AtLeastOnce, false),
                        }
                    )
                );
                var later = bench.Connect(version, "later");
                later.Subscribe("will/#");
                Assert.That(later.TakeMessages(), Is.EqualTo(new[] { "will/True=x" }));
            }
        ),
        new(
            "WIL-3",
            "",
            "3.1.3-10",
            "the properties of a will are forwarded, user properties in order",
            version =>
            {
                var bench = new BrokerBench();
                var observer = bench.Connect(version, "observer");
                observer.Subscribe("will");
                var properties = new PacketProperties
                {
                    PayloadFormatIndicator = PayloadFormat.Utf8,
                    ContentType = "text",
                    ResponseTopic = "r",
                    CorrelationData = Bytes.FromText("c"),
                    MessageExpiryIntervalSeconds = 30,
                    UserProperties = [new("b", "1"), new("a", "2"), new("b", "3")],
                };
                bench
                    .Connect(
                        version,
                        "a",
                        change: c =>
                            c with
                            {
                                Will = new WillMessage("will", default)
                                {
                                    Properties = properties with { WillDelayIntervalSeconds = 0 },
                                },
                            }
                    )
                    .Lose();
                Assert.That(observer.Take<PublishPacket>().Properties, Is.EqualTo(properties));
            }
        ),
        new(
            "WIL-4",
            "",
            "3.1.3-9",
            "a delayed will is published when the delay has passed",
            version =>
            {
                var (bench, observer, client) = DelayedWill(delay: 10, expiry: 100);
                client.Lose();
                bench.Pass(9.9);
                observer.AssertSilent();
                bench.Pass(0.2);
                Assert.That(observer.TakeMessages(), Is.EqualTo(new[] { "will=gone" }));
                bench.Pass(1000);
                observer.AssertSilent();
            }
        ),
        new(
            "WIL-4",
            "",
            "3.1.2-8",
            "a delayed will is published when the session ends, if that is earlier",
            version =>
            {
                var (bench, observer, client) = DelayedWill(delay: 100, expiry: 10);
                client.Lose();
                bench.Pass(10.1);
                Assert.That(observer.TakeMessages(), Is.EqualTo(new[] { "will=gone" }));
            }
        ),
        new(
            "WIL-4",
            "",
            "3.1.3-9",
            "a resume before the delay has passed cancels the will",
            version =>
            {
                var (bench, observer, client) = DelayedWill(delay: 10, expiry: 100);
                client.Lose();
                bench.Pass(5);
                bench.Connect(version, "a", clean: false);
                bench.Pass(1000);
                observer.AssertSilent();
            }
        ),
        new(
            "WIL-4",
            "",
            "3.1.2-8,3.1.3-9",
            "a takeover publishes the will unless it has a delay, the "
                + "session has an expiry, and the new connection resumes it",
            version =>
            {
                foreach (var delay in new uint[] { 0, 10 })
                foreach (var expiry in new uint[] { 0, 100 })
                foreach (var clean in new[] { false, true })
                {
                    var (bench, observer, _) = DelayedWill(delay, expiry);
                    bench.Connect(version, "a", clean);
                    bench.Pass(1000);
                    Assert.That(
                        observer.TakeMessages(),
                        Has.Length.EqualTo(delay > 0 && expiry > 0 && !clean ? 0 : 1),
                        $"delay {delay}, expiry {expiry}, clean {clean}"
                    );
                }
            }
        ),
    ];

    [TestCaseSource(nameof(Cases))]
    public void Holds(RuleCheck check, ProtocolVersion version) => check.Run(version);

    private static IEnumerable<TestCaseData> Cases() => RuleCheck.Cases(Table);

    private static RuleCheck Will(
        string rule,
        string statements311,
        string statements5,
        string sentence,
        Action<BenchClient> end,
        bool published
    ) =>
        new(
            rule,
            statements311,
            statements5,
            sentence,
            version =>
            {
                var bench = new BrokerBench();
                var observer = bench.Connect(version, "observer");
                observer.Subscribe("will");
                var client = bench.Connect(
                    version,
                    "a",
                    change: c => c with { Will = new WillMessage("will", Bytes.FromText("gone")) }
                );
                end(client);
                Assert.That(observer.TakeMessages(), Is.EqualTo(published ? new[] { "will=gone" } : []));
            }
        );

    private static (BrokerBench Bench, BenchClient Observer, BenchClient Client) DelayedWill(uint delay, uint expiry)
    {
        var bench = new BrokerBench();
        var observer = bench.Connect(V5, "observer");
        observer.Subscribe("will");
        var will = new WillMessage("will", Bytes.FromText("gone"))
        {
            Properties = new PacketProperties { WillDelayIntervalSeconds = delay },
        };
        return (
            bench,
            observer,
            bench.Connect(
                V5,
                "a",
                change: c =>
                    c with
                    {
                        Will = will,
                        Properties = new PacketProperties { SessionExpiryIntervalSeconds = expiry },
                    }
            )
        );
    }
}
