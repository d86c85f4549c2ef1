namespace MqttCheck.Latency;

/// <summary>One training case that was replayed in the simulator with a model learned without it.</summary>
/// <param name="Clients">How many clients took part.</param>
/// <param name="MessagesPerSecond">The exchanges of all clients per second.</param>
/// <param name="MeanActive">Mean of the open exchanges at the start of an exchange, as observed.</param>
/// <param name="SimulatedActive">The same, as simulated; NaN if the simulation did not get so far.</param>
/// <param name="Error">Root mean square, over probabilities .3 to .99 of a sequence being in time, of the difference between replay and observation.</param>
/// <param name="Noise">How much of it is the sampling error of the observation.</param>
/// <param name="Bias">Mean of the difference with its sign; positive where the replay was too fast.</param>
public sealed record ReplayedCase(int Clients, double MessagesPerSecond, double MeanActive, double SimulatedActive, double Error, double Noise, double Bias);
