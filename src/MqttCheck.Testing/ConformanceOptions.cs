using MqttCheck.Protocol;

namespace MqttCheck.Testing;

/// <summary>How a broker is checked against the standard.</summary>
public sealed record ConformanceOptions
{
    /// <summary>
    /// The seed of all scenarios. Default: environment variable <see cref="MeasureOptions.SeedVariable"/>, otherwise 1.
    /// </summary>
    public ulong? Seed { get; init; }

    /// <summary>The protocol versions. Default 3.1.1 and 5; one that the broker refuses at all is left out.</summary>
    public IReadOnlyList<ProtocolVersion> Versions { get; init; } = [ProtocolVersion.V311, ProtocolVersion.V5];

    /// <summary>
    /// Short names of statements that do not count, such as <c>resend</c>: deviations that are known and accepted.
    /// <c>mqttcheck check</c> lists all names. Default none.
    /// </summary>
    public IReadOnlyList<string> Except { get; init; } = [];

    /// <summary>The most scenarios, at least 1. Default: as many as the time allows.</summary>
    public long Scenarios { get; init; } = long.MaxValue;
}
