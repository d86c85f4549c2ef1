using MqttCheck.Protocol;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// The input of one simulated run of a check: operations of clients, faults, and changes that make the topology
/// smaller.
/// </summary>
/// <param name="Steps">The lines, in any order.</param>
internal sealed record ClusterCase(ValueList<CaseStep> Steps)
{
    /// <summary>How many of the lines happen at a time: operations, absences and faults.</summary>
    public int OperationCount =>
        Steps.Count(step => step is CaseOperation or CaseFault or CaseAbsence or CaseLostAnnouncements);

    /// <summary>The case as <see cref="CaseText"/> reads it.</summary>
    public override string ToString() => string.Join("; ", Steps);
}
