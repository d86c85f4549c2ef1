using MqttCheck.App.Runs;
using MqttCheck.App.Verify;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Workers;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;

namespace MqttCheck.Cli.Run;

/// <summary>Everything that all stages on one broker need.</summary>
/// <param name="Plan">How much to do.</param>
/// <param name="Broker">The broker.</param>
/// <param name="Live">How the runs are made.</param>
/// <param name="ConnectAsync">Connects to those who make the runs, once the broker is there.</param>
/// <param name="VerifyBroker">The broker to verify on, if it is not the same; for demonstrations.</param>
/// <param name="Fleets">The profiles and their client counts.</param>
/// <param name="Thresholds">The thresholds in milliseconds, none to have them chosen.</param>
/// <param name="Asked">The verification that was asked for. Given thresholds are all verified.</param>
/// <param name="Learner">The learner.</param>
/// <param name="Files">The files that the stages write.</param>
/// <param name="SaveBaseline">The file that stores the verified runs as a baseline; null for none.</param>
/// <param name="Metrics">The file that takes the verdicts as metrics, or null.</param>
/// <param name="Report">The copy of the last good report.</param>
/// <param name="Format">The format that is printed instead of the summary; null to print the summary.</param>
/// <param name="Repeat">The command that repeats the run.</param>
internal sealed record RunRequest(
    RunPlan Plan,
    BrokerChoice Broker,
    LiveRuns Live,
    Func<Task<LiveWorkers>> ConnectAsync,
    BrokerChoice? VerifyBroker,
    IReadOnlyList<AskedFleet> Fleets,
    IReadOnlyList<double> Thresholds,
    AskedTest Asked,
    ILearner Learner,
    RunFiles Files,
    string? SaveBaseline,
    string? Metrics,
    string Report,
    ReportFormat? Format,
    string Repeat
);
