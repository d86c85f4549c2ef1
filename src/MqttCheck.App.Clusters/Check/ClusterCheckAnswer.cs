using MqttCheck.ClusterProtocols.Generation;

namespace MqttCheck.App.Clusters.Check;

/// <summary>The answer of random cases of a cluster.</summary>
/// <param name="Cases">How many cases were run.</param>
/// <param name="Operations">How many operations and faults they had.</param>
/// <param name="Simulated">How long they were together, in virtual time.</param>
/// <param name="Kinds">How many cases had steps of each kind.</param>
internal sealed record ClusterCheckAnswer(
    IReadOnlyList<ClusterFinding> Findings,
    long Cases,
    long Operations,
    TimeSpan Simulated,
    IReadOnlyList<(string Kind, long Cases)> Kinds
);
