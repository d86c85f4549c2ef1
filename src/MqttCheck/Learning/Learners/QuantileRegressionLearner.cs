using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;
using MqttCheck.Statistics;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Learns a <see cref="QuantileRegressionModel"/> by minimising sum rho_tau(y - x'b) with the majorisation of Hunter
/// and Lange (2000): weights 1 / (eps + |r|), the eps shrinking; each probability begins with the solution of the one
/// before.
/// </summary>
internal sealed class QuantileRegressionLearner : ILearner
{
    private const int MostRowsPerKind = 4_000;
    private const int Rounds = 16;
    private const int Columns = QuantileRegressionModel.Columns;
    private const double MostBeyondSeen = 2;

    /// <inheritdoc/>
    public string Name => QuantileRegressionModel.KindName;

    /// <inheritdoc/>
    public string Description =>
        "Quantiles of each kind as linear functions of the open exchanges by kind and the deliveries.";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var fitted = data.FitKinds(
            seed,
            0x7175,
            MostRowsPerKind,
            rows => new KindFit(
                Fit(rows),
                rows.Min(row => row.LatencyMilliseconds),
                rows.Max(row => row.LatencyMilliseconds) * MostBeyondSeen
            )
        );
        var model = new QuantileRegressionModel(
            Array.ConvertAll(fitted, kind => kind?.Coefficients),
            Array.ConvertAll(fitted, kind => kind is null ? default : (kind.Least, kind.Most))
        );
        return new(data.WithHolds(model), []);
    }

    private sealed record KindFit(double[] Coefficients, double Least, double Most);

    private static double[] Fit(TrainingRow[] rows)
    {
        var n = rows.Length;
        var x = new double[n * Columns];
        var y = new double[n];
        var ones = new double[Columns];
        for (var i = 0; i < n; i++)
        {
            var row = x.AsSpan(i * Columns, Columns);
            QuantileRegressionModel.Fill(rows[i].Features, row);
            for (var a = 0; a < Columns; a++)
                ones[a] += row[a];
            y[i] = rows[i].LatencyMilliseconds;
        }
        var sorted = y.Order().ToArray();
        var scale = Math.Max(1e-4, sorted[n * 3 / 4] - sorted[n / 4]);
        var result = new double[QuantileRegressionModel.Probabilities.Length * Columns];
        var b = new double[Columns];
        b[0] = sorted[0];
        for (var level = 0; level < QuantileRegressionModel.Probabilities.Length; level++)
        {
            var tau = QuantileRegressionModel.Probabilities[level];
            // The fit starts with the slopes of the level before; the intercept is moved to the quantile without
            // features.
            b[0] +=
                sorted[Math.Min(n - 1, (int)(tau * n))]
                - sorted[level == 0 ? 0 : Math.Min(n - 1, (int)(QuantileRegressionModel.Probabilities[level - 1] * n))];
            for (var round = 0; round < Rounds; round++)
                Step(x, y, ones, tau, scale * Math.Pow(0.5, round) + 1e-7, b);
            b.CopyTo(result, level * Columns);
        }
        return result;
    }

    private static void Step(double[] x, double[] y, double[] ones, double tau, double epsilon, double[] b)
    {
        var normal = new double[Columns * Columns];
        var right = new double[Columns];
        for (var i = 0; i < y.Length; i++)
        {
            var row = x.AsSpan(i * Columns, Columns);
            var residual = y[i];
            for (var a = 0; a < Columns; a++)
                residual -= row[a] * b[a];
            var weight = 1 / (epsilon + Math.Abs(residual));
            SymmetricMatrix.AddOuter(normal, row, weight);
            for (var a = 0; a < Columns; a++)
                right[a] += weight * row[a] * y[i];
        }
        for (var a = 0; a < Columns; a++)
        {
            right[a] += (2 * tau - 1) * ones[a];
            // A small ridge guards against regressors that are constant or collinear, and does not matter otherwise.
            normal[a * Columns + a] = normal[a * Columns + a] * (1 + 1e-9) + 1e-9;
        }
        SymmetricMatrix.Factor(normal, Columns);
        SymmetricMatrix.Solve(normal, Columns, right);
        right.CopyTo(b.AsSpan());
    }
}
