using System.Runtime.CompilerServices;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// Empirical latency quantiles by kind, open exchanges, subscribers of the topic, and recent activity. It assumes no
/// shape, so it keeps the bimodal and bounded latencies that brokers have; a cell that was seldom seen learns from its
/// neighbours, see <see cref="PoolingRule"/>.
/// </summary>
internal sealed class BinnedQuantilesModel(IReadOnlyList<PlacedTable> own, PoolingRule?[] rules)
    : LatencyModel,
        IConditionalLaw
{
    /// <summary>The name of this kind of model.</summary>
    public const string KindName = "binned-quantiles";

    /// <inheritdoc/>
    public override string Kind => KindName;

    /// <summary>The tables by cell of <see cref="FeatureBins"/>.</summary>
    internal PooledTables Tables { get; } = new(own, rules);

    /// <inheritdoc/>
    public override TResult Use<TResult>(int clients, ILatencyProcessConsumer<TResult> consumer) =>
        consumer.Run(() => new Process(Tables));

    double IConditionalLaw.CumulativeProbability(in ExchangeFeatures features, double milliseconds) =>
        Tables.TableOf(FeatureBins.CellOf(features))?.CumulativeProbability(milliseconds) ?? double.NaN;

    /// <summary>The parameters, as files hold them.</summary>
    internal PooledCells Cells => new([.. own.OrderBy(cell => cell.Place)], rules);

    // Without state besides the shared tables.
    private readonly struct Process(PooledTables tables) : ILatencyProcess
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public LatencyStep Start(
            int client,
            in ExchangeFeatures features,
            double nowMilliseconds,
            ref RandomStream random
        )
        {
            var knots = tables.KnotsOf(FeatureBins.CellOf(features)) ?? throw ModelKinds.Unknown(features.Kind);
            return new(nowMilliseconds + QuantileTable.Draw(knots, random.NextDouble()), Completes: true);
        }
    }
}
