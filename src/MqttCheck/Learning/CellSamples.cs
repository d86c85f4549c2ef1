using MqttCheck.Latency;

namespace MqttCheck.Learning;

/// <summary>The latencies of a part of the training data by cell of features, ascending in each cell: the result depends on the set of exchanges only.</summary>
internal sealed class CellSamples
{
    private readonly double[] _latencies;
    private readonly int[] _starts;

    private readonly int[] _windows;

    private CellSamples(double[] latencies, int[] starts, int[] windows) => (_latencies, _starts, _windows) = (latencies, starts, windows);

    /// <summary>How long a window is, in milliseconds: what happens within one has one circumstance, a stall for instance.</summary>
    public const double WindowMilliseconds = 100;

    /// <summary>Sorts training data by cell.</summary>
    /// <param name="data">The data.</param>
    /// <param name="ofRun">Which training cases to take, by position.</param>
    public static CellSamples Of(TrainingData data, Predicate<int> ofRun)
    {
        var take = new bool[data.Runs.Length];
        for (var run = 0; run < take.Length; run++) take[run] = ofRun(run);
        var starts = new int[FeatureBins.Cells + 1];
        foreach (ref readonly var row in data.Rows.AsSpan())
        {
            if (take[row.Run]) starts[FeatureBins.CellOf(row.Features) + 1]++;
        }
        for (var cell = 0; cell < FeatureBins.Cells; cell++) starts[cell + 1] += starts[cell];
        var next = starts[..^1];
        var latencies = new double[starts[^1]];
        var windows = new int[FeatureBins.Cells];
        var last = new (int Run, int Window)[FeatureBins.Cells];
        Array.Fill(last, (-1, -1));
        foreach (ref readonly var row in data.Rows.AsSpan())
        {
            if (!take[row.Run]) continue;
            var cell = FeatureBins.CellOf(row.Features);
            latencies[next[cell]++] = row.LatencyMilliseconds;
            // Rows are in order of sending.
            var window = (row.Run, (int)(row.SentMilliseconds / WindowMilliseconds));
            if (last[cell] == window) continue;
            last[cell] = window;
            windows[cell]++;
        }
        for (var cell = 0; cell < FeatureBins.Cells; cell++) latencies.AsSpan(starts[cell]..starts[cell + 1]).Sort();
        return new(latencies, starts, windows);
    }

    /// <summary>The latencies of a cell.</summary>
    /// <param name="cell">The cell.</param>
    public ReadOnlySpan<double> this[int cell] => _latencies.AsSpan(_starts[cell].._starts[cell + 1]);

    /// <summary>The table of a cell's own exchanges.</summary>
    /// <param name="cell">A cell that was seen.</param>
    public QuantileTable TableOf(int cell) => QuantileTable.From(this[cell]) with { Windows = _windows[cell] };

    /// <summary>How many exchanges of a kind there are.</summary>
    /// <param name="kind">The kind's number.</param>
    public int Rows(int kind) => _starts[(kind + 1) * FeatureBins.CellsPerKind] - _starts[kind * FeatureBins.CellsPerKind];

    /// <summary>The cells that were seen, with the table of their own exchanges.</summary>
    public Dictionary<int, QuantileTable> Tables()
    {
        var tables = new Dictionary<int, QuantileTable>();
        for (var cell = 0; cell < FeatureBins.Cells; cell++)
        {
            if (!this[cell].IsEmpty) tables.Add(cell, TableOf(cell));
        }
        return tables;
    }
}
