using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;

namespace MqttCheck.Learning.Data;

/// <summary>
/// The latencies of a part of the training data by cell of features, ascending in each cell: the result depends on the
/// set of exchanges only.
/// </summary>
internal sealed class CellSamples(double[] latencies, int[] starts)
{
    /// <summary>Sorts training data by cell.</summary>
    /// <param name="data">The data.</param>
    /// <param name="ofRun">Which training cases to take, by position.</param>
    public static CellSamples Of(TrainingData data, Predicate<int> ofRun)
    {
        bool[] take = [.. Enumerable.Range(0, data.Runs.Length).Select(run => ofRun(run))];
        var starts = new int[FeatureBins.Cells + 1];
        foreach (ref readonly var row in data.Rows.AsSpan())
        {
            if (take[row.Run])
                starts[CellOf(row.Features) + 1]++;
        }
        for (var cell = 0; cell < FeatureBins.Cells; cell++)
            starts[cell + 1] += starts[cell];
        var next = starts[..^1];
        var latencies = new double[starts[^1]];
        foreach (ref readonly var row in data.Rows.AsSpan())
        {
            if (take[row.Run])
                latencies[next[CellOf(row.Features)]++] = data.Held is null
                    ? row.LatencyMilliseconds
                    : NagleDetection.OwnMilliseconds(row);
        }
        for (var cell = 0; cell < FeatureBins.Cells; cell++)
            latencies.AsSpan(starts[cell]..starts[cell + 1]).Sort();
        return new(latencies, starts);

        // If no delivery is kept back, withheld acknowledgements have no influence.
        int CellOf(in ExchangeFeatures features) =>
            data.Held is null
                ? FeatureBins.WithoutWithheld(FeatureBins.CellOf(features))
                : FeatureBins.CellOf(features);
    }

    /// <summary>The latencies of a cell.</summary>
    /// <param name="cell">The cell.</param>
    public ReadOnlySpan<double> this[int cell] => latencies.AsSpan(starts[cell]..starts[cell + 1]);

    /// <summary>How many exchanges of a kind there are.</summary>
    /// <param name="kind">The kind's number.</param>
    public int Rows(int kind) =>
        starts[(kind + 1) * FeatureBins.CellsPerKind] - starts[kind * FeatureBins.CellsPerKind];

    /// <summary>The cells of a kind that were seen, with the table of their own exchanges.</summary>
    /// <param name="kind">The kind's number.</param>
    public IEnumerable<PlacedTable> Tables(int kind) =>
        Seen(kind).Select(cell => new PlacedTable(cell, QuantileTable.From(this[cell])));

    /// <summary>The cells of a kind that were seen, ascending.</summary>
    /// <param name="kind">The kind's number.</param>
    public IEnumerable<int> Seen(int kind) =>
        Enumerable
            .Range(kind * FeatureBins.CellsPerKind, FeatureBins.CellsPerKind)
            .Where(cell => starts[cell + 1] > starts[cell]);
}
