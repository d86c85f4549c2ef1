namespace MqttCheck.Learning.Fitting;

/// <summary>Small symmetric positive definite systems, in place. Only the lower triangle counts; row-major.</summary>
internal static class SymmetricMatrix
{
    /// <summary>Adds weight x x'.</summary>
    /// <param name="matrix">n x n.</param>
    /// <param name="x">n numbers.</param>
    /// <param name="weight">The weight.</param>
    public static void AddOuter(double[] matrix, ReadOnlySpan<double> x, double weight)
    {
        for (var i = 0; i < x.Length; i++)
        {
            var scaled = weight * x[i];
            var row = matrix.AsSpan(i * x.Length, i + 1);
            for (var j = 0; j < row.Length; j++)
                row[j] += scaled * x[j];
        }
    }

    /// <summary>
    /// Replaces the matrix by its Cholesky factor. A pivot lost to rounding is made huge, so that its unknown comes out
    /// as 0.
    /// </summary>
    /// <param name="matrix">n x n.</param>
    /// <param name="n">Its size.</param>
    public static void Factor(double[] matrix, int n)
    {
        for (var j = 0; j < n; j++)
        {
            var pivot = matrix[j * n + j];
            var least = 1e-13 * Math.Max(pivot, 1e-300);
            for (var k = 0; k < j; k++)
                pivot -= matrix[j * n + k] * matrix[j * n + k];
            var lost = !(pivot > least);
            pivot = lost ? 1e150 : Math.Sqrt(pivot);
            matrix[j * n + j] = pivot;
            for (var i = j + 1; i < n; i++)
            {
                var sum = matrix[i * n + j];
                for (var k = 0; k < j; k++)
                    sum -= matrix[i * n + k] * matrix[j * n + k];
                matrix[i * n + j] = sum / pivot;
            }
        }
    }

    /// <summary>Solves with a factor.</summary>
    /// <param name="factor">The factor that <see cref="Factor"/> computed.</param>
    /// <param name="n">Its size.</param>
    /// <param name="right">The right-hand side; replaced by the solution.</param>
    public static void Solve(double[] factor, int n, Span<double> right)
    {
        for (var i = 0; i < n; i++)
        {
            var sum = right[i];
            for (var k = 0; k < i; k++)
                sum -= factor[i * n + k] * right[k];
            right[i] = sum / factor[i * n + i];
        }
        for (var i = n - 1; i >= 0; i--)
        {
            var sum = right[i];
            for (var k = i + 1; k < n; k++)
                sum -= factor[k * n + i] * right[k];
            right[i] = sum / factor[i * n + i];
        }
    }
}
