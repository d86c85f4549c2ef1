using MqttCheck.Latency.Features;

namespace MqttCheck.Latency.Models;

/// <summary>The mean latency of one kind of message as a linear function of the features, in milliseconds.</summary>
/// <param name="Intercept">At zero of everything.</param>
/// <param name="Active">Per open exchange.</param>
/// <param name="Subscribers">Per subscriber of the topic.</param>
/// <param name="RecentActivity">Per unit of recent activity.</param>
/// <param name="Floor">
/// The least value that the function is given, positive: a straight line may fall below zero where nothing was seen.
/// </param>
internal sealed record LatencyTrend(
    double Intercept,
    double Active,
    double Subscribers,
    double RecentActivity,
    double Floor
)
{
    // Beyond this factor two cells have too little in common for one to stand in for the other by scaling.
    private const double MostScaling = 3;

    /// <summary>By how much latencies of one cell are scaled to stand for those of another.</summary>
    /// <param name="fromCell">The cell that was seen.</param>
    /// <param name="toCell">The cell they are to stand for.</param>
    public double Scale(int fromCell, int toCell) =>
        Math.Clamp(Mean(toCell) / Mean(fromCell), 1 / MostScaling, MostScaling);

    private double Mean(int cell)
    {
        var (active, subscribers, recent) = FeatureBins.CentreOf(cell);
        return Math.Max(Floor, Intercept + Active * active + Subscribers * subscribers + RecentActivity * recent);
    }
}
