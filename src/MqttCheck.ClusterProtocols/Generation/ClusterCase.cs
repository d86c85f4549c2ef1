namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// The input of one simulated run of a check: operations of clients, faults, and changes that make the topology
/// smaller.
/// </summary>
/// <param name="Steps">The lines, in any order.</param>
internal sealed record ClusterCase(IReadOnlyList<CaseStep> Steps)
{
    /// <summary>How many of the lines happen at a time: operations and faults.</summary>
    public int OperationCount => Steps.Count(step => step is CaseOperation or CaseFault);

    /// <summary>The case as <see cref="CaseText"/> reads it.</summary>
    public override string ToString() => string.Join("; ", Steps);

    /// <summary>Whether the other case has the same lines.</summary>
    /// <param name="other">The other case.</param>
    public bool Equals(ClusterCase? other) => other is not null && Steps.SequenceEqual(other.Steps);

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);
}
