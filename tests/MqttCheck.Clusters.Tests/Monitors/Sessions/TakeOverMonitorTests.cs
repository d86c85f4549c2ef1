using MqttCheck.Clusters.Monitors.Sessions;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Sessions;

namespace MqttCheck.Clusters.Tests.Monitors.Sessions;

/// <summary>Planted histories of client 1, which connects at node b while it is connected at node a.</summary>
[TestFixture]
internal sealed class TakeOverMonitorTests
{
    // The client connects at b and subscribes there at 3 s; the bound is a second.
    private const long At = 3000;

    [TestCase(At - 5)]
    [TestCase(At + 5)]
    [TestCase(At + 1000)]
    public void An_older_connection_that_ends_within_the_bound_violates_nothing(long ended)
    {
        var monitor = Judge(Moved().Disconnected(ended, 1, 0).Published(6000, 1, "t").Delivered(6010, 1, 1, node: 1));
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(
            monitor.Remarks.Single().What,
            Is.EqualTo(
                "a client that connects at another node ends its older connection: "
                    + "0 of 1 older connections stayed, 0 messages came to both"
            )
        );
    }

    [Test]
    public void An_older_connection_that_stays_is_violated()
    {
        Assert.That(
            Judge(Moved()).Violations.Single().What,
            Is.EqualTo("client 1 connected at b while connected at a, and its older connection did not end")
        );
        Assert.That(
            Judge(Moved().Disconnected(At + 2500, 1, 0)).Violations.Single().What,
            Does.EndWith("its older connection ended 2.5 s later")
        );
    }

    [Test]
    public void A_message_that_was_published_later_and_came_to_the_older_connection_is_violated()
    {
        var tape = Moved()
            .Published(At + 500, 1, "t")
            .Delivered(At + 510, 1, 1, node: 0)
            .Published(At + 1500, 2, "t")
            .Delivered(At + 1510, 2, 1, node: 0)
            .Delivered(At + 1510, 2, 1, node: 1)
            .Disconnected(At + 2000, 1, 0);
        var violations = Judge(tape).Violations.Select(violation => violation.What).ToList();
        Assert.That(violations, Has.Count.EqualTo(2));
        Assert.That(violations[0], Does.EndWith("its older connection ended 2 s later"));
        Assert.That(violations[1], Does.EndWith("client 100 #2 came to its older connection later"));
    }

    [TestCase(At + 500, 0)]
    [TestCase(At + 1500, 1)]
    public void A_message_that_never_came_to_the_newer_connection_is_violated_when_it_had_settled(
        long published,
        int violations
    )
    {
        var monitor = Judge(Moved().Disconnected(At + 5, 1, 0).Published(published, 7, "t"));
        Assert.That(monitor.ViolationCount, Is.EqualTo(violations));
        if (violations > 0)
            Assert.That(monitor.Violations[0].What, Does.EndWith("client 100 #1 never came there"));
    }

    [Test]
    public void A_newer_connection_that_ends_is_owed_nothing_near_its_end()
    {
        var monitor = Judge(
            Moved().Disconnected(At + 5, 1, 0).Published(At + 2000, 7, "t").Disconnected(At + 2500, 1, 1)
        );
        Assert.That(monitor.Violations, Is.Empty);
    }

    // The node that the client moves to ends the newer connection, and the client connects there again.
    [Test]
    public void A_newer_connection_that_is_ended_in_place_of_the_older_one_is_violated()
    {
        var monitor = Judge(Moved().Disconnected(At + 10, 1, 1).Connected(At + 110, 1, 1));
        Assert.That(monitor.Violations.Single().What, Does.EndWith("its older connection did not end"));
    }

    [Test]
    public void A_fault_near_the_take_over_excuses_it()
    {
        var monitor = Judge(Moved().Fault(At + 500, At + 600, 0));
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(monitor.Remarks.Single().What, Does.Contain("0 of 0 older connections"));
    }

    [Test]
    public void A_client_that_is_not_accepted_at_the_other_node_is_violated()
    {
        var monitor = Judge(new EventTape().Connected(0, 1, 0).Subscribed(5, 1, "t"));
        Assert.That(monitor.Violations.Single().What, Is.EqualTo("1 of 1 clients were not accepted at another node"));
    }

    [Test]
    public void Without_a_promise_there_is_a_remark_with_the_counts()
    {
        var tape = Moved().Published(At + 2000, 1, "t").Delivered(At + 2005, 1, 1).Delivered(At + 2006, 1, 1, node: 1);
        var monitor = Judge(tape, ClusterSystem.SpanningTree);
        Assert.That(monitor.Violations, Is.Empty);
        Assert.That(
            monitor.Remarks.Single().What,
            Is.EqualTo(
                "a client identifier may be connected at each node: "
                    + "1 of 1 older connections stayed, 1 messages came to both"
            )
        );
    }

    private static EventTape Moved() =>
        new EventTape()
            .Connected(0, 1, 0)
            .Subscribed(5, 1, "t")
            .Connected(At, 1, 1)
            .Subscribed(At + 5, 1, "t", node: 1);

    private static TakeOverMonitor Judge(EventTape tape, ClusterSystem system = ClusterSystem.Pipeline) =>
        tape.PlayOfSessions(
            new TakeOverMonitor(1000 * EventTape.Millisecond, SystemPromises.Of(system), takeOvers: 1, EventTape.Names)
        );
}
