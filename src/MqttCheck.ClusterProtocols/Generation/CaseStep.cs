using System.Globalization;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>One line of a case.</summary>
internal abstract record CaseStep
{
    private protected CaseStep() { }
}

/// <summary>A client of a node publishes, subscribes or unsubscribes.</summary>
internal sealed record CaseOperation : CaseStep
{
    /// <summary>The node's name.</summary>
    public required string Node { get; init; }

    /// <summary>publish, subscribe or unsubscribe.</summary>
    public required CaseVerb Verb { get; init; }

    /// <summary>The topic or the filter.</summary>
    public required string Topic { get; init; }

    /// <summary>The quality of service.</summary>
    public QualityOfService Qos { get; init; }

    /// <summary>When, in nanoseconds from the start.</summary>
    public required long AtNanoseconds { get; init; }

    /// <inheritdoc/>
    public override string ToString()
    {
        var qos = Verb == CaseVerb.Unsubscribe ? "" : $" qos={(int)Qos}";
        return $"{Node} {Verb.ToString().ToLowerInvariant()} {Topic}{qos} at {TimeText.Of(AtNanoseconds)}";
    }
}

/// <summary>Something goes wrong.</summary>
/// <param name="Fault">What.</param>
internal sealed record CaseFault(ClusterFault Fault) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() => Fault.ToString();
}

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
