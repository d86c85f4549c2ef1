using MqttCheck.Properties.Traces;

namespace MqttCheck.Properties;

/// <summary>One test of a search for the largest fleet.</summary>
/// <param name="Clients">The number of clients.</param>
/// <param name="Replications">How many replications it took.</param>
/// <param name="Judged">Whose traces the property was judged on.</param>
/// <param name="Estimate">The estimated probability; NaN where the property said nothing about any trace.</param>
/// <param name="Holds">
/// Whether the property holds; null when the replications did not decide it, the model's own error leaves it open, or
/// the model is not to be trusted there.
/// </param>
internal readonly record struct FleetLimitTest(
    int Clients,
    long Replications,
    JudgedTraces Judged,
    double Estimate,
    bool? Holds
)
{
    /// <summary>Whether training has shown such a load.</summary>
    public bool IsTrusted { get; init; } = true;

    /// <summary>
    /// Whether the simulation alone would have decided, but on a side that depends on the error of the model.
    /// </summary>
    public bool IsWithinModelError { get; init; }
}
