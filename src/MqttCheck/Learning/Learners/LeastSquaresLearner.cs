using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;

namespace MqttCheck.Learning.Learners;

/// <summary>Learns a <see cref="LinearNormalModel"/> by ordinary least squares over all exchanges, untrimmed.</summary>
internal sealed class LeastSquaresLearner : ILearner
{
    /// <inheritdoc/>
    public string Name => LinearNormalModel.KindName;

    /// <inheritdoc/>
    public string Description =>
        "Ordinary least squares with the residual deviation: one normal law whose mean is linear in the features.";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var fit = Fit(data);
        var seen = data.SeenKinds();
        var count = LinearNormalModel.Regressors.Length;
        var covariance = new double[count * count];
        for (var i = 0; i < fit.Kept.Length; i++)
        {
            for (var j = 0; j < fit.Kept.Length; j++)
                covariance[fit.Kept[i] * count + fit.Kept[j]] = fit.Covariance[i * fit.Kept.Length + j];
        }
        return new(
            new LinearNormalModel(fit.Coefficients, covariance, fit.ResidualDeviation, seen),
            fit.Notes(LinearNormalModel.Regressors, seen)
        )
        {
            Regression = fit.Table(LinearNormalModel.Regressors),
        };
    }

    /// <summary>The regression with its inference.</summary>
    /// <param name="data">The data.</param>
    internal static LeastSquaresFit Fit(TrainingData data)
    {
        var regression = new LeastSquares(LinearNormalModel.Regressors.Length);
        Span<double> row = stackalloc double[LinearNormalModel.Regressors.Length];
        foreach (ref readonly var exchange in data.Rows.AsSpan())
        {
            LinearNormalModel.Fill(exchange.Features, row);
            regression.Add(row, exchange.LatencyMilliseconds);
        }
        return regression.Solve();
    }
}
