namespace MqttCheck.Reports.Input;

/// <summary>A learner that was compared with others.</summary>
/// <param name="Learner">Its name.</param>
/// <param name="ReplayError">
/// Mean absolute error of its predicted probabilities when training cases that it has not seen are replayed; NaN when
/// not known.
/// </param>
/// <param name="Chosen">Whether its model makes the predictions.</param>
public sealed record CandidateReport(string Learner, double ReplayError, bool Chosen);
