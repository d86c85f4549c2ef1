using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>The worst that was found.</summary>
/// <param name="Broker">The brokers with their settings.</param>
/// <param name="Schedules">How many schedules were tried.</param>
/// <param name="CoveredPairs">How many pairs of faults they had.</param>
/// <param name="AllPairs">How many there are.</param>
/// <param name="Found">The schedule that lost something; null for none.</param>
/// <param name="Scenario">The smallest one as a scenario; null for none.</param>
/// <param name="Runs">How many runs were made.</param>
/// <param name="Taken">How long they took.</param>
/// <param name="IsInterrupted">Whether the user ended it.</param>
internal sealed record SearchAnswer(
    BrokerDescription Broker,
    int Schedules,
    int CoveredPairs,
    int AllPairs,
    SearchFinding? Found,
    ClusterScenario? Scenario,
    int Runs,
    TimeSpan Taken,
    bool IsInterrupted
)
{
    /// <summary>The conclusion: a loss refutes, and no loss proves nothing.</summary>
    public Conclusion Conclusion => Conclusions.Of(Found is not null ? false : null, IsInterrupted && Found is null);
}
