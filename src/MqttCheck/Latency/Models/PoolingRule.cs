namespace MqttCheck.Latency.Models;

/// <summary>
/// How a cell of features that was seldom or never seen learns from its neighbours: cells are taken in order of
/// distance until there are enough exchanges. Distance is the weighted sum of squared differences in bins. A linear
/// trend of the mean latency, if there is one, scales the latencies of a neighbour to the cell. Or publications to
/// other numbers of subscribers are taken for maxima: the latency of a publication is that of its slowest delivery, so
/// if deliveries are independent, its distribution function is that of one delivery to the power of the number of
/// subscribers.
/// </summary>
/// <param name="Fewest">How many exchanges are enough.</param>
/// <param name="Weights">The weight of a step in each feature.</param>
/// <param name="Trend">The trend, or null.</param>
/// <param name="Maxima">Whether publications are taken for the slowest of their deliveries.</param>
internal sealed record PoolingRule(int Fewest, PoolingWeights Weights, LatencyTrend? Trend, bool Maxima = false);
