using MqttCheck.Profiles;

namespace MqttCheck.Brokers.Campaigns.Calibrations;

/// <summary>A setup that is predicted and measured.</summary>
/// <param name="Population">Who takes part.</param>
/// <param name="Clients">How many.</param>
/// <param name="SequencesPerClient">How many sequences of each client count in each run.</param>
internal sealed record CalibrationSetup(Population Population, int Clients, int SequencesPerClient);
