namespace MqttCheck.Latency;

/// <summary>
/// How a cell of features that was seldom or never seen learns from its neighbours: cells are taken in order of distance until there are enough exchanges. Distance is the weighted sum
/// of squared differences in bins. A linear trend of the mean latency, if there is one, scales the latencies of a neighbour to the cell.
/// </summary>
/// <param name="Fewest">How many exchanges are enough.</param>
/// <param name="ActiveWeight">Weight of a step in the open exchanges.</param>
/// <param name="SubscriberWeight">Weight of a step in the subscribers.</param>
/// <param name="RecentActivityWeight">Weight of a step in the recent activity.</param>
/// <param name="Trend">The trend, or null.</param>
internal sealed record PoolingRule(int Fewest, int ActiveWeight, int SubscriberWeight, int RecentActivityWeight, LatencyTrend? Trend);
