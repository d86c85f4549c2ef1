using System.Globalization;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>A part of the topology is left out: <c>without n4</c>, <c>without n1-n2</c>.</summary>
/// <param name="Node">The name of the node, or of one end of the link.</param>
/// <param name="Other">The name of the other end; empty for a node.</param>
internal sealed record CaseOmission(string Node, string Other = "") : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => Other.Length == 0 ? $"without {Node}" : $"without {Node}-{Other}";
}

/// <summary>All links have one constant delay: <c>delay 10ms</c>.</summary>
/// <param name="Milliseconds">The one-way delay.</param>
internal sealed record CaseDelay(double Milliseconds) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"delay {Milliseconds}ms");
}

/// <summary>Nodes wait so long for the answer to a ping: <c>silence 60s</c>.</summary>
/// <param name="Nanoseconds">How long (T_o).</param>
internal sealed record CaseSilence(long Nanoseconds) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => $"silence {TimeText.Of(Nanoseconds)}";
}

/// <summary>A node is more fit to be the root, or less: <c>capability n6 3</c>.</summary>
/// <param name="Node">The node's name.</param>
/// <param name="Value">The capability; the highest wins.</param>
internal sealed record CaseCapability(string Node, int Value) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"capability {Node} {Value}");
}

/// <summary>Which member is the root of a topic's tree: <c>root balance</c>, <c>root capacity</c>.</summary>
/// <param name="Rule">The rule.</param>
internal sealed record CaseRoot(RootRule Rule) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => $"root {Rule.ToString().ToLowerInvariant()}";
}

/// <summary>The store keeps so many messages of a session at most: <c>limit 5</c>.</summary>
/// <param name="Messages">How many, positive.</param>
internal sealed record CaseLimit(int Messages) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"limit {Messages}");
}

/// <summary>The store keeps messages so long: <c>lifetime 2s</c>.</summary>
/// <param name="Nanoseconds">How long, positive.</param>
internal sealed record CaseLifetime(long Nanoseconds) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => $"lifetime {TimeText.Of(Nanoseconds)}";
}

/// <summary>The ways to log and store take times of this law: <c>way exponential:1ms</c>.</summary>
/// <param name="Law">The law of one way, in milliseconds.</param>
internal sealed record CaseWay(Law Law) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => $"way {Law}";
}
