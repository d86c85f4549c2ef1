namespace MqttCheck.Server.Live;

/// <summary>The plan of a verification, before it begins.</summary>
/// <param name="Broker">The broker that it loads.</param>
/// <param name="Seconds">How long it takes if the prediction is right, in seconds.</param>
/// <param name="MostSeconds">How long it takes at most, in seconds.</param>
/// <param name="Sentence">The same in words.</param>
/// <param name="PredictCommand">The command that makes the prediction.</param>
/// <param name="VerifyCommand">The command that verifies it.</param>
internal sealed record VerificationPlanned(
    string Broker,
    double Seconds,
    double MostSeconds,
    string Sentence,
    string PredictCommand,
    string VerifyCommand
);
