using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Learns a <see cref="LogNormalMixtureModel"/> by expectation and maximisation (Dempster, Laird and Rubin 1977). The
/// weights take one step per round along a quadratic lower bound of their likelihood (Böhning 1992), so the likelihood
/// never falls and one Cholesky factor serves all rounds.
/// </summary>
internal sealed class LogNormalMixtureLearner : ILearner
{
    private const int MostRowsPerKind = 6_000;
    private const int FewestRows = 40;
    private const int Rounds = 60;
    private const double Ridge = 0.01;
    private const double LeastDeviation = 0.02;
    private const double MostBeyondSeen = 1.5;
    private const int Components = LogNormalMixtureModel.Components;
    private const int Columns = LogNormalMixtureModel.Columns;

    /// <inheritdoc/>
    public string Name => LogNormalMixtureModel.KindName;

    /// <inheritdoc/>
    public string Description =>
        "A mixture of three log-normal regressions by kind, fitted by expectation and maximisation.";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var kinds = data.FitKinds(seed, 0x6D6978, MostRowsPerKind, Fit);
        var few = Enumerable
            .Range(0, kinds.Length)
            .Where(kind =>
                kinds[kind] is { } mixture && !mixture.Means.Skip(1).Take(Columns - 1).Any(slope => slope != 0)
            )
            .Select(kind => ((MessageKind)kind).Name())
            .ToList();
        return new(
            data.WithHolds(new LogNormalMixtureModel(kinds)),
            few.Count == 0 ? [] : [$"Too few exchanges of {string.Join(", ", few)}: one law whatever the load."]
        );
    }

    private static LogNormalMixture Fit(TrainingRow[] rows)
    {
        var n = rows.Length;
        var x = new double[n * Columns];
        var y = new double[n];
        for (var i = 0; i < n; i++)
        {
            LogNormalMixtureModel.Fill(rows[i].Features, x.AsSpan(i * Columns, Columns));
            y[i] = Math.Log(Math.Max(rows[i].LatencyMilliseconds, LogNormalMixtureModel.LeastMilliseconds));
        }
        var most = rows.Max(row => row.LatencyMilliseconds) * MostBeyondSeen + LogNormalMixtureModel.LeastMilliseconds;
        var responsibilities = Begin(y);
        var gates = new double[(Components - 1) * Columns];
        var means = new double[Components * Columns];
        var deviations = new double[Components];
        if (n < FewestRows)
        {
            // One law whatever the load.
            var mean = y.Average();
            var deviation = Math.Max(LeastDeviation, Math.Sqrt(y.Sum(value => (value - mean) * (value - mean)) / n));
            for (var k = 0; k < Components; k++)
                (means[k * Columns], deviations[k]) = (mean, deviation);
            return new(gates, means, deviations, most);
        }

        var bound = GateBound(x, n);
        var mixture = new LogNormalMixture(gates, means, deviations, most);
        for (var round = 0; round < Rounds; round++)
        {
            if (round > 0)
                Expect(mixture, x, y, responsibilities);
            for (var k = 0; k < Components; k++)
                Regress(x, y, responsibilities, k, mixture);
            StepGates(x, responsibilities, mixture, bound);
        }
        return mixture;
    }

    // The fast 60 %, the next 30 % and the slowest 10 % begin as components of their own.
    private static double[] Begin(double[] y)
    {
        var sorted = y.Order().ToArray();
        var (first, second) = (sorted[(int)(0.6 * y.Length)], sorted[(int)(0.9 * y.Length)]);
        var responsibilities = new double[y.Length * Components];
        for (var i = 0; i < y.Length; i++)
        {
            var own =
                y[i] <= first ? 0
                : y[i] <= second ? 1
                : 2;
            for (var k = 0; k < Components; k++)
                responsibilities[i * Components + k] = k == own ? 0.9 : 0.05;
        }
        return responsibilities;
    }

    private static void Expect(LogNormalMixture mixture, double[] x, double[] y, double[] responsibilities)
    {
        Span<double> weights = stackalloc double[Components];
        for (var i = 0; i < y.Length; i++)
        {
            var row = x.AsSpan(i * Columns, Columns);
            mixture.Weights(row, weights);
            double sum = 0,
                largest = double.NegativeInfinity;
            for (var k = 0; k < Components; k++)
            {
                var z = (y[i] - mixture.Mean(k, row)) / mixture.Deviations[k];
                weights[k] = Math.Log(weights[k] + 1e-300) - Math.Log(mixture.Deviations[k]) - z * z / 2;
                largest = Math.Max(largest, weights[k]);
            }
            for (var k = 0; k < Components; k++)
                sum += weights[k] = Math.Exp(weights[k] - largest);
            for (var k = 0; k < Components; k++)
                responsibilities[i * Components + k] = weights[k] / sum;
        }
    }

    private static void Regress(
        double[] x,
        double[] y,
        double[] responsibilities,
        int component,
        LogNormalMixture mixture
    )
    {
        var normal = new double[Columns * Columns];
        var right = new double[Columns];
        double total = 0;
        for (var i = 0; i < y.Length; i++)
        {
            var weight = responsibilities[i * Components + component];
            total += weight;
            SymmetricMatrix.AddOuter(normal, x.AsSpan(i * Columns, Columns), weight);
            for (var a = 0; a < Columns; a++)
                right[a] += weight * x[i * Columns + a] * y[i];
        }
        for (var a = 0; a < Columns; a++)
            normal[a * Columns + a] += Ridge;
        SymmetricMatrix.Factor(normal, Columns);
        SymmetricMatrix.Solve(normal, Columns, right);
        right.CopyTo(mixture.Means, component * Columns);
        var squares = 0.0;
        for (var i = 0; i < y.Length; i++)
        {
            var residual = y[i] - mixture.Mean(component, x.AsSpan(i * Columns, Columns));
            squares += responsibilities[i * Components + component] * residual * residual;
        }
        mixture.Deviations[component] = Math.Max(LeastDeviation, Math.Sqrt(squares / Math.Max(total, 1e-9)));
    }

    // The factor of the bound 1/2 (I - 11'/K) (x) X'X of the Hessian, plus the ridge.
    private static double[] GateBound(double[] x, int n)
    {
        const int size = (Components - 1) * Columns;
        var cross = new double[Columns * Columns];
        for (var i = 0; i < n; i++)
            SymmetricMatrix.AddOuter(cross, x.AsSpan(i * Columns, Columns), 1);
        var bound = new double[size * size];
        for (var i = 0; i < size; i++)
        {
            for (var j = 0; j < size; j++)
            {
                var (a, b) = (i % Columns, j % Columns);
                bound[i * size + j] =
                    ((i / Columns == j / Columns ? 1 : 0) - 1.0 / Components)
                        / 2
                        * cross[Math.Max(a, b) * Columns + Math.Min(a, b)]
                    + (i == j ? Ridge : 0);
            }
        }
        SymmetricMatrix.Factor(bound, size);
        return bound;
    }

    private static void StepGates(double[] x, double[] responsibilities, LogNormalMixture mixture, double[] bound)
    {
        const int size = (Components - 1) * Columns;
        var gradient = new double[size];
        Span<double> weights = stackalloc double[Components];
        for (var i = 0; i < x.Length / Columns; i++)
        {
            var row = x.AsSpan(i * Columns, Columns);
            mixture.Weights(row, weights);
            for (var k = 0; k < Components - 1; k++)
            {
                var surplus = responsibilities[i * Components + k] - weights[k];
                for (var a = 0; a < Columns; a++)
                    gradient[k * Columns + a] += surplus * row[a];
            }
        }
        for (var a = 0; a < size; a++)
            gradient[a] -= Ridge * mixture.Gates[a];
        SymmetricMatrix.Solve(bound, size, gradient);
        for (var a = 0; a < size; a++)
            mixture.Gates[a] += gradient[a];
    }
}
