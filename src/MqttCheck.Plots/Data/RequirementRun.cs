namespace MqttCheck.Plots.Data;

/// <summary>A run of a measured requirement.</summary>
/// <param name="InTime">How many samples were in time.</param>
/// <param name="Samples">How many samples there were.</param>
internal sealed record RequirementRun(int InTime, int Samples);
