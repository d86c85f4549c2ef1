using MathNet.Numerics.Distributions;

namespace MqttCheck.Latency.Models;

/// <summary>
/// A coefficient of a linear regression of the latency, in milliseconds per unit of its regressor, with the inference
/// that R's <c>summary.lm</c> gives.
/// </summary>
/// <param name="Regressor">The regressor; a kind of message is relative to connect.</param>
/// <param name="Estimate">The coefficient.</param>
/// <param name="StandardError">Its standard error s sqrt(diag((X'X)^-1)), at least 0.</param>
/// <param name="DegreesOfFreedom">Exchanges less coefficients, at least 1.</param>
public sealed record RegressionCoefficient(
    string Regressor,
    double Estimate,
    double StandardError,
    long DegreesOfFreedom
)
{
    /// <summary>
    /// The t statistic: coefficient over standard error; not finite where every latency is exactly as the regression
    /// says.
    /// </summary>
    public double T => Estimate / StandardError;

    /// <summary>
    /// The probability of a t statistic at least as large in size if the coefficient were 0, exchanges being
    /// independent; NaN where T is.
    /// </summary>
    public double P =>
        double.IsNaN(T) ? double.NaN
        : double.IsInfinity(T) ? 0
        : 2 * StudentT.CDF(0, 1, DegreesOfFreedom, -Math.Abs(T));
}
