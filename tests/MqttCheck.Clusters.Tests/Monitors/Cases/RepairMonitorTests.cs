using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors.Cases;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Tests.Monitors.Cases;

[TestFixture]
internal sealed class RepairMonitorTests
{
    private const long Bound = 10_000;

    // A line of two nodes is left, so three times 10 ms are enough.
    [TestCase(20_030, 0)]
    [TestCase(20_031, 1)]
    public void A_node_that_names_a_lost_root_for_longer_than_messages_take_is_a_violation(int milliseconds, int count)
    {
        var monitor = new RepairMonitor(Of("line:3"), Bound * EventTape.Millisecond, new HashSet<int>());
        for (var node = 0; node < 3; node++)
            monitor.Add(Event(0, ClusterEventKind.RootChanged, node, 0));
        monitor.Add(Event(20_000, ClusterEventKind.FaultBegan, 0) with { Fault = FaultKind.Kill });
        monitor.Add(Event(20_010, ClusterEventKind.RootChanged, 1, 1));
        monitor.Add(Event(milliseconds, ClusterEventKind.RootChanged, 2, 1));
        monitor.End(90_000 * EventTape.Millisecond);
        Assert.That(monitor.Violations, Has.Count.EqualTo(count));
    }

    [Test]
    public void A_fault_soon_after_another_one_is_not_judged()
    {
        var monitor = new RepairMonitor(Of("line:3"), Bound * EventTape.Millisecond, new HashSet<int>());
        monitor.Add(Event(9_000, ClusterEventKind.FaultBegan, 0) with { Fault = FaultKind.Kill });
        monitor.End(90_000 * EventTape.Millisecond);
        Assert.That(monitor.Violations, Is.Empty);
    }

    [Test]
    public void A_bound_is_known_for_the_safe_rules_without_rates()
    {
        var line = Of("line:3");
        Assert.That(RepairMonitor.Judges(line), Is.True);
        Assert.That(RepairMonitor.Judges(line with { Rules = TreeRules.Silent }), Is.False);
        Assert.That(
            RepairMonitor.Judges(
                line with
                {
                    Links = [.. line.Links.Select(link => link with { BitsPerSecond = 1e6 })],
                }
            ),
            Is.False
        );
    }

    private static Topology Of(string family)
    {
        var topology = TopologyFile.Read(family);
        return topology with
        {
            Links = [.. topology.Links.Select(link => link with { DelayMilliseconds = new ConstantLaw(10) })],
        };
    }

    private static ClusterEvent Event(long milliseconds, ClusterEventKind kind, int node, int peer = -1) =>
        new()
        {
            Nanoseconds = milliseconds * EventTape.Millisecond,
            Kind = kind,
            Node = node,
            Peer = peer,
        };
}
