using MqttCheck.ClusterProtocols.Simulation;
using MqttCheck.Clusters.Properties;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Clusters.Topologies.Files;

namespace MqttCheck.App.Clusters.Predict;

/// <summary>A scenario that is asked of a cluster in place of the one of its file.</summary>
/// <param name="Source">Who asks, for messages.</param>
internal sealed record ScenarioChange(string Source)
{
    /// <summary>The scenario; null for that of the file.</summary>
    public ClusterScenario? Scenario { get; init; }

    /// <summary>How long a run lasts; null for as long as the scenario says.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>The beginning of all topics; null for that of the scenario.</summary>
    public string? TopicPrefix { get; init; }

    /// <summary>The faults; none for those of the scenario.</summary>
    public IReadOnlyList<string> Faults { get; init; } = [];

    /// <summary>The properties; none for those of the scenario.</summary>
    public IReadOnlyList<string> Properties { get; init; } = [];

    /// <summary>The name of a fault in messages, and that of a property.</summary>
    public (string Fault, string Property) Names { get; init; } = ("--fault", "--property");

    /// <summary>A topology with what is asked.</summary>
    /// <exception cref="InputException">Something cannot be, or does not fit the topology.</exception>
    public Topology Of(Topology topology)
    {
        var scenario = Scenario ?? topology.Scenario;
        if (Faults.Count > 0)
            scenario = scenario with { Faults = [.. Faults.Select(fault => FaultText.Parse(fault, Names.Fault))] };
        if (Properties.Count > 0)
            scenario = scenario with
            {
                Properties = [.. Properties.Select(property => new ScenarioProperty(property, Names.Property))],
            };
        if (Duration is { } duration)
            scenario = scenario with { Duration = duration };
        if (TopicPrefix is { } prefix)
            scenario = scenario with { TopicPrefix = prefix };
        // A fault that never comes would make every run look like one that was repaired.
        return scenario == topology.Scenario ? topology : ScenarioFile.Apply(topology, scenario, Source);
    }

    /// <summary>A topology once for each value of a variation, and of each other one.</summary>
    /// <param name="label">Its name where nothing varies.</param>
    /// <param name="name">The name of a variation in messages.</param>
    /// <exception cref="InputException">A variation is none of the topology.</exception>
    public static IReadOnlyList<(string Label, Topology Topology)> Variants(
        string label,
        Topology topology,
        IEnumerable<string> variations,
        string name
    )
    {
        IReadOnlyList<(string Label, Topology Topology)> variants = [(label, topology)];
        foreach (var vary in variations)
            variants =
            [
                .. variants.SelectMany(variant =>
                    TopologyVariation
                        .Of(variant.Topology, vary, name)
                        .Select(varied => ($"{variant.Label} {varied.Label}".TrimStart(), varied.Topology))
                ),
            ];
        return variants;
    }
}
