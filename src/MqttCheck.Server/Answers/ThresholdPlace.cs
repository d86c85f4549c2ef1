namespace MqttCheck.Server.Answers;

/// <summary>The answer at another threshold.</summary>
/// <param name="Milliseconds">The threshold.</param>
/// <param name="Probability">The probability that all messages of a sequence arrive within it.</param>
/// <param name="Lower">Lower end of its interval.</param>
/// <param name="Upper">Upper end of its interval.</param>
internal sealed record ThresholdPlace(double Milliseconds, double Probability, double Lower, double Upper);
