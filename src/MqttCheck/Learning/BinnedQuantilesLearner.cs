using System.Globalization;
using MqttCheck.Clients;
using MqttCheck.Latency;

namespace MqttCheck.Learning;

/// <summary>Learns a <see cref="BinnedQuantilesModel"/>: sorts the latencies of each cell of features and keeps their quantiles.</summary>
public sealed class BinnedQuantilesLearner : ILearner
{
    /// <summary>A cell with fewer exchanges has no table of its own.</summary>
    public const int FewestPerCell = 80;

    /// <inheritdoc/>
    public string Name => BinnedQuantilesModel.KindName;

    /// <inheritdoc/>
    public string Description => "Empirical quantiles by kind, open exchanges, subscribers and recent activity (default).";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        ArgumentNullException.ThrowIfNull(data);
        var latencies = SortByCell(data, out var starts);
        var tables = new Dictionary<int, QuantileTable>();
        var notes = new List<string>();
        for (var kind = 0; kind < MessageKinds.Count; kind++)
        {
            var (from, to) = (kind * FeatureBins.CellsPerKind, (kind + 1) * FeatureBins.CellsPerKind);
            var rows = starts[to] - starts[from];
            if (rows == 0) continue;
            var before = tables.Count;
            for (var cell = from; cell < to; cell++)
            {
                if (starts[cell + 1] - starts[cell] >= FewestPerCell) tables.Add(cell, QuantileTable.From(latencies.AsSpan(starts[cell]..starts[cell + 1])));
            }
            if (tables.Count > before) continue;

            // Too few for any cell: one table for all conditions, which a note says.
            var all = latencies[starts[from]..starts[to]];
            Array.Sort(all);
            tables.Add(from, QuantileTable.From(all));
            notes.Add(string.Create(CultureInfo.InvariantCulture,
                $"No condition has {FewestPerCell} exchanges of {((MessageKind)kind).Name()}: its {rows} latencies make one table for all conditions."));
        }
        return new(new BinnedQuantilesModel(tables), notes);
    }

    // Counting sort by cell, then by latency inside each cell: the result depends on the set of exchanges only.
    private static double[] SortByCell(TrainingData data, out int[] starts)
    {
        starts = new int[FeatureBins.Cells + 1];
        foreach (ref readonly var row in data.Rows.AsSpan()) starts[FeatureBins.CellOf(row.Features) + 1]++;
        for (var cell = 0; cell < FeatureBins.Cells; cell++) starts[cell + 1] += starts[cell];
        var next = starts[..^1];
        var latencies = new double[data.Rows.Length];
        foreach (ref readonly var row in data.Rows.AsSpan()) latencies[next[FeatureBins.CellOf(row.Features)]++] = row.LatencyMilliseconds;
        for (var cell = 0; cell < FeatureBins.Cells; cell++) latencies.AsSpan(starts[cell]..starts[cell + 1]).Sort();
        return latencies;
    }
}
