using MqttCheck.Clients;
using MqttCheck.Latency.Models;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Fitting;

namespace MqttCheck.Learning.Learners;

/// <summary>
/// Learns a <see cref="PaperRegressionModel"/> as Aichernig and Schumi (QEST 2018) did: the slowest 5 % of the
/// exchanges of each kind are dropped, the rest enter one linear regression. For comparison only.
/// </summary>
internal sealed class PaperRegressionLearner : ILearner
{
    private const double KeptShare = 0.95;

    /// <inheritdoc/>
    public string Name => PaperRegressionModel.KindName;

    /// <inheritdoc/>
    public string Description =>
        "The paper's trimmed linear regression with deviations from "
        + "standard errors (for comparison: its tails are far too thin).";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var limits = Limits(data);
        var regression = new LeastSquares(PaperRegressionModel.Regressors.Length);
        Span<double> row = stackalloc double[PaperRegressionModel.Regressors.Length];
        foreach (ref readonly var exchange in data.Rows.AsSpan())
        {
            if (exchange.LatencyMilliseconds > limits[(int)exchange.Features.Kind])
                continue;
            PaperRegressionModel.Fill(exchange.Features, row);
            regression.Add(row, exchange.LatencyMilliseconds);
        }
        var fit = regression.Solve();
        var seen = limits.Select(limit => !double.IsNaN(limit)).ToArray();
        return new(
            new PaperRegressionModel(fit.Coefficients, fit.StandardErrors, seen),
            fit.Notes(PaperRegressionModel.Regressors, seen)
        )
        {
            Regression = fit.Table(PaperRegressionModel.Regressors),
        };
    }

    // The latency that 95 % of the exchanges of a kind do not exceed; NaN for a kind without exchanges.
    private static double[] Limits(TrainingData data)
    {
        var byKind = data.Rows.ToLookup(row => row.Features.Kind, row => row.LatencyMilliseconds);
        return
        [
            .. Enum.GetValues<MessageKind>()
                .Select(kind => byKind[kind].Order().ToArray())
                .Select(latencies =>
                    latencies.Length == 0 ? double.NaN : latencies[(int)Math.Ceiling(KeptShare * latencies.Length) - 1]
                ),
        ];
    }
}
