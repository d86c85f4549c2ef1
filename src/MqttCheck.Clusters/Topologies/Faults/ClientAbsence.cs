using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// When the clients of a node are away: from the end of its process to their first attempt to connect after it has
/// started again.
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
                .Where(fault => fault.Fault.Kind.EndsProcess())
                .SelectMany(fault => fault.Nodes.Select(node => Of(node, fault)))
                .OrderBy(absence => absence.FromNanoseconds),
        ];

    private static ClientAbsence Of(int node, ScheduledFault fault)
    {
        if (fault.EndNanoseconds is not { } end)
            return new(node, fault.AtNanoseconds, null);
        var attempt = fault.AtNanoseconds;
        for (var failures = 0; attempt < end || failures == 0; failures++)
            attempt += ReconnectBackoff.Nanoseconds(failures);
        return new(node, fault.AtNanoseconds, attempt);
    }
}
