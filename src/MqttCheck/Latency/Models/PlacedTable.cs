namespace MqttCheck.Latency.Models;

/// <summary>The latencies at one place of a model.</summary>
/// <param name="Place">The number of a cell or of a node of a grid.</param>
/// <param name="Table">The latencies there.</param>
internal sealed record PlacedTable(int Place, QuantileTable Table);
