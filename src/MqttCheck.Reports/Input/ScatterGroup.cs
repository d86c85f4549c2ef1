using MqttCheck.Clients;

namespace MqttCheck.Reports.Input;

/// <summary>The exchanges of one kind in a <see cref="ScatterReport"/>.</summary>
/// <param name="Kind">The kind of message.</param>
/// <param name="LatencyMilliseconds">The latency of each exchange.</param>
/// <param name="Values">For each column of the report, its value for each exchange.</param>
public sealed record ScatterGroup(
    MessageKind Kind,
    IReadOnlyList<double> LatencyMilliseconds,
    IReadOnlyList<IReadOnlyList<double>> Values
);
