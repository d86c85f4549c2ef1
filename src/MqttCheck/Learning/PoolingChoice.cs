using MqttCheck.Clients;
using MqttCheck.Latency;

namespace MqttCheck.Learning;

/// <summary>
/// Chooses how sparsely seen cells learn from their neighbours. Which features matter differs from broker to broker, and too small a neighbourhood is noisy where too large a one is
/// biased, so rules compete: cells learned from every other training case are scored on the remaining cases, and the other way round.
/// </summary>
/// <param name="data">The training data.</param>
internal sealed class PoolingChoice(TrainingData data)
{
    private static readonly int[] Sizes = [80, 250, 800];
    private static readonly (int Active, int Subscribers, int Recent)[] Weights = [(1, 4, 1), (4, 4, 1), (1, 4, 4), (1, 1, 4), (16, 16, 1)];

    // As maxima, publications to other numbers of subscribers are near.
    private static readonly (int Active, int Subscribers, int Recent)[] WeightsOfMaxima = [(1, 1, 1), (1, 1, 4), (4, 1, 4), (4, 1, 16), (16, 1, 16)];

    // At most this many observations per cell are scored, evenly spaced among its sorted latencies.
    private const int MostScored = 48;

    // Of each kind this many cells are scored; the others hold few exchanges.
    private const int MostCells = 80;

    // Every rule is scored on one in five of these cells, and the few best on the others too: which of thirty rules are poor shows soon, and scoring is nearly all the work of learning.
    private const int FirstRound = 5, Finalists = 6;

    private readonly CellSamples[] _halves = [CellSamples.Of(data, run => run % 2 == 0), CellSamples.Of(data, run => run % 2 == 1)];
    private readonly CellSamples _all = CellSamples.Of(data, _ => true);

    /// <summary>The rule with the smallest mean score (continuous ranked probability score); the first of equals.</summary>
    /// <param name="kind">A kind that the data hold.</param>
    public PoolingRule Best(MessageKind kind)
    {
        var trend = Trend(_all, kind);
        var simplest = new PoolingRule(Sizes[0], Weights[0].Active, Weights[0].Subscribers, Weights[0].Recent, null);
        if (_halves.Any(half => half.Rows((int)kind) < BinnedQuantilesLearner.FewestPerKind)) return simplest;

        var scoring = _halves.Select(half => (Trend: Trend(half, kind), Tables: Tables(half, kind))).ToArray();
        var cells = _halves.Select(half => Cells(half, kind)).ToArray();
        // OrderBy keeps the order of equals, so the first of them wins.
        return Candidates(kind, trend)
            .Select(rule => (Rule: rule, Sum: ScoreOf(rule, first: true))).OrderBy(scored => scored.Sum).Take(Finalists)
            .OrderBy(scored => scored.Sum + ScoreOf(scored.Rule, first: false)).First().Rule;

        double ScoreOf(PoolingRule rule, bool first)
        {
            var score = 0.0;
            for (var half = 0; half < 2; half++)
            {
                // Each half with the trend that it shows itself.
                var own = rule.Trend is null ? rule : rule with { Trend = scoring[half].Trend };
                score += Score(new CellPool(kind, scoring[half].Tables, own), cells[1 - half].Where((_, i) => i % FirstRound == 0 == first), _halves[1 - half]);
            }
            return score;
        }
    }

    private static IEnumerable<PoolingRule> Candidates(MessageKind kind, LatencyTrend? trend)
    {
        foreach (var size in Sizes)
        {
            foreach (var (active, subscribers, recent) in Weights)
            {
                yield return new(size, active, subscribers, recent, null);
                if (trend is not null) yield return new(size, active, subscribers, recent, trend);
            }
            if (kind != MessageKind.Publish) continue;
            foreach (var (active, subscribers, recent) in WeightsOfMaxima) yield return new(size, active, subscribers, recent, null, Maxima: true);
        }
    }

    private static double Score(CellPool pool, IEnumerable<int> cells, CellSamples heldOut)
    {
        var sum = 0.0;
        foreach (var cell in cells)
        {
            var observed = heldOut[cell];
            sum += pool.TableOf(cell)!.MeanRankedScore(observed, MostScored) * observed.Length;
        }
        return sum;
    }

    // The cells of a kind that were seen most often.
    private static int[] Cells(CellSamples heldOut, MessageKind kind) =>
    [
        .. Enumerable.Range((int)kind * FeatureBins.CellsPerKind, FeatureBins.CellsPerKind).Where(cell => heldOut[cell].Length > 0)
            .OrderByDescending(cell => heldOut[cell].Length).ThenBy(cell => cell).Take(MostCells),
    ];

    private static QuantileTable?[] Tables(CellSamples samples, MessageKind kind)
    {
        var tables = new QuantileTable?[FeatureBins.Cells];
        for (var cell = (int)kind * FeatureBins.CellsPerKind; cell < ((int)kind + 1) * FeatureBins.CellsPerKind; cell++)
        {
            if (!samples[cell].IsEmpty) tables[cell] = QuantileTable.From(samples[cell]);
        }
        return tables;
    }

    // The linear trend of the mean latency over the cells' centres; null where all latencies are 0.
    private static LatencyTrend? Trend(CellSamples samples, MessageKind kind)
    {
        var regression = new LeastSquares(4);
        double sum = 0;
        var rows = 0;
        Span<double> x = stackalloc double[4];
        for (var cell = (int)kind * FeatureBins.CellsPerKind; cell < ((int)kind + 1) * FeatureBins.CellsPerKind; cell++)
        {
            var latencies = samples[cell];
            if (latencies.IsEmpty) continue;
            double total = 0;
            foreach (var latency in latencies) total += latency;
            // A cell enters with the weight of its exchanges: its mean, and both sides multiplied by the root of their number.
            var root = Math.Sqrt(latencies.Length);
            var (active, subscribers, recent) = FeatureBins.CentreOf(cell);
            (x[0], x[1], x[2], x[3]) = (root, root * active, root * subscribers, root * recent);
            regression.Add(x, total / latencies.Length * root);
            sum += total;
            rows += latencies.Length;
        }
        if (sum == 0 || !regression.TrySolve(out var fit)) return null;
        return new(fit.Coefficients[0], fit.Coefficients[1], fit.Coefficients[2], fit.Coefficients[3], sum / rows / 10);
    }
}
