using MqttCheck.Clusters.Monitors;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>A case in which something does not hold.</summary>
/// <param name="Violation">The violation in the shrunk case.</param>
/// <param name="Found">The case as it was generated.</param>
/// <param name="Shrunk">The simplest case that shows a violation of the same invariant.</param>
/// <param name="Seed">The seed with which the shrunk case shows it.</param>
/// <param name="Number">The number of the generated case, from 0.</param>
internal sealed record ClusterFinding(
    ClusterViolation Violation,
    ClusterCase Found,
    ClusterCase Shrunk,
    ulong Seed,
    long Number
);
