using System.Globalization;
using System.Text.RegularExpressions;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>Nodes that the user names by command lines, with places for ports and names.</summary>
/// <param name="credentials">How to log in.</param>
internal sealed partial class CommandClusterRecipe(Credentials? credentials) : IClusterRecipe
{
    /// <inheritdoc/>
    public Credentials? Credentials => credentials;

    /// <inheritdoc/>
    public IEnumerable<(int From, int To)> Connections(Topology topology) =>
        Enumerable
            .Range(0, topology.Nodes.Count)
            .SelectMany(node =>
                Peer()
                    .Matches(topology.Nodes[node].Command ?? "")
                    .Select(match => (From: node, To: topology.NodeIndex(match.Groups[1].Value)))
            )
            .Where(pair => pair.To >= 0)
            .Distinct();

    /// <inheritdoc/>
    public Task<BrokerDescription> DescribeAsync(Topology topology, CancellationToken cancellation)
    {
        foreach (var node in topology.Nodes)
            Program(node);
        return Task.FromResult(new BrokerDescription { Name = topology.Name });
    }

    /// <inheritdoc/>
    public BrokerCommand Prepare(ClusterNodePlan plan)
    {
        var (program, words) = Program(plan.Node);
        return new BrokerCommand(program, [.. words.Skip(1).Select(word => Fill(word, plan))]);
    }

    private static (string Program, IReadOnlyList<string> Words) Program(TopologyNode node)
    {
        if (!ShellWords.TrySplit(node.Command ?? "", out var words) || words.Count == 0)
            throw new InputException(
                $"Node {node.Name}: '{node.Command}' is no command; allowed: words, with each quote closed."
            );
        return (CommandSearch.Require(words[0], $"It is the first word of the command of node {node.Name}."), words);
    }

    private static string Fill(string word, ClusterNodePlan plan) =>
        Peer()
            .Replace(
                word.Replace(
                        BrokerSpecification.PortPlaceholder,
                        plan.Port.ToString(CultureInfo.InvariantCulture),
                        StringComparison.Ordinal
                    )
                    .Replace("{node}", plan.Node.Name, StringComparison.Ordinal),
                match =>
                    plan.Peers[plan.Topology.NodeIndex(match.Groups[1].Value)]
                        .Port.ToString(CultureInfo.InvariantCulture)
            );

    [GeneratedRegex(@"\{peer:([a-z][a-z0-9]*)\}", RegexOptions.CultureInvariant)]
    private static partial Regex Peer();
}
