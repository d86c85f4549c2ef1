using MqttCheck.Clients;

namespace MqttCheck.Reports.Input;

/// <summary>How well a model describes held-out exchanges of one kind.</summary>
/// <param name="Kind">The kind of message.</param>
/// <param name="Exchanges">Number of held-out exchanges.</param>
/// <param name="KolmogorovSmirnov">
/// Largest distance between the distribution of their PIT values and the uniform one; 0 is perfect.
/// </param>
/// <param name="AboveP99">Share of them that were slower than the model's 99 % quantile; .01 is perfect.</param>
public sealed record FitReport(MessageKind Kind, long Exchanges, double KolmogorovSmirnov, double AboveP99);
