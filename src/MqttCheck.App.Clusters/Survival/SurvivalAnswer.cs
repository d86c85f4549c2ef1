using MqttCheck.Brokers.Processes;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>The answer to what a broker or a cluster survives.</summary>
/// <param name="Broker">The brokers with their settings.</param>
/// <param name="Table">The table with all its runs.</param>
/// <param name="Plan">The plan.</param>
/// <param name="Runs">How many runs were made.</param>
/// <param name="Planned">How long it was said to take.</param>
/// <param name="Taken">How long it took.</param>
/// <param name="IsInterrupted">Whether the user ended it.</param>
internal sealed record SurvivalAnswer(
    BrokerDescription Broker,
    SurvivalTable Table,
    SurvivalPlan Plan,
    int Runs,
    TimeSpan Planned,
    TimeSpan Taken,
    bool IsInterrupted
)
{
    /// <summary>The run that lost most messages; null if none lost any.</summary>
    public WorstRun? Worst { get; init; }

    /// <summary>The cells in which something was lost.</summary>
    public IReadOnlyList<SurvivalCell> Lost => [.. Table.All.Where(cell => cell.Verdict == SurvivalVerdict.Lost)];

    /// <summary>The cells that were not lost in any run.</summary>
    public IReadOnlyList<SurvivalCell> Surviving =>
        [.. Table.All.Where(cell => cell.Verdict == SurvivalVerdict.Survives)];

    /// <summary>
    /// The conclusion: one loss refutes. What was not tried on this machine, or not decided, withholds it.
    /// </summary>
    public Conclusion Conclusion
    {
        get
        {
            var isRefuted = Lost.Count > 0;
            var isOpen = Table.All.Any(cell => cell.Verdict is SurvivalVerdict.NotTried or SurvivalVerdict.Undecided);
            bool? isMet =
                isRefuted ? false
                : isOpen ? null
                : true;
            return Conclusions.Of(isMet, IsInterrupted && !isRefuted);
        }
    }
}
