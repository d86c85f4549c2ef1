using System.CommandLine;
using MqttCheck.Cli.Cluster.Configurations;
using MqttCheck.Cli.Options;
using MqttCheck.Clusters.Properties;
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

    /// <summary>A topology, or configurations of Mosquitto.</summary>
    public static Argument<string[]> Given() =>
        new("cluster")
        {
            HelpName = "FILE|NAME|FAMILY",
            Description = $"{Topology().Description} {ConfOptions.Given}",
            Arity = ArgumentArity.ZeroOrMore,
        };

    /// <summary><c>--system</c>: what the nodes of a family are.</summary>
    public static Option<string> FamilySystem() =>
        new Option<string>("--system")
        {
            HelpName = "SYSTEM",
            Description = "What the nodes of a family are. Default spanning-tree.",
            DefaultValueFactory = _ => ClusterSystem.SpanningTree.Name(),
        }.Accepting([.. Enum.GetValues<ClusterSystem>().Where(FitsFamily).Select(system => system.Name())]);

    // The others need more than a graph.
    private static bool FitsFamily(ClusterSystem system) =>
        system.IsOwn() || system is ClusterSystem.Nats or ClusterSystem.RabbitMq;

    /// <summary><c>--rules</c>: the rules of a spanning tree.</summary>
    public static Option<string?> Rules() =>
        new Option<string?>("--rules")
        {
            HelpName = "RULES",
            Description =
                "The rules of a spanning tree: safe, paper (as published), silent (as published, and nobody is told "
                + "of a change). Default: those of the file.",
        }.Accepting("safe", "paper", "silent");

    /// <summary><c>--ids</c>: whether nodes drop messages that they have seen.</summary>
    public static Option<string?> Ids() =>
        new Option<string?>("--ids")
        {
            HelpName = "on|off",
            Description = "Whether nodes recognise a message that they have seen. Default: as the file says.",
        }.Accepting("on", "off");

    /// <summary><c>--assume</c>: what is taken for granted of the runs.</summary>
    public static Option<string?> Assume() =>
        new Option<string?>("--assume")
        {
            HelpName = "LAW",
            Description = $"normal: {ClusterText.IfNormal} Default: {ClusterText.Guaranteed}",
        }.Accepting("normal");

    /// <summary>Whether runs are taken to be about normal.</summary>
    public static bool AssumesNormal(ParseResult parse, Option<string?> assume) => parse.GetValue(assume) is not null;

    /// <summary>The topology with the rules and identities that were given.</summary>
    public static Topology Variant(ParseResult parse, Topology topology, Option<string?> rules, Option<string?> ids) =>
        topology with
        {
            Rules = parse.GetValue(rules) is { } name ? Enum.Parse<TreeRules>(name, ignoreCase: true) : topology.Rules,
            HasIds = parse.GetValue(ids) is { } word ? word == "on" : topology.HasIds,
        };

    /// <summary>Reads the topology that was given.</summary>
    /// <exception cref="InputException">It is wrong, or no family although a system is given.</exception>
    public static Topology Read(ParseResult parse, Argument<string> file, Option<string> system) =>
        Read(parse, [parse.GetValue(file)!], system)[0];

    /// <summary>Reads topologies that were given.</summary>
    /// <exception cref="InputException">One is wrong, or none is a family although a system is given.</exception>
    public static IReadOnlyList<Topology> Read(ParseResult parse, IReadOnlyList<string> given, Option<string> system)
    {
        var families = SystemOf(parse, system);
        Topology[] topologies = [.. given.Select(file => ClusterInput.Topology(file, families))];
        return
            parse.GetResult(system) is { Implicit: false } && !given.Any(file => TopologyFamily.TryParse(file, out _))
            ? throw new InputException(
                $"{system.Name}: given beside '{given[0]}', whose nodes have a system; allowed: with a family such as "
                    + $"{TopologyFamily.Forms}."
            )
            : topologies;
    }

    private static ClusterSystem SystemOf(ParseResult parse, Option<string> system) =>
        ClusterSystems.TryParse(parse.GetValue(system)!, out var families)
            ? families
            : throw new InputException($"--system: '{parse.GetValue(system)}' is no system.");
}
