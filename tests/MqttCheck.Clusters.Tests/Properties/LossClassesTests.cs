using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Properties;

namespace MqttCheck.Clusters.Tests.Properties;

/// <summary>Lost messages by their place in the stream of a publisher to a subscriber.</summary>
[TestFixture]
internal sealed class LossClassesTests
{
    // One letter for each message of a publisher: came, lost, unacknowledged and missing, recovered.
    [TestCase("clcllc", 0, 3, 0, 0)]
    [TestCase("llcc", 2, 0, 0, 0)]
    [TestCase("ccl", 0, 0, 1, 0)]
    [TestCase("lll", 0, 0, 0, 3)]
    [TestCase("ulcul", 1, 0, 1, 0)]
    public void A_loss_is_at_the_beginning_in_the_middle_at_the_end_or_whole(
        string stream,
        long beginning,
        long middle,
        long end,
        long whole
    ) =>
        Assert.That(
            LossClasses.Of(Stream(0, stream)),
            Is.EqualTo(new LossClasses(beginning, middle, end, whole, ReachedOthers: 0, Recovered: 0))
        );

    [Test]
    public void A_loss_at_one_subscriber_reached_another_and_what_nobody_acknowledged_may_have_come() =>
        Assert.That(
            LossClasses.Of([.. Stream(0, "clc"), .. Stream(1, "ccr"), .. Stream(2, "lll")]),
            Is.EqualTo(new LossClasses(0, 1, 0, 3, ReachedOthers: 4, Recovered: 1))
        );

    private static List<DeliveryPair> Stream(int subscriber, string letters) =>
        [
            .. letters.Select(
                (letter, place) =>
                    new DeliveryPair(
                        Message: place,
                        Publisher: 7,
                        subscriber,
                        Qos: 1,
                        PairState.Settled,
                        IsAcknowledged: letter is 'c' or 'l',
                        PublishedNanoseconds: place,
                        DeliveredNanoseconds: letter is 'c' or 'r' ? place + 1 : null,
                        Deliveries: letter is 'c' or 'r' ? 1 : 0
                    )
            ),
        ];
}
