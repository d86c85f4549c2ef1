using MqttCheck.ClusterProtocols.Hops;
using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.ClusterProtocols.Tests.Simulation;

namespace MqttCheck.ClusterProtocols.Tests.SpanningTree;

/// <summary>A node whose machine leaves it more or less free than before.</summary>
[TestFixture]
internal sealed class CapabilityChangeTests
{
    private const long At = 20 * Graphs.Second;

    // The graphs are a mesh, a diamond and a ring. The root of the others is n1 with 3, until it changes; n3 has 2.
    [TestCase("12:10 13:8 14:14 23:5 24:7 34:4", 0, 1, 3)]
    [TestCase("12:10 13:10 24:10 34:12", 0, 1, 3)]
    [TestCase("12:10 23:10 34:10 45:10 56:10 16:10", 0, 1, 3)]
    [TestCase("12:10 23:10 34:10 45:10 56:10 16:10", 0, 2.5, 1)]
    [TestCase("12:10 23:10 34:10 45:10 56:10 16:10", 0, 9, 1)]
    [TestCase("12:10 23:10 34:10 45:10 56:10 16:10", 3, 4, 4)]
    [TestCase("12:10 23:10 34:10 45:10 56:10 16:10", 3, -4, 1)]
    public void All_nodes_soon_name_the_fittest_one(string links, int changing, double capability, int root)
    {
        var topology = Graphs.Of(links, 3, 0, 2);
        var log = new EventLog();
        var plan = Graphs.Plan(topology, new SpanningTreeOptions(), 22);
        var cores = plan.Core;
        new ClusterSimulator(
            plan with
            {
                Core = (node, neighbours, output) =>
                    node == changing
                        ? new ChangingCore(cores(node, neighbours, output), capability)
                        : cores(node, neighbours, output),
            },
            log
        ).Run(1, 0);
        var tree = log.Tree(topology);
        Assert.That(
            Enumerable.Range(0, topology.Nodes.Count).Select(node => tree.Roots[node] + 1),
            Is.All.EqualTo(root)
        );
    }

    private sealed class ChangingCore(IClusterCore core, double capability) : IClusterCore
    {
        private long _due = At;

        public long NextDue => Math.Min(_due, core.NextDue);

        public void Start(ulong incarnation, long now) => core.Start(incarnation, now);

        public void LinkUp(int peer, long now) => core.LinkUp(peer, now);

        public void LinkDown(int peer, LinkEnd why, long now) => core.LinkDown(peer, why, now);

        public void Receive(int peer, in PeerMessage message, long now) => core.Receive(peer, message, now);

        public void Published(in RoutedMessage message, long now) => core.Published(message, now);

        public void InterestBegan(string filter, long now) => core.InterestBegan(filter, now);

        public void InterestEnded(string filter, long now) => core.InterestEnded(filter, now);

        public void Tick(long now)
        {
            if (now >= _due)
            {
                _due = long.MaxValue;
                core.CapabilityChanged(capability, now);
            }
            if (now >= core.NextDue)
                core.Tick(now);
        }
    }
}
