using System.Runtime.CompilerServices;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Statistics;

namespace MqttCheck.Latency.Models;

/// <summary>
/// Draws latencies from the tables of a <see cref="BinnedQuantilesModel"/>. Without state of its own: copies and
/// threads may share it.
/// </summary>
public readonly struct BinnedQuantilesProcess : ILatencyProcess
{
    private readonly PooledTables _tables;

    internal BinnedQuantilesProcess(PooledTables tables) => _tables = tables;

    /// <inheritdoc/>
    public void Reset(ref RandomStream random) { }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The model has never seen this kind of message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LatencyStep Start(int client, in ExchangeFeatures features, double nowMilliseconds, ref RandomStream random)
    {
        var knots = _tables.KnotsOf(FeatureBins.CellOf(features)) ?? throw ModelJson.Unknown(features.Kind);
        return new(nowMilliseconds + QuantileTable.Draw(knots, random.NextDouble()), Completes: true);
    }

    /// <inheritdoc/>
    public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) =>
        new(nowMilliseconds, Completes: true);
}
