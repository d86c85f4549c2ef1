using System.Runtime.CompilerServices;
using MqttCheck.Clients;
using MqttCheck.Latency.Features;

namespace MqttCheck.Latency.Models;

/// <summary>
/// The tables of all cells of a model, each pooled from its neighbours when it is first asked for: a prediction meets a
/// few hundred of some thousand cells. A table depends on its cell alone, so the order of asking does not matter.
/// Threads may share it.
/// </summary>
internal sealed class PooledTables
{
    private readonly CellPool?[] _pools = new CellPool?[MessageKinds.Count];
    private readonly QuantileTable?[] _tables = new QuantileTable?[FeatureBins.Cells];
    private readonly float[]?[] _knots = new float[]?[FeatureBins.Cells];
    private readonly Lock _lock = new();

    /// <summary>The tables of a model.</summary>
    /// <param name="own">The cells that were seen, each with the table of its own exchanges.</param>
    /// <param name="rules">For each kind that was seen, how its cells learn from each other.</param>
    public PooledTables(IEnumerable<PlacedTable> own, PoolingRule?[] rules)
    {
        var seen = new QuantileTable?[FeatureBins.Cells];
        foreach (var (cell, table) in own)
            seen[cell] = table;
        for (var kind = 0; kind < MessageKinds.Count; kind++)
            if (rules[kind] is { } rule)
                _pools[kind] = new CellPool((MessageKind)kind, seen, rule);
    }

    /// <summary>The table of a cell; null if its kind was never seen.</summary>
    /// <param name="cell">The cell, see <see cref="FeatureBins"/>.</param>
    public QuantileTable? TableOf(int cell) => Volatile.Read(ref _tables[cell]) ?? Pool(cell);

    /// <summary>
    /// The knots of the table of a cell, for <see cref="QuantileTable.Draw(float[], double)"/>; null if its kind was
    /// never seen.
    /// </summary>
    /// <param name="cell">The cell, see <see cref="FeatureBins"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public float[]? KnotsOf(int cell) => Volatile.Read(ref _knots[cell]) ?? Pool(cell)?.KnotsMilliseconds;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private QuantileTable? Pool(int cell)
    {
        if (_pools[cell / FeatureBins.CellsPerKind] is not { } pool)
            return null;
        lock (_lock)
        {
            // The pool reuses its buffers, and the table must be whole before other threads see it.
            if (_tables[cell] is null)
            {
                var table = pool.TableOf(cell);
                Volatile.Write(ref _tables[cell], table);
                Volatile.Write(ref _knots[cell], table?.KnotsMilliseconds);
            }
            return _tables[cell];
        }
    }
}
