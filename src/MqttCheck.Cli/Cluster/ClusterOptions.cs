using System.CommandLine;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.Cli.Cluster;

/// <summary>Arguments and options that the commands of clusters share.</summary>
internal static class ClusterOptions
{
    /// <summary>The topology.</summary>
    public static Argument<string> Topology() =>
        new("topology")
        {
            HelpName = "FILE|NAME|FAMILY",
            Description =
                $"A JSON file, one of {string.Join(", ", TopologyFile.BuiltInNames)}, or a family such as "
                + $"{TopologyFamily.Forms}.",
        };

    /// <summary><c>--system</c>: what the nodes of a family are.</summary>
    public static Option<string> FamilySystem()
    {
        var option = new Option<string>("--system")
        {
            HelpName = "SYSTEM",
            Description = "What the nodes of a family are. Default spanning-tree.",
            DefaultValueFactory = _ => ClusterSystem.SpanningTree.Name(),
        };
        option.AcceptOnlyFromAmong([.. Enum.GetValues<ClusterSystem>().Where(Fits).Select(system => system.Name())]);
        return option;

        // The others need more than a graph.
        static bool Fits(ClusterSystem system) =>
            system.IsOwn() || system is ClusterSystem.Nats or ClusterSystem.RabbitMq;
    }

    /// <summary>Reads the topology that was given.</summary>
    public static Topology Read(ParseResult parse, Argument<string> file, Option<string> system)
    {
        return ClusterSystems.TryParse(parse.GetValue(system)!, out var families)
            ? TopologyFile.Read(parse.GetValue(file)!, families)
            : throw new InputException($"--system: '{parse.GetValue(system)}' is no system.");
    }
}
