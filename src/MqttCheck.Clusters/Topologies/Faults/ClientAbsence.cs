using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// When the clients of a node are away: from the end of its process to their first attempt to connect after it has
/// started again. Those of a node that joins try from the first message on.
/// </summary>
/// <param name="Node">The node's index.</param>
/// <param name="FromNanoseconds">When they lose their connections, on the clock of the faults.</param>
/// <param name="UntilNanoseconds">When they are back; null if their node does not come back.</param>
internal readonly record struct ClientAbsence(int Node, long FromNanoseconds, long? UntilNanoseconds)
{
    /// <summary>The absences of one run.</summary>
    /// <param name="faults">The faults of the run.</param>
    public static IReadOnlyList<ClientAbsence> Of(IEnumerable<ScheduledFault> faults) =>
        [
            .. faults
                .SelectMany(fault => fault.Nodes.Select(node => Of(node, fault)))
                .OfType<ClientAbsence>()
                .OrderBy(absence => absence.FromNanoseconds),
        ];

    /// <summary>When a client of a node can send what is due at a time; null if it never comes back.</summary>
    /// <param name="absences">The absences of the run.</param>
    /// <param name="node">The node of the client.</param>
    /// <param name="dueNanoseconds">When it is due, on the clock of the faults.</param>
    public static long? SentAt(IEnumerable<ClientAbsence> absences, int node, long dueNanoseconds)
    {
        foreach (var absence in absences)
        {
            if (absence.Node != node || dueNanoseconds < absence.FromNanoseconds)
                continue;
            if (absence.UntilNanoseconds is not { } until)
                return null;
            dueNanoseconds = Math.Max(dueNanoseconds, until);
        }
        return dueNanoseconds;
    }

    private static ClientAbsence? Of(int node, ScheduledFault fault) =>
        fault.Fault.Kind == FaultKind.Join ? Of(node, from: 0, end: fault.AtNanoseconds)
        : fault.Fault.Kind.EndsProcess() ? Of(node, fault.AtNanoseconds, fault.EndNanoseconds)
        : null;

    private static ClientAbsence Of(int node, long from, long? end)
    {
        if (end is null)
            return new(node, from, null);
        var attempt = from;
        for (var failures = 0; attempt < end || failures == 0; failures++)
            attempt += ReconnectBackoff.Nanoseconds(failures);
        return new(node, from, attempt);
    }
}
