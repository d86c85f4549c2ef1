using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.Verification.Planning;

/// <summary>One setup to verify: its runs serve all its points.</summary>
/// <param name="Population">Who takes part.</param>
/// <param name="Clients">How many.</param>
/// <param name="CountedSequences">How many sequences of each client count in each run.</param>
/// <param name="Points">The predictions that are tested, at least one.</param>
public sealed record VerifiedSetup(
    Population Population,
    int Clients,
    int CountedSequences,
    IReadOnlyList<PredictedPoint> Points
);
