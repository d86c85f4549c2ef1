namespace MqttCheck.Properties;

/// <summary>One test of a search for the largest fleet.</summary>
/// <param name="Clients">The number of clients.</param>
/// <param name="Replications">How many replications it took.</param>
/// <param name="Estimate">The estimated probability; NaN where the property said nothing about any trace.</param>
/// <param name="Holds">Whether the property holds; null when the replications did not decide it.</param>
public readonly record struct FleetLimitTest(int Clients, long Replications, double Estimate, bool? Holds);
