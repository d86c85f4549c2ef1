using MqttCheck.Clusters.Events;
using MqttCheck.Clusters.Monitors;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.Clusters.Tests.Monitors;

[TestFixture]
internal sealed class TreeMonitorTests
{
    private static readonly Topology s_mesh = TopologyFile.Read("mesh:2", ClusterSystem.SpanningTree);

    // The second node is as fit as the first by the file, and equal ones are settled by their order.
    [Test]
    public void A_root_that_is_not_the_fittest_of_the_file_is_reported() =>
        Assert.That(SecondNodeLeads(s_mesh), Does.Contain("fittest root"));

    [Test]
    public void A_root_that_its_machine_makes_the_fittest_is_not_reported() =>
        Assert.That(
            SecondNodeLeads(s_mesh with { Machine = new MachineCapability() }),
            Does.Not.Contain("fittest root")
        );

    // No links are told of, so that the tree is reported too.
    private static IEnumerable<string> SecondNodeLeads(Topology topology)
    {
        var monitor = RunMonitors
            .Of(topology, TimeSpan.FromSeconds(1), boundNanoseconds: 1_000_000_000, startNanoseconds: 0)
            .OfType<TreeMonitor>()
            .Single();
        foreach (var node in new[] { 0, 1 })
            monitor.Add(Of(ClusterEventKind.RootChanged, node, 1));
        monitor.Add(Of(ClusterEventKind.ParentChanged, 0, 1));
        monitor.End(5_000_000_000);
        return monitor.Violations.Select(violation => violation.Invariant);
    }

    private static ClusterEvent Of(ClusterEventKind kind, int node, int peer) =>
        new()
        {
            Nanoseconds = 1,
            Kind = kind,
            Node = node,
            Peer = peer,
        };
}
