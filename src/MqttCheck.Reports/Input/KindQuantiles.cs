using MqttCheck.Clients;

namespace MqttCheck.Reports.Input;

/// <summary>Observed and replayed quantiles of the latencies of one kind of message.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Observed">How many exchanges were observed.</param>
/// <param name="Replayed">How many were simulated.</param>
/// <param name="Quantiles">The quantiles, ascending.</param>
public sealed record KindQuantiles(MessageKind Kind, int Observed, int Replayed, IReadOnlyList<QuantilePair> Quantiles);
