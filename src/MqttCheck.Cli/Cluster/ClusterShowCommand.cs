using System.CommandLine;
using MqttCheck.App.Clusters.Runs;
using MqttCheck.App.Clusters.Show;
using MqttCheck.Cli.Cluster.Configurations;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Mosquitto;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Bridges;
using MqttCheck.Clusters.Topologies.Sessions;
using MqttCheck.LiveClusters.Recipes;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.Cli.Cluster;

/// <summary><c>mqttcheck cluster show</c>: what files say of a cluster, before anything runs.</summary>
internal static class ClusterShowCommand
{
    private const int MostRoutes = 40;
    private const int MostRepeats = 6;
    private const string WithoutEnd = "without end";

    /// <summary>The command.</summary>
    public static Command Create(Screen screen)
    {
        var given = ClusterOptions.Given();
        var system = ClusterOptions.FamilySystem();
        var configurations = new ConfOptions();
        var command = new Command(
            "show",
            "Shows nodes and links of a cluster, the routes, loops and copies of its bridges by topic, its tree, and "
                + $"the messages expected on each link. {ConfOptions.Answers} Nothing is started. Exit code 1 if there "
                + "is a loop, or a broker gets a message twice."
        )
        {
            given,
            system,
        };
        configurations.AddTo(command);
        command.Concludes(
            (parse, _) =>
            {
                var answer =
                    configurations.Single(parse, parse.GetValue(given)!) is { } single
                        ? ClusterShowStage.Of(SingleBroker.TopologyOf(single))
                    : configurations.Read(parse, parse.GetValue(given)!) is { } cluster ? ClusterShowStage.Of(cluster)
                    : ClusterShowStage.Of(ClusterOptions.Read(parse, parse.GetValue(given)!, system)[0]);
                Print(screen, answer);
                return Task.FromResult(answer.Conclusion);
            }
        );
        return command;
    }

    private static void Print(Screen screen, ClusterShowAnswer answer)
    {
        var topology = answer.Topology;
        if (answer.Configurations is { } cluster)
            ConfText.PrintCluster(screen, cluster);
        else
            PrintTopology(screen, topology);
        if (answer.Routes.Count > 0)
            PrintRoutes(screen, topology, answer.Routes);
        if (answer.Configurations is not null)
            ConfText.PrintFindings(screen, answer.Findings);
        else
        {
            screen.Lines(answer.Loops.Select(loop => $"loop: {BridgeNeeds.Describe(topology, loop)}"));
            screen.Lines(
                answer.Repeats.Take(MostRepeats).Select(repeat => $"copies: {BridgeNeeds.Repeat(topology, repeat)}")
            );
            if (answer.Repeats.Count > MostRepeats)
                screen.Line(Invariant($"... and {answer.Repeats.Count - MostRepeats} more with copies"));
        }
        if (!topology.HasBridges)
            return;
        if (!answer.Loops.Any())
            screen.Line("no loop: every publication comes to an end");
        screen.Lines(AssumedBrokers.Of(topology));
    }

    private static void PrintTopology(Screen screen, Topology topology)
    {
        if (topology.Broker is { } broker)
        {
            screen.Line($"{broker}: a cluster of one broker");
            screen.Lines(topology.Nodes.Select(node => $"node {node.Name}: {node.Kind.ToString().ToLowerInvariant()}"));
            screen.Lines(topology.Settings.Select(setting => $"{setting.Key}: {setting.Value}"));
            return;
        }
        screen.Line(
            Invariant($"{topology.Name}: {topology.System.Name()}, {topology.Nodes.Count} nodes, ")
                + Invariant($"{topology.Links.Count} links")
        );
        if (topology.Description.Length > 0)
            screen.Line(topology.Description);
        screen.Lines(SystemPromises.Of(topology.System).Sentences);
        screen.Line();
        if (topology.System == ClusterSystem.SpanningTree)
            PrintTree(screen, topology);
        PrintLinks(screen, topology);
    }

    private static void PrintTree(Screen screen, Topology topology)
    {
        var tree = new ExpectedTree(topology);
        screen.Line($"tree, with the cost of each node's path in round trips:");
        Print(tree.Root, "");
        screen.Line();

        void Print(int node, string indent)
        {
            var cost = tree.CostsMilliseconds[node];
            screen.Line(
                $"{indent}{topology.Nodes[node].Name}{(node == tree.Root ? "  root" : Invariant($"  {cost:0.##} ms"))}"
            );
            for (var child = 0; child < topology.Nodes.Count; child++)
            {
                if (tree.Parents[child] == node)
                    Print(child, indent + "  ");
            }
        }
    }

    private static void PrintLinks(Screen screen, Topology topology)
    {
        if (topology.Links.Count == 0)
            return;
        var expected = LinkLoads.PerPublication(topology);
        var table = new TextTable("link", "delay", "forwards", "messages per publication", "back");
        for (var index = 0; index < topology.Links.Count; index++)
        {
            var link = topology.Links[index];
            table.Add(
                $"{topology.Nodes[link.From].Name} -> {topology.Nodes[link.To].Name}",
                link.DelayMilliseconds.Mean == 0 ? "none" : $"{link.DelayMilliseconds}",
                string.Join("; ", link.Topics),
                Messages(2 * index),
                Messages(2 * index + 1)
            );
        }
        table.Print(screen);
        var sum = expected?.Sum();
        if (sum is not null && double.IsFinite(sum.Value))
            screen.Line(Invariant($"together {sum:0.####} for one publication of load '{topology.Load.Name}'"));
        else if (sum is null)
            screen.Line("The system decides by itself what goes over which link.");
        screen.Line();

        TableCell Messages(int direction) =>
            TableCell.Of(
                expected?[direction],
                expected is null ? "-"
                    : double.IsFinite(expected[direction]) ? Invariant($"{expected[direction]:0.####}")
                    : WithoutEnd
            );
    }

    private static void PrintRoutes(Screen screen, Topology topology, IReadOnlyList<BridgeRoute> routes)
    {
        var table = new TextTable("published at", "topics", "reaches", "QoS", "messages on links");
        var most = screen.Json is null ? MostRoutes : routes.Count;
        foreach (var route in routes.Take(most))
            table.Add(
                topology.Nodes[route.Node].Name,
                route.Filter,
                Reaches(topology, route),
                route.LowestQos,
                route.Loop.Count > 0 ? TableCell.Of(double.PositiveInfinity, WithoutEnd) : route.Messages.Sum()
            );
        table.Print(screen);
        if (routes.Count > most)
            screen.Line(Invariant($"... and {routes.Count - most} more"));
        screen.Line();
    }

    private static string Reaches(Topology topology, BridgeRoute route)
    {
        if (route.Loop.Count > 0)
            return "loop " + BridgeNeeds.Circle(topology, route);
        var others = Enumerable
            .Range(0, topology.Nodes.Count)
            .Where(node => node != route.Node && route.Copies[node] > 0);
        var names = others.Select(node =>
            topology.Nodes[node].Name + (route.Copies[node] > 1 ? Invariant($" ({route.Copies[node]} times)") : "")
        );
        var own =
            route.Copies[route.Node] > 1 ? $", and comes back {BridgeNeeds.Times(route.Copies[route.Node] - 1)}" : "";
        return string.Join(", ", names) + own;
    }
}
