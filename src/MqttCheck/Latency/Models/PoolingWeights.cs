namespace MqttCheck.Latency.Models;

/// <summary>The weight of a step from bin to bin in the distance of two cells, see <see cref="PoolingRule"/>.</summary>
/// <param name="Active">A step in the open exchanges, at least 1.</param>
/// <param name="Subscribers">A step in the subscribers, at least 1.</param>
/// <param name="RecentActivity">A step in the recent activity, at least 1.</param>
internal sealed record PoolingWeights(int Active, int Subscribers, int RecentActivity)
{
    /// <summary>The greatest weight, so that distances stay small numbers.</summary>
    public const int Greatest = 1000;
}
