namespace MqttCheck.Learning;

/// <summary>The result of a linear regression.</summary>
/// <param name="Coefficients">One per column, 0 for a column that was left out.</param>
/// <param name="StandardErrors">Their standard errors, s sqrt(diag((X'X)^-1)).</param>
/// <param name="ResidualDeviation">The residual standard deviation s, with n - p degrees of freedom.</param>
/// <param name="Rows">How many observations n.</param>
/// <param name="Kept">The p columns that were not left out, ascending.</param>
internal sealed record LeastSquaresFit(double[] Coefficients, double[] StandardErrors, double ResidualDeviation, long Rows, int[] Kept);
