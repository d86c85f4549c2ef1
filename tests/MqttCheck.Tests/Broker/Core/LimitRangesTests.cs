using MqttCheck.Broker.Core;
using MqttCheck.Protocol;

namespace MqttCheck.Tests.Broker.Core;

public sealed class LimitRangesTests
{
    [Test]
    public void The_defaults_are_those_of_the_manual() =>
        Assert.That(
            new BrokerLimits(),
            Is.EqualTo(
                new BrokerLimits
                {
                    Connections = 20_000,
                    Sessions = 100_000,
                    SubscriptionsPerSession = 20_000,
                    TopicLevels = 128,
                    PacketBytes = 1_048_576,
                    InFlightPerClient = 1000,
                    ReceiveMaximum = 1000,
                    QueuedMessagesPerSession = 100_000,
                    QueuedBytesPerSession = 67_108_864,
                    RetainedMessages = 100_000,
                    RetainedBytes = 268_435_456,
                    TopicAliasMaximum = 100,
                    ClientIdentifierBytes = 1024,
                    MaximumQos = QualityOfService.ExactlyOnce,
                    WildcardSubscriptions = true,
                    SubscriptionIdentifiers = true,
                    SharedSubscriptions = true,
                    KeepAliveSeconds = 0,
                    SessionExpirySeconds = uint.MaxValue,
                    ConnectTimeout = TimeSpan.FromSeconds(10),
                }
            )
        );

    [TestCaseSource(nameof(Ranges))]
    public void A_limit_is_valid_up_to_both_ends_of_its_range(
        string name,
        long minimum,
        long maximum,
        Func<long, BrokerLimits> limits
    )
    {
        Assert.That(limits(minimum).Validate(), Is.Empty);
        Assert.That(limits(maximum).Validate(), Is.Empty);
        foreach (var wrong in new[] { minimum - 1, maximum + 1 })
            Assert.That(
                limits(wrong).Validate(),
                Is.EqualTo([$"{name} is {wrong}; allowed is {minimum} .. {maximum}."])
            );
    }

    [Test]
    public void There_is_no_QoS_3() =>
        Assert.That(
            new BrokerLimits { MaximumQos = (QualityOfService)3 }.Validate(),
            Is.EqualTo(["MaximumQos is 3; allowed is 0 .. 2."])
        );

    private static IEnumerable<TestCaseData> Ranges()
    {
        const long terabyte = 1_099_511_627_776;
        return
        [
            Range("Connections", 1, 1_000_000, v => new BrokerLimits { Connections = (int)v }),
            Range("Sessions", 1, 10_000_000, v => new BrokerLimits { Sessions = (int)v }),
            Range("SubscriptionsPerSession", 1, 1_000_000, v => new BrokerLimits { SubscriptionsPerSession = (int)v }),
            Range("TopicLevels", 1, 1000, v => new BrokerLimits { TopicLevels = (int)v }),
            Range("PacketBytes", 64, 268_435_460, v => new BrokerLimits { PacketBytes = (int)v }),
            Range("InFlightPerClient", 1, 65_535, v => new BrokerLimits { InFlightPerClient = (int)v }),
            Range("ReceiveMaximum", 1, 65_535, v => new BrokerLimits { ReceiveMaximum = (int)v }),
            Range(
                "QueuedMessagesPerSession",
                0,
                100_000_000,
                v => new BrokerLimits { QueuedMessagesPerSession = (int)v }
            ),
            Range("QueuedBytesPerSession", 0, terabyte, v => new BrokerLimits { QueuedBytesPerSession = v }),
            Range("RetainedMessages", 0, 100_000_000, v => new BrokerLimits { RetainedMessages = (int)v }),
            Range("RetainedBytes", 0, terabyte, v => new BrokerLimits { RetainedBytes = v }),
            Range("TopicAliasMaximum", 0, 65_535, v => new BrokerLimits { TopicAliasMaximum = (int)v }),
            Range("ClientIdentifierBytes", 23, 65_535, v => new BrokerLimits { ClientIdentifierBytes = (int)v }),
            Range("KeepAliveSeconds", 0, 65_535, v => new BrokerLimits { KeepAliveSeconds = (int)v }),
            Range(
                "ConnectTimeout in ms",
                1,
                3_600_000,
                v => new BrokerLimits { ConnectTimeout = TimeSpan.FromMilliseconds(v) }
            ),
        ];

        static TestCaseData Range(string name, long minimum, long maximum, Func<long, BrokerLimits> limits) =>
            new TestCaseData(name, minimum, maximum, limits).SetArgDisplayNames(name);
    }
}
