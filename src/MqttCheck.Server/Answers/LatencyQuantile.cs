namespace MqttCheck.Server.Answers;

/// <summary>A quantile of the worst latency of a sequence.</summary>
/// <param name="Share">The share of sequences, in (0, 1).</param>
/// <param name="Milliseconds">
/// The worst latency that this share does not exceed; null where the sequences never ended well.
/// </param>
internal sealed record LatencyQuantile(double Share, double? Milliseconds);
