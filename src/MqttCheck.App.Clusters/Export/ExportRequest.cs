using MqttCheck.Latency;
using MqttCheck.Simulation;

namespace MqttCheck.App.Clusters.Export;

/// <summary>Clients that other model checkers are to take.</summary>
/// <param name="ThresholdsMilliseconds">A property is asked for each.</param>
/// <param name="Approximate">Whether what automata cannot carry, and long laws, are replaced by simpler ones.</param>
/// <param name="Bounded">Whether properties need a bound on time, and have no U.</param>
internal sealed record ExportRequest(
    SimulatedFleet Setup,
    LatencyModel Latencies,
    IReadOnlyList<double> ThresholdsMilliseconds,
    bool Approximate,
    bool Bounded
);
