using System.Globalization;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// A fault of the link between two nodes. A cut resets its connections, and refuses new ones while it lasts; without a
/// duration they may connect again at once. A slow link has another delay, rate or loss while it lasts.
/// </summary>
public sealed record LinkFault : ClusterFault
{
    /// <summary>The name of one end, or <see cref="ClusterFault.Any"/> for any link.</summary>
    public required string A { get; init; }

    /// <summary>The name of the other end; empty for any link.</summary>
    public string B { get; init; } = "";

    /// <summary>Whether the link is slowed instead of cut.</summary>
    public bool IsSlow { get; init; }

    /// <summary>The one-way delay of a slow link, in milliseconds; null for that of the topology.</summary>
    public Law? DelayMilliseconds { get; init; }

    /// <summary>The rate of a slow link; null for that of the topology.</summary>
    public double? BitsPerSecond { get; init; }

    /// <summary>The loss of a slow link, 0 .. 1; null for that of the topology.</summary>
    public double? Loss { get; init; }

    /// <inheritdoc/>
    protected override string Action
    {
        get
        {
            var action = (IsSlow ? "slow " : "cut ") + (A == Any ? Any : $"{A}-{B}");
            if (DelayMilliseconds is { } delay)
                action += $" delay={delay}";
            if (BitsPerSecond is { } rate)
                action += $" rate={RateText.Of(rate)}";
            if (Loss is { } loss)
                action += string.Create(CultureInfo.InvariantCulture, $" loss={loss}");
            return action;
        }
    }

    /// <inheritdoc/>
    public override IEnumerable<string> Problems(Topology topology)
    {
        ArgumentNullException.ThrowIfNull(topology);
        if (A == Any)
        {
            if (topology.Links.Count == 0)
                yield return "the topology has no link";
            yield break;
        }
        string?[] unknown = [UnknownNode(topology, A), UnknownNode(topology, B)];
        foreach (var problem in unknown.OfType<string>())
            yield return problem;
        if (unknown is [null, null] && topology.LinksBetween(topology.NodeIndex(A), topology.NodeIndex(B)).Count == 0)
        {
            var links = topology.Links.Select(link =>
                $"{topology.Nodes[link.From].Name}-{topology.Nodes[link.To].Name}"
            );
            yield return $"there is no link '{A}-{B}'; allowed: {string.Join(", ", links.Distinct())}";
        }
    }

    internal override (IReadOnlyList<int> Nodes, IReadOnlyList<int> Links) Targets(Topology topology, double draw)
    {
        if (A != Any)
            return ([], topology.LinksBetween(topology.NodeIndex(A), topology.NodeIndex(B)));
        var link = topology.Links[(int)(draw * topology.Links.Count)];
        return ([], topology.LinksBetween(link.From, link.To));
    }
}
