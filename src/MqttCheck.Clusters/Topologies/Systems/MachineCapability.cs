namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>
/// The capability of a live node by its machine: alpha L + beta M. L is the share of the processors that its process
/// leaves free, M the share of the memory, both in [0, 1].
/// </summary>
internal sealed record MachineCapability
{
    /// <summary>The weight of the processor (alpha), at least 0. Default 1.</summary>
    public double Alpha { get; init; } = 1;

    /// <summary>The weight of the memory (beta), at least 0. Default 1.</summary>
    public double Beta { get; init; } = 1;

    /// <summary>The time between two samples, in seconds, above 0. Default 5.</summary>
    public double SampleSeconds { get; init; } = 5;

    /// <summary>
    /// How far a sample must be from the capability in use to replace it, at least 0: each replacement may build the
    /// tree anew. Default 0.1.
    /// </summary>
    public double Hysteresis { get; init; } = 0.1;

    /// <summary>The weighted sum.</summary>
    /// <param name="processor">L.</param>
    /// <param name="memory">M.</param>
    public double Of(double processor, double memory) => (Alpha * processor) + (Beta * memory);
}
