using System.CommandLine;
using MqttCheck.App.Clusters.Runs;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Terminal;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Systems;

namespace MqttCheck.Cli.Cluster;

/// <summary>Options of the commands that run clusters live.</summary>
/// <param name="usual">The rule for the duration of a run where no time is given, in words.</param>
/// <param name="wrong">The answers that may be wrong with the probability of the error, in words.</param>
/// <param name="files">The files that are written, in words.</param>
internal sealed class LiveClusterOptions(string usual, string wrong, string files)
{
    /// <summary><c>--for</c>.</summary>
    public Option<TimeSpan?> For { get; } =
        new("--for")
        {
            HelpName = "TIME",
            Description = $"How long a run lasts. Default: as {usual}.",
            CustomParser = result => Values.Duration(result),
        };

    /// <summary><c>--error</c>.</summary>
    public Option<double> Error { get; } =
        new("--error")
        {
            HelpName = "SHARE",
            Description = $"The largest probability that some {wrong} is wrong. Default 0.05.",
            DefaultValueFactory = _ => .05,
            CustomParser = Values.Between(0, .5),
        };

    /// <summary><c>--indifference</c>.</summary>
    public Option<double> Indifference { get; } =
        new("--indifference")
        {
            HelpName = "SHARE",
            Description =
                "How far from the required probability the truth must lie to be found a violation for sure. "
                + "Default 0.25.",
            DefaultValueFactory = _ => .25,
            CustomParser = Values.Between(0, 1),
        };

    /// <summary>How running clusters are reached.</summary>
    public AccessOptions Access { get; } = new();

    private readonly Option<bool> _allowCommands = new("--allow-commands")
    {
        Description =
            "Let commands of the file change the nodes of a running cluster, for faults: "
            + $"{string.Join(", ", NodeCommands.Keys)}. See what they do first.",
    };

    /// <summary>Adds the options of access to a command.</summary>
    public void AddAccessTo(Command command)
    {
        Access.AddTo(command);
        command.Options.Add(_allowCommands);
    }

    /// <summary>How clusters are reached.</summary>
    /// <exception cref="InputException">A value is not allowed, or a file cannot be read.</exception>
    public ClusterAccess AccessTo(ParseResult parse, params IEnumerable<Topology> topologies)
    {
        var running = topologies.Where(topology => topology.System == ClusterSystem.Running);
        return new()
        {
            Brokers = Access.Choose(
                parse,
                running.Any(topology => topology.Nodes.Any(node => IsTls(node.Address))),
                string.Join(" and ", topologies.Select(topology => topology.Name)),
                "running brokers at mqtts://HOST or wss://HOST"
            ) with
            {
                Hosted = OwnProgram.Brokers(DelayPlan.None, seed: 0),
            },
            RateCap = Access.RateCap(parse),
            AllowCommands = parse.GetValue(_allowCommands),
        };
    }

    private static bool IsTls(string? address) =>
        address is not null && BrokerSpecification.Parse(address).Transport.IsTls();

    /// <summary><c>--assume</c>.</summary>
    public Option<string?> Assume { get; } = ClusterOptions.Assume();

    /// <summary><c>--seed</c>.</summary>
    public Option<ulong> Seed { get; } = CommonOptions.Seed();

    /// <summary><c>--out</c>.</summary>
    public Option<DirectoryInfo> Output { get; } =
        new("--out", "-o")
        {
            HelpName = "DIR",
            Description = $"Directory for {files}. Default the current one.",
            DefaultValueFactory = _ => new DirectoryInfo("."),
        };
}
