using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Learning.Data;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.App.Explore;

/// <summary>Everything that an exploration needs beside the broker.</summary>
/// <param name="Live">How its runs are made.</param>
/// <param name="Populations">The clients and what they do.</param>
/// <param name="Time">How long to explore; null for the paper's design without waits, which has its own length.</param>
/// <param name="MostClients">The largest number of clients that is to be predicted.</param>
/// <param name="Coarse">Whether the cases are few and short.</param>
/// <param name="Log">The log to write.</param>
internal sealed record ExploreRequest(
    LiveRuns Live,
    IReadOnlyList<Population> Populations,
    TimeSpan? Time,
    int MostClients,
    bool Coarse,
    string Log
)
{
    /// <summary>The training cases.</summary>
    public IReadOnlyList<TrainingCase> Cases =>
        Time is { } time
            ? TrainingDesign.Doe2(SeedPurpose.Explore.Seed(Live.Seed), time, MostClients, Populations)
            : TrainingDesign.Saturated(SeedPurpose.Explore.Seed(Live.Seed), Populations);

    /// <summary>Refuses more clients than this machine can hold, and profiles that they cannot carry.</summary>
    /// <param name="moreClients">The clients of what follows the exploration.</param>
    /// <exception cref="InputException">The limits of the system are too low, or a profile asks for more.</exception>
    public void Require(params IEnumerable<int> moreClients)
    {
        Live.Require(Populations);
        SystemLimits.Require(Cases.Select(planned => planned.Clients).Concat(moreClients).Max());
    }
}
