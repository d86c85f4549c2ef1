using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Generation;

/// <summary>Which scenarios are generated.</summary>
public sealed record GeneratorOptions
{
    /// <summary>The protocol versions to choose from, at least one. Default 3.1.1.</summary>
    public ValueList<ProtocolVersion> Versions { get; init; } = [ProtocolVersion.V311];

    /// <summary>The most clients of a scenario, 2 .. 8. Default 4.</summary>
    public int MaximumClients { get; init; } = 4;

    /// <summary>The most commands of a scenario, 4 .. 200. Default 24.</summary>
    public int MaximumSteps { get; init; } = 24;

    /// <summary>
    /// Whether all topics and filters begin with the name of the run, because the broker allows no others. Default no.
    /// </summary>
    public bool StaysBelowPrefix { get; init; }

    /// <summary>The packet defects to choose from; none turns malformed packets off. Default none.</summary>
    public IReadOnlyList<string> Defects311 { get; init; } = [];

    /// <summary>The same for MQTT 5.</summary>
    public IReadOnlyList<string> Defects5 { get; init; } = [];
}
