using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Model;

/// <summary>What is known of one subscription, and which retained messages it brings.</summary>
[TestFixture]
internal sealed class SubscriptionStateTests
{
    // "$share/" is a part of the filter in MQTT 5 only (section 4.8.2).
    [TestCase("$share/g/x/a", ProtocolVersion.V5, ExpectedResult = true)]
    [TestCase("$share/g/x/a", ProtocolVersion.V311, ExpectedResult = false)]
    [TestCase("x/a", ProtocolVersion.V5, ExpectedResult = false)]
    [TestCase("x/a", ProtocolVersion.V311, ExpectedResult = false)]
    public bool A_subscription_is_shared_by_its_first_level(string filter, ProtocolVersion version)
    {
        var subscription = new SubscriptionState(filter, version);
        Assert.That(subscription.Plain, Is.EqualTo("x/a"), "the share name is no part of what is matched");
        return subscription.IsShared;
    }

    [TestCase(false, 1, 0, ExpectedResult = true)]
    [TestCase(true, 1, 0, ExpectedResult = false)]
    [TestCase(false, 0, 0, ExpectedResult = false)]
    [TestCase(false, 2, 0, ExpectedResult = false)]
    [TestCase(false, 1, 1, ExpectedResult = false)]
    public bool A_subscription_is_certain_when_one_is_there_and_no_request_is_under_way(
        bool maybeAbsent,
        int variants,
        int pending
    )
    {
        var subscription = new SubscriptionState("x/a", ProtocolVersion.V5)
        {
            MaybeAbsent = maybeAbsent,
            Pending = pending,
        };
        for (var i = 0; i < variants; i++)
            subscription.Variants.Add(new SubscriptionVariant((QualityOfService)i, false, false, 0));
        return subscription.IsCertain;
    }

    // A new subscription gets the last message retained on each topic (MQTT-3.3.1-6; 5: MQTT-3.3.1-9). One that is made
    // again gets it again (MQTT-3.8.4-3; 5: MQTT-3.8.4-4).
    [TestCase("x/a", false, "retained-kept")]
    [TestCase("$share/g/x/a", false, "retained-kept")]
    [TestCase("x/+", false, "retained-sent")]
    [TestCase("x/a", true, "retained-sent-again")]
    [TestCase("x/+", true, "retained-sent-again")]
    public void A_retained_message_that_does_not_come_violates_the_statement_of_its_request(
        string filter,
        bool isRepeated,
        string statement
    )
    {
        var read = new RetainedRead(new SubscriptionState(filter, ProtocolVersion.V5), 1, 0, "x/a", 1)
        {
            IsRepeated = isRepeated,
        };
        Assert.That(read.Statement.Name, Is.EqualTo(statement));
    }

    // At least once is QoS 1 (4.3.2): a broker may have got or made the message twice. QoS 2 is exactly once (4.3.3),
    // and QoS 0 "arrives at the receiver either once or not at all" (4.3.1).
    [TestCase(0, 0, 0, ExpectedResult = false)]
    [TestCase(1, 0, 0, ExpectedResult = true)]
    [TestCase(2, 0, 0, ExpectedResult = false)]
    [TestCase(1, 1, 1, ExpectedResult = true)]
    [TestCase(2, 1, 1, ExpectedResult = true)]
    [TestCase(2, 2, 2, ExpectedResult = false)]
    [TestCase(1, 1, 0, ExpectedResult = false)]
    [TestCase(2, 2, 1, ExpectedResult = false)]
    public bool A_retained_message_may_come_twice_where_QoS_1_is_on_its_way(int published, int granted, int received)
    {
        var read = new RetainedRead(new SubscriptionState("x/a", ProtocolVersion.V5), 1, 0, "x/a", 1)
        {
            GrantBits = 1 << granted,
        };
        var publication = new Publication(1, 0, new PublishPacket { Qos = (QualityOfService)published }, 1);
        Assert.That(
            read.Brings(publication, (QualityOfService)received),
            Is.EqualTo(Math.Min(published, granted) == received)
        );
        return read.MayRepeat(publication, (QualityOfService)received);
    }
}
