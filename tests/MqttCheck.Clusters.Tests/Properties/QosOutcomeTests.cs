using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;

namespace MqttCheck.Clusters.Tests.Properties;

/// <summary>The fates of acknowledged messages, by their quality of service.</summary>
[TestFixture]
internal sealed class QosOutcomeTests
{
    [Test]
    public void What_is_owed_lost_and_repeated_is_counted_by_QoS()
    {
        var levels = QosOutcome.Of([
            Pair(0, qos: 1),
            Pair(1, qos: 1, deliveries: 0),
            Pair(2, qos: 1, deliveries: 0, isForgotten: true),
            Pair(3, qos: 1, deliveries: 0, isAcknowledged: false),
            Pair(4, qos: 1, deliveries: 0, state: PairState.Racing),
            Pair(5, qos: 2, deliveries: 3),
            Pair(6, qos: 0, deliveries: 0),
        ]);
        Assert.That(
            levels.Select(level => level with { Example = "" }),
            Is.EqualTo([
                new QosOutcome(1, Owed: 3, Lost: 2, LostOfForgotten: 1, Repeated: 0, ""),
                new QosOutcome(2, Owed: 1, Lost: 0, LostOfForgotten: 0, Repeated: 2, ""),
            ])
        );
    }

    [Test]
    public void The_example_is_the_first_loss_or_else_the_first_repeat()
    {
        var levels = QosOutcome.Of([
            Pair(0, qos: 1),
            Pair(1, qos: 1, deliveries: 0, isForgotten: true),
            Pair(2, qos: 1, deliveries: 0),
            Pair(3, qos: 2, deliveries: 2),
        ]);
        Assert.That(
            levels.Select(level => level.Example),
            Is.EqualTo([
                "message #2 of publisher 1, QoS 1, was published 1.000 s after the first one and acknowledged, and "
                    + "never came to reader 1, whose session the broker had forgotten",
                "message #4 of publisher 1, QoS 2, was published 3.000 s after the first one and came to reader 1 "
                    + "2 times",
            ])
        );
    }

    [Test]
    public void Without_a_loss_there_is_no_example() =>
        Assert.That(QosOutcome.Of([Pair(0, qos: 1, deliveries: 4)]).Single().Example, Is.Empty);

    private static DeliveryPair Pair(
        long message,
        int qos,
        int deliveries = 1,
        bool isAcknowledged = true,
        bool isForgotten = false,
        PairState state = PairState.Settled
    ) =>
        new(
            message,
            Publisher: 0,
            Subscriber: 8,
            qos,
            state,
            isAcknowledged,
            PublishedNanoseconds: message * 1_000_000_000,
            DeliveredNanoseconds: deliveries > 0 ? message * 1_000_000_000 + 1 : null,
            deliveries,
            isForgotten
        );
}
