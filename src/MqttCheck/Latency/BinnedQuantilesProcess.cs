using System.Runtime.CompilerServices;
using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Latency;

/// <summary>Draws latencies from the tables of a <see cref="BinnedQuantilesModel"/>. Without state of its own: copies and threads may share it.</summary>
public readonly struct BinnedQuantilesProcess : ILatencyProcess
{
    private readonly PooledTables _tables;
    private readonly QuantileTable?[] _known;

    internal BinnedQuantilesProcess(PooledTables tables) => (_tables, _known) = (tables, tables.Known);

    /// <inheritdoc/>
    public void Reset()
    {
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The model has never seen this kind of message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LatencyStep Start(int client, in ExchangeFeatures features, double nowMilliseconds, ref RandomStream random)
    {
        var cell = FeatureBins.CellOf(features);
        var table = _known[cell] ?? TableOf(cell, features.Kind);
        return new(nowMilliseconds + table.Draw(random.NextDouble()), Completes: true);
    }

    /// <inheritdoc/>
    public LatencyStep Continue(int client, double nowMilliseconds, ref RandomStream random) => new(nowMilliseconds, Completes: true);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private QuantileTable TableOf(int cell, MessageKind kind) =>
        _tables.TableOf(cell)
        ?? throw new InvalidOperationException($"The latency model was learned without a {kind.Name()} message, so it cannot predict one.");
}
