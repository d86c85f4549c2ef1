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
    /// <summary>The same fault at another time.</summary>
    public CaseFault At(long nanoseconds) => this with { Fault = Fault with { At = FaultTime.At(nanoseconds) } };

    /// <inheritdoc/>
    public override string ToString() => Fault.ToString();
}

/// <summary>No announcement reaches anybody for a while: <c>announcements lost at 0s for 900ms</c>.</summary>
/// <param name="AtNanoseconds">When that begins.</param>
/// <param name="DurationNanoseconds">How long it lasts.</param>
internal sealed record CaseLostAnnouncements(long AtNanoseconds, long DurationNanoseconds) : CaseStep
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"announcements lost at {TimeText.Of(AtNanoseconds)} for {TimeText.Of(DurationNanoseconds)}";
}

/// <summary>
/// The client of a subscription loses its connection, and comes back to its session: <c>b2 leave # at 2s for 20ms</c>.
/// </summary>
/// <param name="Node">The node's name.</param>
/// <param name="Filter">The filter of the subscription.</param>
/// <param name="AtNanoseconds">When it leaves.</param>
/// <param name="DurationNanoseconds">How long it stays away.</param>
internal sealed record CaseAbsence(string Node, string Filter, long AtNanoseconds, long DurationNanoseconds) : CaseStep
{
    /// <summary>When it is back.</summary>
    public long EndNanoseconds => AtNanoseconds + DurationNanoseconds;

    /// <inheritdoc/>
    public override string ToString() =>
        $"{Node} leave {Filter} at {TimeText.Of(AtNanoseconds)} for {TimeText.Of(DurationNanoseconds)}";
}
