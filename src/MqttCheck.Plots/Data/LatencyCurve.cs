namespace MqttCheck.Plots.Data;

/// <summary>Latencies of one origin, for a curve of their distribution.</summary>
/// <param name="Label">The origin of the latencies.</param>
/// <param name="SortedMilliseconds">
/// The latencies or evenly spaced quantiles of them, ascending; infinity for what never came.
/// </param>
internal sealed record LatencyCurve(string Label, IReadOnlyList<double> SortedMilliseconds);
