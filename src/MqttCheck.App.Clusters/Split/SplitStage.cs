using MqttCheck.App.Progress;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Engine;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Splitting;
using MqttCheck.Latency;
using MqttCheck.Shards;
using MqttCheck.Simulation;

namespace MqttCheck.App.Clusters.Split;

/// <summary>The stage from a rare event to its probability.</summary>
/// <param name="level">A shared variable that grows towards the event; null to derive one.</param>
/// <param name="choices">How the network is simulated.</param>
/// <param name="options">How runs are split.</param>
/// <param name="runner">Who makes the repetitions; null for this process, which says how many are done.</param>
internal sealed class SplitStage(
    Workplace place,
    string? level,
    NetworkOptions choices,
    SplittingOptions options,
    IShardRunner? runner
)
{
    /// <summary>Estimates a property of a JANI model.</summary>
    /// <param name="path">The file of the model.</param>
    /// <param name="constants">Values for constants that have none in the file.</param>
    /// <param name="property">The name of the property; null for the only one.</param>
    public SplitAnswer OfModel(string path, IReadOnlyDictionary<string, double> constants, string? property) =>
        Estimate(RareEvent.OfJani(JaniReader.Text(path), path, constants, property, level, choices));

    /// <summary>Estimates how likely a message of a client's sequence takes at least a time.</summary>
    /// <param name="model">The latencies; null for a law.</param>
    /// <param name="law">One law for all latencies; null for a model.</param>
    public SplitAnswer OfMessage(SimulatedFleet setup, LatencyModel? model, string? law, double milliseconds) =>
        Estimate(RareEvent.OfClient(setup, model, law, milliseconds, level, choices));

    private SplitAnswer Estimate(RareEvent rare)
    {
        place.Progress.Warn(rare.Notes);
        var computing = runner ?? new CountingRunner(place.Progress, Environment.ProcessorCount);
        return new(rare.Property, rare.Estimate(options, computing, place.Orderly));
    }
}
