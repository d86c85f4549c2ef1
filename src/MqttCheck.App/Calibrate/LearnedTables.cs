using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Latency;

namespace MqttCheck.App.Calibrate;

/// <summary>A table and a model for each learner, at least one, all of the same measurements.</summary>
internal sealed record LearnedTables(IReadOnlyList<CalibrationTable> Tables, IReadOnlyList<LearnedModel> Models);
