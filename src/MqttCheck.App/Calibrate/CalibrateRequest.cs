using MqttCheck.App.Runs;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.App.Calibrate;

/// <summary>The parameters of a calibration.</summary>
/// <param name="Broker">The broker.</param>
/// <param name="Populations">The profiles.</param>
/// <param name="Clients">The client counts.</param>
/// <param name="ThresholdsMilliseconds">The thresholds in milliseconds.</param>
/// <param name="Training">How long all training cases together run.</param>
/// <param name="Runs">How often each setup is measured.</param>
/// <param name="SequencesPerClient">How many sequences of each client count in a run.</param>
/// <param name="Learners">The learners to compare, at least one.</param>
/// <param name="ProtocolVersion">The protocol that the clients speak.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="Files">The files that it writes.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record CalibrateRequest(
    BrokerChoice Broker,
    IReadOnlyList<Population> Populations,
    IReadOnlyList<int> Clients,
    IReadOnlyList<double> ThresholdsMilliseconds,
    TimeSpan Training,
    int Runs,
    int SequencesPerClient,
    IReadOnlyList<ILearner> Learners,
    ProtocolVersion ProtocolVersion,
    ulong Seed,
    RunFiles Files,
    string Repeat
);
