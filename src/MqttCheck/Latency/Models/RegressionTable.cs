namespace MqttCheck.Latency.Models;

/// <summary>
/// The linear regression behind a model, for people who want to see what moves the latency and how sure that is.
/// </summary>
/// <param name="Exchanges">How many exchanges n it was fitted to.</param>
/// <param name="ResidualDeviationMilliseconds">The residual standard deviation, with n - p degrees of freedom.</param>
/// <param name="RSquared">The share of the variance about the mean that the regression explains, 0 .. 1.</param>
/// <param name="Coefficients">
/// The p coefficients; regressors that were constant or depended on others have none.
/// </param>
public sealed record RegressionTable(
    long Exchanges,
    double ResidualDeviationMilliseconds,
    double RSquared,
    IReadOnlyList<RegressionCoefficient> Coefficients
)
{
    /// <summary>n - p.</summary>
    public long DegreesOfFreedom => Exchanges - Coefficients.Count;

    /// <summary>1 - (1 - R^2) (n - 1) / (n - p).</summary>
    public double AdjustedRSquared => 1 - (1 - RSquared) * (Exchanges - 1) / DegreesOfFreedom;
}
