using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Monitors.Sessions;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;

namespace MqttCheck.Clusters.Tests.Monitors.Sessions;

/// <summary>Planted histories of a group with members 1 and 2 at two nodes, which settle within a second.</summary>
[TestFixture]
internal sealed class SharedSubscriptionMonitorTests
{
    private const string Filter = "$share/g/t";

    [Test]
    public void A_message_for_one_member_each_violates_nothing_and_is_counted()
    {
        var monitor = Judge(
            Group().Published(2000, 1, "t").Delivered(2010, 1, 1).Published(2100, 2, "t").Delivered(2110, 2, 2)
        );
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(
            monitor.Remarks.Single().What,
            Is.EqualTo("a shared subscription has one group in the whole cluster: 2 messages came 2 times")
        );
    }

    [Test]
    public void A_message_that_came_to_both_members_is_violated()
    {
        var monitor = Judge(Group().Published(2000, 1, "t").Delivered(2010, 1, 1).Delivered(2020, 1, 2, node: 1));
        Assert.That(
            monitor.Violations.Single().What,
            Is.EqualTo("client 100 #1 of $share/g/t came to the members 1 and 2")
        );
    }

    [Test]
    public void A_repeat_at_the_same_member_is_none()
    {
        var monitor = Judge(Group().Published(2000, 1, "t").Delivered(2010, 1, 1).Delivered(2020, 1, 1));
        Assert.That(monitor.Violations, Is.Empty);
    }

    [TestCase(true, 1)]
    [TestCase(false, 0)]
    public void A_message_that_came_to_no_member_is_violated_if_it_was_acknowledged(bool isAcknowledged, int violations)
    {
        var monitor = Judge(Group().Published(2000, 1, "t", isAcknowledged: isAcknowledged));
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
        Assert.That(monitor.Remarks.Single().What, Does.EndWith("1 messages came 0 times, 1 of them to nobody"));
    }

    [TestCase(1500, 0)]
    [TestCase(2500, 0)]
    [TestCase(4000, 1)]
    public void A_member_that_left_may_have_taken_the_message_with_it(long left, int violations)
    {
        var monitor = Judge(Group().Published(2000, 1, "t").Disconnected(left, 2, 1));
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
    }

    [Test]
    public void A_slow_member_may_hold_a_message_for_as_long_as_others_took()
    {
        var monitor = Judge(
            Group().Published(2000, 1, "t").Published(2100, 2, "t").Delivered(5100, 2, 1).Disconnected(4500, 2, 1)
        );
        Assert.That(monitor.Violations, Is.Empty);
    }

    [TestCase(2500, 2600, 0)]
    [TestCase(100, 900, 1)]
    [TestCase(3500, 3600, 1)]
    public void A_fault_near_the_message_excuses_it(long begin, long end, int violations)
    {
        var monitor = Judge(Group().Published(2000, 1, "t").Fault(begin, end, 1));
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
    }

    [Test]
    public void A_message_before_the_group_has_settled_or_near_the_end_is_not_judged()
    {
        var monitor = Judge(Group().Published(500, 1, "t").Published(59_500, 2, "t"));
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(monitor.Remarks.Single().What, Does.EndWith("0 messages came 0 times"));
    }

    [Test]
    public void A_group_without_a_granted_subscription_is_violated()
    {
        var monitor = Judge(new EventTape().Published(2000, 1, "t"));
        Assert.That(monitor.Violations.Single().What, Is.EqualTo("1 of 1 groups were granted no subscription"));
    }

    [TestCase(ClusterSystem.SpanningTree, "each node has its own group of a shared subscription")]
    [TestCase(ClusterSystem.Running, "nothing is promised of shared subscriptions")]
    public void Without_a_promise_there_is_a_remark_with_the_counts(ClusterSystem system, string clause)
    {
        var tape = Group();
        for (var message = 1; message <= 10; message++)
            tape.Published(2000 + message, message, "t")
                .Delivered(2050, message, 1)
                .Delivered(2060, message, 2, node: 1);
        var monitor = Judge(tape.Published(2500, 11, "t"), system);
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(
            monitor.Remarks.Single().What,
            Is.EqualTo($"{clause}: 11 messages came 20 times, 1 of them to nobody")
        );
    }

    // Each bit of a number stands for a member that got the message.
    [Test]
    public void Exactly_the_messages_that_came_to_none_or_to_both_are_violated() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(200),
            Prop.ForAll(
                Gen.Choose(0, 3).ListOf().ToArbitrary(),
                receivers =>
                {
                    var tape = Group();
                    foreach (var (message, members) in receivers.Index())
                    {
                        tape.Published(2000 + message, message, "t");
                        foreach (var member in (int[])[1, 2])
                            if ((members & member) != 0)
                                tape.Delivered(2100 + message, message, member, node: member - 1);
                    }
                    return Judge(tape).ViolationCount == receivers.Count(members => members is 0 or 3);
                }
            )
        );

    private static EventTape Group() => new EventTape().Subscribed(0, 1, Filter).Subscribed(0, 2, Filter, node: 1);

    private static SharedSubscriptionMonitor Judge(EventTape tape, ClusterSystem system = ClusterSystem.Pipeline) =>
        tape.PlayOfSessions(
            new SharedSubscriptionMonitor(1000 * EventTape.Millisecond, SystemPromises.Of(system), groups: 1)
        );
}
