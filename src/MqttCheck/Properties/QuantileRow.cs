using MqttCheck.Statistics;

namespace MqttCheck.Properties;

/// <summary>A quantile of a distribution.</summary>
/// <param name="Share">The share of traces that do not exceed it, in (0, 1).</param>
/// <param name="Value">The quantile.</param>
/// <param name="Interval">The confidence interval of the true quantile; ends may be infinite.</param>
internal readonly record struct QuantileRow(double Share, double Value, Interval Interval);
