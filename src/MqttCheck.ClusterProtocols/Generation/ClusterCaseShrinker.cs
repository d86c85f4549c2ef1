using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// Simpler variants of a case, the boldest first: fewer operations and faults, fewer nodes and links, plain delays,
/// shorter faults, round times.
/// </summary>
internal static class ClusterCaseShrinker
{
    private const long Second = 1_000_000_000;

    /// <summary>The variants.</summary>
    /// <param name="topology">The cluster that the case is put to.</param>
    /// <param name="tested">The case.</param>
    public static IEnumerable<ClusterCase> Shrink(Topology topology, ClusterCase tested)
    {
        var steps = tested.Steps;
        for (var piece = steps.Count / 2; piece > 0; piece /= 2)
        for (var start = 0; start + piece <= steps.Count; start += piece)
            if (!steps.Skip(start).Take(piece).Any(step => step is CaseOmission or CaseDelay))
                yield return new ClusterCase([.. steps.Take(start), .. steps.Skip(start + piece)]);
        foreach (var omission in Omissions(topology, steps))
            yield return new ClusterCase([omission, .. steps]);
        if (
            !steps.Any(step => step is CaseDelay)
            && topology.Links.Any(link => link.DelayMilliseconds is not ConstantLaw { Value: 10 })
        )
            yield return new ClusterCase([new CaseDelay(10), .. steps]);
        for (var i = 0; i < steps.Count; i++)
            foreach (var simpler in Simpler(steps[i]))
                yield return new ClusterCase([.. steps.Take(i), simpler, .. steps.Skip(i + 1)]);
    }

    // A node or link can be left out if no line of the case names it.
    private static IEnumerable<CaseOmission> Omissions(Topology topology, IReadOnlyList<CaseStep> steps)
    {
        var omitted = steps.OfType<CaseOmission>().ToHashSet();
        var named = steps.SelectMany(NamesOf).ToHashSet(StringComparer.Ordinal);
        foreach (var node in topology.Nodes)
            if (!named.Contains(node.Name) && !omitted.Contains(new CaseOmission(node.Name)))
                yield return new CaseOmission(node.Name);
        if (topology.System == ClusterSystem.TopicOverlay)
            yield break;
        foreach (var link in topology.Links)
        {
            var (a, b) = (topology.Nodes[link.From].Name, topology.Nodes[link.To].Name);
            if (
                !omitted.Contains(new CaseOmission(a, b))
                && !omitted.Contains(new CaseOmission(a))
                && !omitted.Contains(new CaseOmission(b))
            )
                yield return new CaseOmission(a, b);
        }
    }

    private static IEnumerable<string> NamesOf(CaseStep step) =>
        step switch
        {
            CaseOperation operation => [operation.Node],
            CaseAbsence absence => [absence.Node],
            CaseFault { Fault: { Kind: not FaultKind.Partition } fault } => fault.Names,
            _ => [],
        };

    private static IEnumerable<CaseStep> Simpler(CaseStep step)
    {
        switch (step)
        {
            case CaseFault { Fault: var fault } line:
                if (fault.DurationNanoseconds is not null && fault.IsOfNodes)
                    yield return line with
                    {
                        Fault = fault with { DurationNanoseconds = null },
                    };
                if (Rounded(fault.At.EarliestNanoseconds) is { } at)
                    yield return line with
                    {
                        Fault = fault with { At = FaultTime.At(at) },
                    };
                if (fault.DurationNanoseconds is { } duration && Rounded(duration) is > 0 and { } rounded)
                    yield return line with
                    {
                        Fault = fault with { DurationNanoseconds = rounded },
                    };
                break;
            case CaseOperation operation:
                if (operation is { Verb: CaseVerb.Subscribe, Topic: not "#" })
                    yield return operation with
                    {
                        Topic = "#",
                    };
                if (operation is { Verb: CaseVerb.Publish, Topic: not "t/1" })
                    yield return operation with
                    {
                        Topic = "t/1",
                    };
                if (operation is { Verb: CaseVerb.Subscribe, Qos: not QualityOfService.ExactlyOnce })
                    yield return operation with
                    {
                        Qos = QualityOfService.ExactlyOnce,
                    };
                if (Rounded(operation.AtNanoseconds) is { } time)
                    yield return operation with
                    {
                        AtNanoseconds = time,
                    };
                break;
        }
    }

    // Rounds a time down to whole seconds; null if it is a whole number of seconds already.
    private static long? Rounded(long nanoseconds) => nanoseconds % Second != 0 ? nanoseconds / Second * Second : null;
}
