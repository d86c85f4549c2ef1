namespace MqttCheck.Latency.Quality;

/// <summary>One training case that was replayed in the simulator with a model learned without it.</summary>
/// <param name="Clients">How many clients took part.</param>
/// <param name="MessagesPerSecond">The exchanges of all clients per second.</param>
/// <param name="MeanActive">
/// Mean of the open exchanges at the start of an exchange outside of resets, as observed.
/// </param>
/// <param name="SimulatedActive">The same, as simulated; NaN if the simulation did not get so far.</param>
/// <param name="Points">The comparison at each threshold, at least one.</param>
public sealed record ReplayedCase(
    int Clients,
    double MessagesPerSecond,
    double MeanActive,
    double SimulatedActive,
    IReadOnlyList<ReplayedPoint> Points
);
