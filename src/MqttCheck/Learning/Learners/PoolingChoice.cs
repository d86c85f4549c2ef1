using MqttCheck.Clients;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Chooses how sparsely seen cells learn from their neighbours. Which features matter differs from broker to broker,
/// and too small a neighbourhood is noisy where too large a one is biased, so rules compete: cells learned from every
/// other training case are scored on the remaining cases, and the other way round.
/// </summary>
/// <param name="data">The training data.</param>
internal sealed class PoolingChoice(TrainingData data)
{
    private static readonly int[] Sizes = [80, 250, 800];
    private static readonly PoolingWeights[] Weights =
    [
        new(1, 4, 1),
        new(4, 4, 1),
        new(1, 4, 4),
        new(1, 1, 4),
        new(16, 16, 1),
    ];

    // As maxima, publications to other numbers of subscribers are near.
    private static readonly PoolingWeights[] WeightsOfMaxima =
    [
        new(1, 1, 1),
        new(1, 1, 4),
        new(4, 1, 4),
        new(4, 1, 16),
        new(16, 1, 16),
    ];

    // At most this many observations per cell are scored, evenly spaced among its sorted latencies.
    private const int MostScored = 48;

    // Only this many cells of each kind are scored; the others hold few exchanges.
    private const int MostCells = 80;

    // Every rule is scored on one in five of these cells, and only the best few on the others. Poor rules among some
    // forty show soon, and scoring is nearly all the work of learning.
    private const int FirstRound = 5,
        Finalists = 6;

    // The cells of every other training case.
    private readonly CellSamples[] _halves =
    [
        CellSamples.Of(data, run => run % 2 == 0),
        CellSamples.Of(data, run => run % 2 == 1),
    ];

    /// <summary>All exchanges by cell.</summary>
    public CellSamples All { get; } = CellSamples.Of(data, _ => true);

    /// <summary>
    /// The rule with the smallest mean score (continuous ranked probability score); the first of equals.
    /// </summary>
    /// <param name="kind">The kind.</param>
    /// <returns>The rule; null if the data do not hold the kind.</returns>
    public PoolingRule? Best(MessageKind kind)
    {
        if (All.Rows((int)kind) == 0)
            return null;
        if (_halves.Any(half => half.Rows((int)kind) < BinnedQuantilesLearner.FewestPerKind))
            return new(Sizes[0], Weights[0], null);
        var scoring = new Scoring(_halves, kind);
        // OrderBy keeps the order of equals, so the first of them wins.
        return Candidates(kind, TrendOf(All, kind))
            .Select(rule => (Rule: rule, Score: scoring.Of(rule, first: true)))
            .OrderBy(scored => scored.Score)
            .Take(Finalists)
            .Select(scored => (scored.Rule, Score: scored.Score + scoring.Of(scored.Rule, first: false)))
            .OrderBy(scored => scored.Score)
            .First()
            .Rule;
    }

    private static IEnumerable<PoolingRule> Candidates(MessageKind kind, LatencyTrend? trend)
    {
        foreach (var size in Sizes)
        {
            foreach (var weights in Weights)
            {
                yield return new(size, weights, null);
                if (trend is not null)
                    yield return new(size, weights, trend);
            }
            if (kind != MessageKind.Publish)
                continue;
            foreach (var weights in WeightsOfMaxima)
                yield return new(size, weights, null, Maxima: true);
        }
    }

    // The linear trend of the mean latency over the cells' centres; null where all latencies are 0.
    private static LatencyTrend? TrendOf(CellSamples samples, MessageKind kind)
    {
        var regression = new LeastSquares(4);
        double sum = 0;
        var rows = 0;
        Span<double> x = stackalloc double[4];
        foreach (var cell in samples.Seen((int)kind))
        {
            var latencies = samples[cell];
            double total = 0;
            foreach (var latency in latencies)
                total += latency;
            // A cell enters with the weight of its exchanges: its mean, and both sides multiplied by the root of their
            // number.
            var root = Math.Sqrt(latencies.Length);
            var (active, subscribers, recent) = FeatureBins.CentreOf(cell);
            (x[0], x[1], x[2], x[3]) = (root, root * active, root * subscribers, root * recent);
            regression.Add(x, total / latencies.Length * root);
            sum += total;
            rows += latencies.Length;
        }
        if (sum == 0 || !regression.TrySolve(out var fit))
            return null;
        return new(fit.Coefficients[0], fit.Coefficients[1], fit.Coefficients[2], fit.Coefficients[3], sum / rows / 10);
    }

    // Learns from the cells of one half and scores on those of the other.
    private sealed class Scoring(CellSamples[] halves, MessageKind kind)
    {
        private readonly QuantileTable?[][] _tables = Array.ConvertAll(halves, half => Tables(half, kind));
        private readonly LatencyTrend?[] _trends = Array.ConvertAll(halves, half => TrendOf(half, kind));

        // The cells that were seen most often.
        private readonly int[][] _cells = Array.ConvertAll(
            halves,
            half =>
                half.Seen((int)kind)
                    .OrderByDescending(cell => half[cell].Length)
                    .ThenBy(cell => cell)
                    .Take(MostCells)
                    .ToArray()
        );

        public double Of(PoolingRule rule, bool first)
        {
            var sum = 0.0;
            for (var half = 0; half < 2; half++)
            {
                // Each half with the trend that it shows itself.
                var pool = new CellPool(
                    kind,
                    _tables[half],
                    rule.Trend is null ? rule : rule with { Trend = _trends[half] }
                );
                foreach (var cell in _cells[1 - half].Where((_, i) => i % FirstRound == 0 == first))
                {
                    var observed = halves[1 - half][cell];
                    sum += pool.TableOf(cell)!.MeanRankedScore(observed, MostScored) * observed.Length;
                }
            }
            return sum;
        }

        private static QuantileTable?[] Tables(CellSamples samples, MessageKind kind)
        {
            var tables = new QuantileTable?[FeatureBins.Cells];
            foreach (var (cell, table) in samples.Tables((int)kind))
                tables[cell] = table;
            return tables;
        }
    }
}
