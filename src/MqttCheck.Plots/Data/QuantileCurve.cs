namespace MqttCheck.Plots.Data;

/// <summary>Quantiles of the latencies of one run.</summary>
/// <param name="Label">Which run.</param>
/// <param name="Points">
/// Shares in 0 .. 1, ascending, with the latency in milliseconds that so many do not exceed.
/// </param>
internal sealed record QuantileCurve(string Label, IReadOnlyList<(double Share, double Milliseconds)> Points);
