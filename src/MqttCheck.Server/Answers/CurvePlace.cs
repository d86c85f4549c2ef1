namespace MqttCheck.Server.Answers;

/// <summary>One number of clients of a curve.</summary>
/// <param name="Clients">How many clients.</param>
/// <param name="Replications">How many setups were simulated.</param>
/// <param name="Probability">The probability that all messages of a sequence arrive in time.</param>
/// <param name="Lower">Lower end of its interval.</param>
/// <param name="Upper">Upper end of its interval.</param>
internal sealed record CurvePlace(int Clients, int Replications, double Probability, double Lower, double Upper);
