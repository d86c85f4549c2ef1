using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.ClusterProtocols.SpanningTree;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Tests.Simulation;

/// <summary>The graphs of the known answers, and plans to simulate them.</summary>
internal static class Graphs
{
    public const long Second = 1_000_000_000;
    public const long Millisecond = 1_000_000;

    /// <summary>Node pairs with their one-way delay in milliseconds, as <c>12:10</c>; nodes count from 1.</summary>
    public static Topology Of(string links, params double[] capabilities)
    {
        var parsed = links
            .Split(' ')
            .Select(link => new TopologyLink
            {
                From = link[0] - '1',
                To = link[1] - '1',
                DelayMilliseconds = new ConstantLaw(
                    double.Parse(link[3..], System.Globalization.CultureInfo.InvariantCulture)
                ),
            })
            .ToList();
        var count = parsed.Max(link => Math.Max(link.From, link.To)) + 1;
        return new Topology
        {
            Name = "graph",
            System = ClusterSystem.SpanningTree,
            Nodes =
            [
                .. Enumerable
                    .Range(0, count)
                    .Select(i => new TopologyNode
                    {
                        Name = $"n{i + 1}",
                        Capability = capabilities.ElementAtOrDefault(i),
                    }),
            ],
            Links = parsed,
        };
    }

    public static Topology Of(IEnumerable<(int From, int To)> links, Law delayMilliseconds)
    {
        TopologyLink[] parsed =
        [
            .. links.Select(link => new TopologyLink
            {
                From = link.From,
                To = link.To,
                DelayMilliseconds = delayMilliseconds,
            }),
        ];
        var count = parsed.Max(link => Math.Max(link.From, link.To)) + 1;
        return new Topology
        {
            Name = "graph",
            System = ClusterSystem.SpanningTree,
            Nodes = [.. Enumerable.Range(0, count).Select(i => new TopologyNode { Name = $"n{i + 1}" })],
            Links = parsed,
        };
    }

    public static IEnumerable<(int From, int To)> Mesh(int nodes) =>
        from a in Enumerable.Range(0, nodes)
        from b in Enumerable.Range(a + 1, nodes - a - 1)
        select (a, b);

    public static IEnumerable<(int From, int To)> Ring(int nodes) =>
        Enumerable.Range(0, nodes).Select(a => (a, (a + 1) % nodes));

    public static IEnumerable<(int From, int To)> Grid(int rows, int columns)
    {
        for (var node = 0; node < rows * columns; node++)
        {
            if ((node + 1) % columns != 0)
                yield return (node, node + 1);
            if (node + columns < rows * columns)
                yield return (node, node + columns);
        }
    }

    public static SimulationPlan Plan(
        Topology topology,
        SpanningTreeOptions options,
        double seconds,
        params SimulationStep[] steps
    ) =>
        new()
        {
            Topology = topology,
            Core = ClusterCores.SpanningTree(topology, options),
            DurationNanoseconds = (long)(seconds * Second),
            Steps = steps,
        };

    public static SimulationStep Start(int node, double seconds) => Fault(FaultKind.Join, node, seconds);

    public static SimulationStep Kill(int node, double seconds) => Fault(FaultKind.Kill, node, seconds);

    /// <summary>A fault of a node, or of the first link.</summary>
    public static SimulationStep Fault(FaultKind kind, int node, double seconds, bool begins = true) =>
        new()
        {
            Kind = begins ? SimulationStepKind.FaultBegins : SimulationStepKind.FaultEnds,
            Fault = kind,
            Node = node,
            AtNanoseconds = (long)(seconds * Second),
        };
}
