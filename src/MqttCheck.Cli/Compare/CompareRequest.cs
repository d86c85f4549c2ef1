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
internal sealed record CompareRequest
{
    /// <summary>The brokers with the names that tell them apart.</summary>
    public required IReadOnlyList<KeyValuePair<string, BrokerChoice>> Brokers { get; init; }

    /// <summary>The stored run to compare with, or null to compare the brokers with each other.</summary>
    public CompareBaseline? Baseline { get; init; }

    /// <summary>The profiles; with a baseline, its own count.</summary>
    public required IReadOnlyList<Population> Populations { get; init; }

    /// <summary>The client counts; with a baseline, its own count.</summary>
    public required IReadOnlyList<int> Clients { get; init; }

    /// <summary>The thresholds in milliseconds, none to have the most informative ones chosen.</summary>
    public required IReadOnlyList<double> Thresholds { get; init; }

    /// <summary>How much to explore, and whether the result is coarse.</summary>
    public required RunPlan Plan { get; init; }

    /// <summary>The test.</summary>
    public required TwoSampleOptions Test { get; init; }

    /// <summary>The number of runs that the user asks for, null to have it planned.</summary>
    public int? Runs { get; init; }

    /// <summary>How long the compared runs of each broker may take.</summary>
    public required TimeSpan BudgetPerBroker { get; init; }

    /// <summary>
    /// Whether the user gave the budget: then a plan that does not fit is refused; otherwise the budget grows with the
    /// plan.
    /// </summary>
    public bool IsBudgetGiven { get; init; }

    /// <summary>The learner.</summary>
    public required ILearner Learner { get; init; }

    /// <summary>The protocol that the clients speak.</summary>
    public required ProtocolVersion ProtocolVersion { get; init; }

    /// <summary>Connects to those who make the runs, once the brokers are there.</summary>
    public required Func<Task<LiveWorkers>> ConnectAsync { get; init; }

    /// <summary>The user's seed.</summary>
    public required ulong Seed { get; init; }

    /// <summary>The directory for files.</summary>
    public required string Directory { get; init; }

    /// <summary>The command that repeats it.</summary>
    public required string Repeat { get; init; }
}
