using MqttCheck.Predictions;
using MqttCheck.Profiles;

namespace MqttCheck.App.Predict;

/// <summary>Everything that a prediction needs beside the model.</summary>
/// <param name="ModelFile">The file of the model.</param>
/// <param name="Fleets">The clients, what they do, and how many they are.</param>
/// <param name="ThresholdsMilliseconds">The thresholds, or none to have them chosen.</param>
/// <param name="Options">How it is made.</param>
internal sealed record PredictRequest(
    string ModelFile,
    IReadOnlyList<AskedFleet> Fleets,
    IReadOnlyList<double> ThresholdsMilliseconds,
    PredictionOptions Options
);
