namespace MqttCheck.Reports.Input;

/// <summary>The linear regression behind a model.</summary>
/// <param name="Exchanges">How many exchanges it was fitted to.</param>
/// <param name="DegreesOfFreedom">Exchanges less coefficients.</param>
/// <param name="ResidualDeviationMilliseconds">The residual standard deviation.</param>
/// <param name="RSquared">The share of the variance that it explains.</param>
/// <param name="AdjustedRSquared">The same, corrected for the number of coefficients.</param>
/// <param name="Rows">The coefficients.</param>
public sealed record RegressionReport(
    long Exchanges,
    long DegreesOfFreedom,
    double ResidualDeviationMilliseconds,
    double RSquared,
    double AdjustedRSquared,
    IReadOnlyList<RegressionRow> Rows
);
