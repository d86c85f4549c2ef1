namespace MqttCheck.Reports.Input;

/// <summary>A usage profile or population in words.</summary>
/// <param name="Name">Its name, as in predictions and verdicts.</param>
/// <param name="Description">Who sends what, how often, in one or two sentences.</param>
public sealed record ProfileReport(string Name, string Description);
