using MqttCheck.App.Runs;
using MqttCheck.Cli.Live;
using MqttCheck.Cli.Options;
using MqttCheck.Cli.Workers;
using MqttCheck.Comparison;
using MqttCheck.Learning.Learners;
using MqttCheck.Profiles;
using MqttCheck.Protocol;

namespace MqttCheck.Cli.Compare;

/// <summary>Everything that a comparison needs.</summary>
/// <param name="Brokers">The brokers with the names that tell them apart.</param>
/// <param name="Baseline">The stored run to compare with, or null to compare the brokers with each other.</param>
/// <param name="Populations">The profiles; with a baseline, its own count.</param>
/// <param name="Clients">The client counts; with a baseline, its own count.</param>
/// <param name="Thresholds">The thresholds in milliseconds, none to have the most informative ones chosen.</param>
/// <param name="Plan">How much to explore, and whether the result is coarse.</param>
/// <param name="Test">The test.</param>
/// <param name="Runs">The number of runs that the user asks for, null to have it planned.</param>
/// <param name="BudgetPerBroker">How long the compared runs of each broker may take.</param>
/// <param name="IsBudgetGiven">
/// Whether the user gave the budget: then a plan that does not fit is refused; otherwise the budget grows with the
/// plan.
/// </param>
/// <param name="Learner">The learner.</param>
/// <param name="ProtocolVersion">The protocol that the clients speak.</param>
/// <param name="ConnectAsync">Connects to those who make the runs, once the brokers are there.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="Directory">The directory for files.</param>
/// <param name="Repeat">The command that repeats it.</param>
internal sealed record CompareRequest(
    IReadOnlyList<KeyValuePair<string, BrokerChoice>> Brokers,
    CompareBaseline? Baseline,
    IReadOnlyList<Population> Populations,
    IReadOnlyList<int> Clients,
    IReadOnlyList<double> Thresholds,
    RunPlan Plan,
    TwoSampleOptions Test,
    int? Runs,
    TimeSpan BudgetPerBroker,
    bool IsBudgetGiven,
    ILearner Learner,
    ProtocolVersion ProtocolVersion,
    Func<Task<LiveWorkers>> ConnectAsync,
    ulong Seed,
    string Directory,
    string Repeat
);
