namespace MqttCheck.Clusters.Mosquitto.Reading;

/// <summary>A key of mosquitto.conf(5).</summary>
/// <param name="Name">The word.</param>
/// <param name="Scope">What it sets.</param>
/// <param name="Kind">The values that it takes.</param>
internal sealed record ConfKey(string Name, ConfScope Scope, ConfKind Kind)
{
    /// <summary>The key of today for a deprecated name; <see cref="Name"/> otherwise.</summary>
    public string Means { get; init; } = Name;

    /// <summary>The version of Mosquitto that has it; null for those up to the one that is followed here.</summary>
    public Version? Since { get; init; }

    /// <summary>Whether its value is never kept nor shown.</summary>
    public bool IsSecret { get; init; }

    /// <summary>Keys that may not stand above it in its block.</summary>
    public IReadOnlyList<string> Excludes { get; init; } = [];
}
