namespace MqttCheck.Telemetry.Tests;

/// <summary>A number of a metric, or the durations of a histogram.</summary>
/// <param name="Count">How many values a histogram counted.</param>
/// <param name="Sum">The sum of these.</param>
internal sealed record ReceivedPoint(
    double Value,
    long Count,
    double Sum,
    IReadOnlyDictionary<string, string> Attributes
);
