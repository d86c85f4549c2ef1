namespace MqttCheck.Reports.Input;

/// <summary>The broker under test: what decides which results are comparable.</summary>
public sealed record BrokerReport
{
    /// <summary>The broker as named on the command line, without credentials.</summary>
    public required string Name { get; init; }

    /// <summary>Its version, or <c>unknown</c>.</summary>
    public string Version { get; init; } = "unknown";

    /// <summary>Whether the settings are the ones a user gets by default, tuned ones, or unknown.</summary>
    public string Settings { get; init; } = "unknown";

    /// <summary>Settings that move latencies, by name.</summary>
    public IReadOnlyDictionary<string, string> Details { get; init; } = new Dictionary<string, string>();
}
