using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Tests.Model;

/// <summary>
/// One member of a shared subscription gets each message (MQTT 5, section 4.8.2); here A and B are its members.
/// </summary>
[TestFixture]
internal sealed class SharedDeliveryTests
{
    private const string Group = "$share/g/x/a";

    private static Publication Published =>
        new(1, 2, new PublishPacket { Topic = "x/a", Qos = QualityOfService.AtLeastOnce }, 1);

    [Test]
    public void The_members_are_undisturbed_while_nobody_leaves_or_joins()
    {
        SharedMember[] members = [Member(0), Member(1)];
        var delivery = new SharedDelivery(Published, Group, members);
        Assert.That(delivery.IsUndisturbed, Is.True);
        Assert.That(delivery.IsUndisturbed, Is.True, "asking changes nothing");
        Assert.That((delivery.Filter, delivery.IsDue, delivery.Members), Is.EqualTo((Group, false, members)));
    }

    [Test]
    public void Who_joins_may_be_chosen()
    {
        var delivery = new SharedDelivery(Published, Group, [Member(0), Member(1)]);
        delivery.Join();
        Assert.That(delivery.IsUndisturbed, Is.False);
    }

    // What was on its way to a member that left may be lost with its session, also when it is back.
    [Test]
    public void A_member_that_was_away_may_have_been_chosen([Values(0, 1)] int which)
    {
        SharedMember[] members = [Member(0), Member(1)];
        var delivery = new SharedDelivery(Published, Group, members);
        members[which].Connection.IsClosed = true;
        Assert.That(delivery.IsUndisturbed, Is.False);
        Assert.That(delivery.IsUndisturbed, Is.False, "asking changes nothing");
        members[which].Connection.IsClosed = false;
        Assert.That(delivery.IsUndisturbed, Is.False);
    }

    [TestCase(false, 0, false)]
    [TestCase(true, 0, false)]
    [TestCase(true, 1, true)]
    public void A_copy_at_one_member_is_enough(bool isExpected, int copies, bool hasCopy)
    {
        var publication = Published;
        var member = Member(1);
        var expected = new ExpectedDelivery(publication);
        if (isExpected)
            member.Session.Expected[publication] = expected;
        for (var i = 0; i < copies; i++)
            expected.Copies.Add(new Copy(QualityOfService.AtLeastOnce, 3));
        Assert.That(new SharedDelivery(publication, Group, [Member(0), member]).HasCopy, Is.EqualTo(hasCopy));
    }

    [Test]
    public void A_member_is_undisturbed_while_its_connection_and_its_subscription_stay()
    {
        Action<SharedMember>[] disturbances =
        [
            member => member.Session.Connection = new ObservedConnection(5),
            member => member.Session.Connection = null,
            member => member.Connection.IsClosed = true,
            member => member.Connection.Disconnected = true,
            member => member.Connection.Defect = "will-qos-3",
            member => member.Connection.IsTakenOver = true,
            member => member.Subscription.LastRequest = 4,
            member => member.Subscription.MaybeAbsent = true,
            member => member.Subscription.Pending = 1,
        ];
        Assert.That(Member(0).IsUndisturbed, Is.True);
        foreach (var disturb in disturbances)
        {
            var member = Member(0);
            disturb(member);
            Assert.That(member.IsUndisturbed, Is.False, $"number {Array.IndexOf(disturbances, disturb)}");
        }
    }

    private static SharedMember Member(int client)
    {
        var connection = new ObservedConnection(client) { IsAccepted = true };
        var subscription = new SubscriptionState(Group, ProtocolVersion.V5) { MaybeAbsent = false, LastRequest = 3 };
        subscription.Variants.Add(new SubscriptionVariant(QualityOfService.AtLeastOnce, false, false, 0));
        var session = new ClientSession(client) { Connection = connection };
        return new SharedMember(session, connection, subscription, subscription.LastRequest);
    }
}
