using MathNet.Numerics.Distributions;

namespace MqttCheck.Learning;

/// <summary>The result of a linear regression, with the inference that R's <c>summary.lm</c> and <c>vcov</c> give.</summary>
/// <param name="Coefficients">One per column, 0 for a column that was left out.</param>
/// <param name="StandardErrors">Their standard errors, s sqrt(diag((X'X)^-1)); 0 for a column that was left out.</param>
/// <param name="ResidualDeviation">The residual standard deviation s, with n - p degrees of freedom.</param>
/// <param name="Rows">How many observations n.</param>
/// <param name="Kept">The p columns that were not left out, ascending.</param>
internal sealed record LeastSquaresFit(double[] Coefficients, double[] StandardErrors, double ResidualDeviation, long Rows, int[] Kept)
{
    /// <summary>The covariance s^2 (X'X)^-1 of the kept coefficients, p x p, row by row.</summary>
    public required double[] Covariance { get; init; }

    /// <summary>The share of the variance about the mean that the regression explains; the first column must be the intercept.</summary>
    public required double RSquared { get; init; }

    /// <summary>1 - (1 - R^2) (n - 1) / (n - p).</summary>
    public double AdjustedRSquared => 1 - (1 - RSquared) * (Rows - 1) / DegreesOfFreedom;

    /// <summary>n - p.</summary>
    public long DegreesOfFreedom => Rows - Kept.Length;

    /// <summary>The t statistic of a coefficient: coefficient / standard error; NaN for a column that was left out.</summary>
    /// <param name="column">The column.</param>
    public double TValue(int column) => Coefficients[column] / StandardErrors[column];

    /// <summary>The probability of a t statistic at least as large in size if the coefficient were 0; NaN for a column that was left out.</summary>
    /// <param name="column">The column.</param>
    public double PValue(int column) => double.IsNaN(TValue(column)) ? double.NaN : 2 * StudentT.CDF(0, 1, DegreesOfFreedom, -Math.Abs(TValue(column)));
}
