using MqttCheck.ClusterProtocols.Predicting;
using MqttCheck.Reports.Marks;
using MqttCheck.Server.Answers.Charts;

namespace MqttCheck.Server.Answers;

/// <summary>Delivery times and losses by the places of publisher and subscriber.</summary>
/// <param name="AreSites">Whether the places are sites, and not brokers.</param>
/// <param name="Runs">Over how many runs.</param>
/// <param name="Rows">Each pair that was owed a delivery.</param>
internal sealed record ClusterPairs(bool AreSites, int Runs, IReadOnlyList<PairPrediction> Rows)
{
    /// <summary>The pairs as a chart; null without one.</summary>
    public Chart? Chart => PairsChart.Of(Rows);

    /// <summary>The predictions so far; null where they are not asked for.</summary>
    public static ClusterPairs? Of(PairPredictions? pairs) =>
        pairs is null ? null : new(pairs.AreSites, pairs.Runs, pairs.Answers);
}
