using MqttCheck.App.Runs;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Learning.Data;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.App.Explore;

/// <summary>Everything that an exploration needs beside the broker.</summary>
internal sealed record ExploreRequest : LiveRequest
{
    /// <summary>The clients and what they do.</summary>
    public required IReadOnlyList<Population> Populations { get; init; }

    /// <summary>How long to explore; null for the paper's design without waits, which has its own length.</summary>
    public required TimeSpan? Time { get; init; }

    /// <summary>The largest number of clients that is to be predicted.</summary>
    public required int MostClients { get; init; }

    /// <summary>Whether the cases are few and short.</summary>
    public required bool Coarse { get; init; }

    /// <summary>The log to write.</summary>
    public required string Log { get; init; }

    /// <summary>The training cases.</summary>
    public IReadOnlyList<TrainingCase> Cases =>
        Time is { } time
            ? TrainingDesign.Doe2(SeedPurpose.Explore.Seed(Seed), time, MostClients, Populations)
            : TrainingDesign.Saturated(SeedPurpose.Explore.Seed(Seed), Populations);

    /// <summary>Refuses more clients than this machine can hold.</summary>
    /// <exception cref="InputException">The limits of the system are too low.</exception>
    public void Require() => SystemLimits.Require(Cases.Max(planned => planned.Clients));
}
