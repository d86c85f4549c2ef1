using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Logs;

namespace MqttCheck.App.Calibrate;

/// <summary>The answer of a calibration.</summary>
/// <param name="Broker">The broker that was measured.</param>
/// <param name="Learned">What was learned and predicted; null where too few runs were made to compare anything.</param>
internal sealed record CalibrateAnswer(LoggedBroker Broker, CalibrationRuns Runs, LearnedTables? Learned);
