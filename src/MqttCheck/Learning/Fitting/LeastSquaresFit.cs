using MqttCheck.Clients;
using MqttCheck.Latency.Models;

namespace MqttCheck.Learning.Fitting;

/// <summary>The result of a linear regression, with the inference that R's <c>lm</c> and <c>vcov</c> give.</summary>
/// <param name="Coefficients">One per column, 0 for a column that was left out.</param>
/// <param name="StandardErrors">
/// Their standard errors, s sqrt(diag((X'X)^-1)); 0 for a column that was left out.
/// </param>
/// <param name="ResidualDeviation">The residual standard deviation s, with n - p degrees of freedom.</param>
/// <param name="Rows">How many observations n.</param>
/// <param name="Kept">The p columns that were not left out, ascending.</param>
internal sealed record LeastSquaresFit(
    double[] Coefficients,
    double[] StandardErrors,
    double ResidualDeviation,
    long Rows,
    int[] Kept
)
{
    /// <summary>The covariance s^2 (X'X)^-1 of the kept coefficients, p x p, row by row.</summary>
    public required double[] Covariance { get; init; }

    /// <summary>
    /// The share of the variance about the mean that the regression explains; the first column must be the intercept.
    /// </summary>
    public required double RSquared { get; init; }

    /// <summary>The fit with its tests of significance.</summary>
    /// <param name="regressors">The names of the columns.</param>
    public RegressionTable Table(IReadOnlyList<string> regressors) =>
        new(
            Rows,
            ResidualDeviation,
            RSquared,
            [
                .. Kept.Select(column => new RegressionCoefficient(
                    regressors[column],
                    Coefficients[column],
                    StandardErrors[column],
                    Rows - Kept.Length
                )),
            ]
        );

    /// <summary>A note of the regressors that were left out; none if there are none.</summary>
    /// <param name="regressors">The names of the columns: the intercept, a column per further kind, others.</param>
    /// <param name="seen">Which kinds of messages the data hold.</param>
    public IReadOnlyList<string> Notes(IReadOnlyList<string> regressors, bool[] seen)
    {
        // The column of a kind that was never seen is no loss; the data say already that it is missing.
        var left = Enumerable
            .Range(0, regressors.Count)
            .Except(Kept)
            .Where(k => k is 0 or >= MessageKinds.Count || seen[k])
            .Select(k => regressors[k])
            .ToList();
        return left.Count == 0 ? [] : [$"Constant or dependent regressors were left out: {string.Join(", ", left)}."];
    }
}
