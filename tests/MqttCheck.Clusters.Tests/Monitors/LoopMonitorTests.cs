using FsCheck;
using FsCheck.Fluent;
using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Tests.Topologies.Files;
using MqttCheck.Clusters.Topologies.Bridges;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class LoopMonitorTests
{
    private const long Drain = 5_000 * EventTape.Millisecond;

    [Test]
    public void Messages_that_spread_over_a_tree_violate_nothing_and_one_more_crossing_does() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(
                Trees().ToArbitrary(),
                tree =>
                {
                    var tape = Spread(tree.Parents, tree.Messages);
                    var isSilent = Play(tape).ViolationCount == 0;
                    var (message, node) = (tree.Planted % tree.Messages, 1 + tree.Planted % (tree.Parents.Length - 1));
                    tape.Crossed(900, message, tree.Parents[node], node);
                    return (isSilent && Play(tape).ViolationCount >= 1).Label($"{string.Join(' ', tree.Parents)}");
                }
            )
        );

    [Test]
    public void A_message_that_comes_back_to_its_publisher_is_a_violation_with_its_name()
    {
        var monitor = Play(new EventTape().Published(0, 7, "t", node: 0).Crossed(1, 7, 0, 1).Crossed(2, 7, 1, 0));
        Assert.That(
            (monitor.Violations.Single().What, monitor.Violations.Single().Nanoseconds),
            Is.EqualTo(("message 7 came back to a", 2 * EventTape.Millisecond))
        );
    }

    [Test]
    public void A_fault_allows_what_was_not_acknowledged_to_be_sent_once_more_and_no_more()
    {
        var tape = new EventTape().Published(0, 7, "t").Crossed(1, 7, 0, 1).Fault(2, null, 0, 1).Crossed(3, 7, 0, 1);
        Assert.That(Play(tape).ViolationCount, Is.Zero);
        Assert.That(Play(tape.Crossed(4, 7, 0, 1)).ViolationCount, Is.EqualTo(2), "the link and the node");
    }

    // The messages that a killed node did not acknowledge, by a bridge that connects twice before the node is back.
    [Test]
    public void Each_connection_of_a_link_may_send_once_more_what_was_not_acknowledged()
    {
        var tape = new EventTape().Published(0, 7, "t", node: 0).Fault(1, 9, 1).Crossed(2, 7, 0, 1);
        tape.Opened(3, 0, 1).Crossed(4, 7, 0, 1).Opened(5, 0, 1).Crossed(6, 7, 0, 1);
        Assert.That(Play(tape).ViolationCount, Is.Zero);
        Assert.That(Play(tape.Crossed(7, 7, 0, 1)).ViolationCount, Is.EqualTo(2), "the link and the node");
    }

    [Test]
    public void A_message_that_goes_round_while_connections_fail_is_a_loop()
    {
        var tape = new EventTape().Published(0, 7, "t", node: 0);
        for (var turn = 1; turn < 100; turn++)
        {
            if (turn % 10 == 0)
                tape.Opened(turn, 0, 1);
            tape.Crossed(turn, 7, 0, 1).Crossed(turn, 7, 1, 0);
        }
        Assert.That(Play(tape).ViolationCount, Is.GreaterThan(300));
    }

    [Test]
    public void A_link_that_sends_again_is_no_loop_and_a_message_that_comes_by_another_way_is()
    {
        var tape = new EventTape().Published(0, 7, "t").Crossed(1, 7, 0, 1).Crossed(2, 7, 0, 1);
        Assert.That(Play(tape, sendsAgain: true).ViolationCount, Is.Zero);
        Assert.That(
            Play(tape.Crossed(3, 7, 2, 1), sendsAgain: true).Violations.Single().What,
            Is.EqualTo("message 7 reached b 2 times")
        );
    }

    [TestCase(ClusterEventKind.ParentChanged)]
    [TestCase(ClusterEventKind.TopicParentChanged)]
    public void While_a_tree_changes_copies_are_none_and_afterwards_they_are_one(ClusterEventKind change)
    {
        var tape = new EventTape()
            .Published(0, 7, "t")
            .Crossed(1, 7, 0, 1)
            .ParentChanged(2, node: 1, parent: 2, change)
            .Crossed(3, 7, 2, 1)
            .Crossed(500, 7, 3, 1);
        Assert.That(Play(tape, grace: 100).Violations.Single().What, Is.EqualTo("message 7 reached b 3 times"));
    }

    // As happens when a node leaves: all others flood the message, and send it again because its connections end.
    [Test]
    public void While_a_tree_changes_copies_from_several_nodes_are_no_loop_and_many_on_one_link_are()
    {
        var nodes = EventTape.Names.Length;
        var tape = new EventTape().Published(0, 7, "t", node: 0).ParentChanged(1, node: 1, parent: 2);
        for (var turn = 0; turn < nodes; turn++)
        for (var from = 1; from < nodes; from++)
            tape.Crossed(2, 7, from, 0);
        Assert.That(Play(tape, grace: 100).ViolationCount, Is.Zero);
        Assert.That(
            Play(tape.Crossed(3, 7, 1, 0), grace: 100).Violations.Single().What,
            Is.EqualTo($"message 7 entered the link b -> a {nodes + 1} times")
        );
    }

    [Test]
    public void Traffic_that_goes_on_after_the_last_publication_is_a_violation()
    {
        var tape = new EventTape().Published(0, 7, "t").Crossed(4_999, 7, 0, 1);
        Assert.That(Play(tape).ViolationCount, Is.Zero);
        Assert.That(
            Play(tape.Crossed(5_001, 7, 1, 2)).Violations.Single().What,
            Does.EndWith("5001 ms after the last publication")
        );
    }

    [Test]
    public void Many_violations_are_counted_and_the_first_are_kept()
    {
        var tape = new EventTape().Published(0, 7, "t");
        for (var turn = 0; turn < 1000; turn++)
            tape.Crossed(turn, 7, 0, 1);
        var monitor = Play(tape);
        Assert.That((monitor.Violations.Count, monitor.ViolationCount), Is.EqualTo((20, 1998L)));
    }

    [Test]
    public void Copies_that_parallel_bridges_make_are_no_loop_and_one_more_is()
    {
        // Both bridges take messages from a to b: one sends them, and the other one fetches them.
        var topology = TopologyFileTests.Parse(
            """
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# out" }, { "between": ["b", "a"], "topics": "# in" } ] }
            """
        );
        var tape = new EventTape().Published(0, 7, "t").Crossed(1, 7, 0, 1).Crossed(2, 7, 0, 1);
        Assert.That(Play().ViolationCount, Is.Zero);
        tape.Crossed(3, 7, 0, 1);
        Assert.That(Play().ViolationCount, Is.EqualTo(2), "the link and the node");

        LoopMonitor Play() => tape.Play(new LoopMonitor(Drain, EventTape.Names, copies: new BridgeCopies(topology)));
    }

    [Test]
    public void An_echo_that_comes_back_once_is_no_loop_and_a_second_one_is()
    {
        var topology = TopologyFileTests.Parse(
            """
            { "name": "x", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": "# out 0 \"\" up/" },
                { "between": ["b", "a"], "topics": "up/mqttcheck/# out 0 up/mqttcheck/ down/" } ],
              "sites": [ { "name": "p", "at": "a", "publishers": 1 }, { "name": "s", "at": "b", "subscribers": 1 } ] }
            """
        );
        var copies = new BridgeCopies(topology);
        Assert.That(copies.Arrivals(0), Is.EqualTo(1), "the echo");
        var tape = new EventTape().Published(0, 7, "t").Crossed(1, 7, 0, 1).Crossed(2, 7, 1, 0);
        Assert.That(tape.Play(new LoopMonitor(Drain, EventTape.Names, copies: copies)).ViolationCount, Is.Zero);
        tape.Crossed(3, 7, 0, 1).Crossed(4, 7, 1, 0);
        Assert.That(
            tape.Play(new LoopMonitor(Drain, EventTape.Names, copies: copies)).Violations[^1].What,
            Is.EqualTo("message 7 came back to a")
        );
    }

    // After a change of the tree, copies are excused for the grace in milliseconds.
    private static LoopMonitor Play(EventTape tape, long grace = 0, bool sendsAgain = false) =>
        tape.Play(new LoopMonitor(Drain, EventTape.Names, grace * EventTape.Millisecond, sendsAgain));

    // Node 0 publishes; every other node has one parent.
    private static EventTape Spread(int[] parents, int messages)
    {
        var tape = new EventTape();
        for (var message = 0; message < messages; message++)
        {
            tape.Published(message, message, "t", node: 0);
            for (var node = 1; node < parents.Length; node++)
                tape.Crossed(100 + message + node, message, parents[node], node);
        }
        return tape;
    }

    private static Gen<(int[] Parents, int Messages, int Planted)> Trees() =>
        from nodes in Gen.Choose(2, 4)
        from draws in Gen.Choose(0, 11).ListOf(nodes)
        from messages in Gen.Choose(1, 5)
        from planted in Gen.Choose(0, 100)
        select (draws.Select((draw, node) => node == 0 ? -1 : draw % node).ToArray(), messages, planted);
}
