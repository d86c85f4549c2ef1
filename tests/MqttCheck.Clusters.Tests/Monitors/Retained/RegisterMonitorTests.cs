using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Retained;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Clusters.Tests.Monitors.Retained;

[TestFixture]
internal sealed class RegisterMonitorTests
{
    [Test]
    public void Nodes_that_differ_violate_what_bridges_promise_and_are_reported_of_other_systems()
    {
        var tape = Written().Read(3000, 6, node: 0).Read(3000, 5, node: 1);
        const string found = "the retained message of t is #2 at a, #1 at b: 0.200 s wrote #2 at a, until 0.200 s";
        Assert.That(Judge(tape, "bridge-pair"), Is.EqualTo(((string[])[found], (string[])[])));
        Assert.That(Judge(tape, "rabbitmq-3"), Is.EqualTo(((string[])[], (string[])[found])));
    }

    [Test]
    public void A_node_that_was_asked_and_has_none_is_named_unless_no_bridge_reaches_it()
    {
        var tape = Written().Read(3000, 6, node: 0).Read(3000, null, node: 1);
        Assert.That(
            Judge(tape, "bridge-pair").Violated.Single(),
            Does.StartWith("the retained message of t is #2 at a, missing at b")
        );
        Assert.That(Judge(tape, "bridge-pair", (_, to, _) => to == 0), Is.EqualTo(((string[])[], (string[])[])));
    }

    [Test]
    public void Nodes_that_agree_on_an_old_value_violate_it_too()
    {
        var tape = Written().Read(3000, 5, node: 0).Read(3000, 5, node: 1);
        Assert.That(Judge(tape, "bridge-pair").Violated, Has.Length.EqualTo(1));
    }

    [Test]
    public void Nodes_may_agree_on_either_of_two_values_that_were_written_at_one_time()
    {
        foreach (var value in (long[])[6, 7])
        {
            var tape = Written();
            tape.Add(ClusterEventKind.Published, 200, 7, node: 1, isRetained: true);
            tape.Read(3000, value, node: 0).Read(3000, value, node: 1);
            Assert.That(Judge(tape, "bridge-pair").Violated, Is.Empty, $"{value}");
        }
    }

    [Test]
    public void Near_a_fault_bridges_promise_nothing()
    {
        var tape = Written().Read(3000, 6, node: 0).Read(3000, 5, node: 1);
        tape.Tape.Fault(100, 200, node: 0, peer: 1);
        var (violated, reported) = Judge(tape, "bridge-pair");
        Assert.That((violated.Length, reported.Length), Is.EqualTo((0, 1)));
    }

    [Test]
    public void A_stale_read_of_one_memory_is_violated_in_the_middle_of_a_run()
    {
        var stale = Written().Read(250, 5, node: 1).Read(3000, 6, node: 0).Read(3000, 6, node: 1);
        Assert.That(
            Judge(stale, "aedes-redis-2").Violated.Single(),
            Is.EqualTo(
                "no order explains what was read of the retained message of t: 0.100 s wrote #1 at a, until 0.100 s; "
                    + "0.200 s wrote #2 at a, until 0.200 s; 0.250 s read #1 at b, until 0.251 s"
            )
        );
        Assert.That(Judge(stale, "bridge-pair").Violated, Is.Empty, "bridges only promise to agree at the end");
        var right = Written().Read(150, 5, node: 1).Read(250, 6, node: 1).Read(3000, 6, node: 0);
        Assert.That(Judge(right, "aedes-redis-2").Violated, Is.Empty);
    }

    [Test]
    public void One_memory_that_has_died_promises_nothing()
    {
        var topology = TopologyFile.Read("aedes-redis-2");
        var store = topology.NodeIndex("store");
        var tape = Written().Read(3000, null, node: 1);
        Assert.That(Judge(tape, "aedes-redis-2").Violated, Has.Length.EqualTo(1));
        tape.Tape.Fault(300, 400, node: store);
        tape.Tape.Events[^2] = tape.Tape.Events[^2] with { Fault = FaultKind.Kill };
        Assert.That(Judge(tape, "aedes-redis-2").Violated, Is.Empty);
    }

    // The values 5 and 6, one after the other.
    private static RetainedTape Written()
    {
        var tape = new RetainedTape();
        foreach (var (at, value) in (ReadOnlySpan<(long, long)>)[(100, 5), (200, 6)])
        {
            tape.Add(ClusterEventKind.Published, at, value, node: 0, isRetained: true);
            tape.Add(ClusterEventKind.Acknowledged, at, value, node: 0, isRetained: true);
        }
        return tape;
    }

    private static (string[] Violated, string[] Reported) Judge(
        RetainedTape tape,
        string topologyName,
        Func<int, int, string, bool>? reaches = null
    )
    {
        var topology = TopologyFile.Read(topologyName);
        string[] Of(bool decides) =>
            [
                .. tape
                    .Tape.Play(new RegisterMonitor(topology, reaches, EventTape.Time, decides))
                    .Violations.Select(violation => violation.What),
            ];
        return (Of(decides: true), Of(decides: false));
    }

    private sealed class RetainedTape
    {
        public EventTape Tape { get; } = new();

        public void Add(ClusterEventKind kind, long at, long value, int node, bool isRetained, long asked = 0) =>
            Tape.Events.Add(
                new ClusterEvent
                {
                    Nanoseconds = at * EventTape.Millisecond,
                    Kind = kind,
                    Node = node,
                    Message = value,
                    Topic = kind == ClusterEventKind.Subscribed ? "+" : "t",
                    IsRetained = isRetained,
                    Value = asked * EventTape.Millisecond,
                }
            );

        // A node is asked, and gives a value a millisecond later, or nothing.
        public RetainedTape Read(long at, long? value, int node)
        {
            Add(ClusterEventKind.Subscribed, at + 1, -1, node, isRetained: true, asked: at);
            if (value is { } one)
                Add(ClusterEventKind.Delivered, at + 1, one, node, isRetained: true, asked: at);
            return this;
        }
    }
}
