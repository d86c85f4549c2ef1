using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Learns a <see cref="BinnedQuantilesModel"/>: keeps the latencies of each cell of features, and chooses for each kind
/// of message how cells learn from their neighbours: the rule under which one half of the training cases describes the
/// other half best.
/// </summary>
internal sealed class BinnedQuantilesLearner : ILearner
{
    /// <summary>A kind with fewer exchanges is learned without regard to load, and a note says so.</summary>
    public const int FewestPerKind = 80;

    /// <inheritdoc/>
    public string Name => BinnedQuantilesModel.KindName;

    /// <inheritdoc/>
    public string Description => "Empirical quantiles by kind, open exchanges, subscribers and recent activity.";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var choice = new PoolingChoice(data);
        var rules = new PoolingRule?[MessageKinds.Count];
        var notes = new List<string>();
        // Kinds do not depend on each other, and each is computed in one order: the number of threads changes nothing.
        Parallel.For(0, MessageKinds.Count, kind => rules[kind] = choice.Best((MessageKind)kind));
        var tables = new List<PlacedTable>();
        for (var kind = 0; kind < MessageKinds.Count; kind++)
        {
            if (rules[kind] is not { } rule)
                continue;
            var samples = choice.All;
            tables.AddRange(samples.Tables(kind));
            if (samples.Rows(kind) is < FewestPerKind and var rows)
            {
                notes.Add(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"Only {rows} exchanges of {((MessageKind)kind).Name()}: "
                    ) + "their latencies are taken for every load."
                );
            }
        }
        return new(data.WithHolds(new BinnedQuantilesModel(tables, rules)), notes);
    }
}
