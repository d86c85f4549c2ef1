using System.Diagnostics.CodeAnalysis;

namespace MqttCheck.Learning.Fitting;

/// <summary>
/// Ordinary least squares by orthogonal reduction: rows are folded into the triangular factor of the design matrix
/// block by block (Householder), so the memory does not grow with the rows, and the accuracy is that of a QR
/// decomposition of the whole matrix, not of the normal equations.
/// </summary>
/// <remarks>Columns that depend on earlier ones are left out, as R's <c>lm</c> does, with R's tolerance 1e-7.</remarks>
internal sealed class LeastSquares(int columns)
{
    private const int BlockRows = 128;
    private const double RankTolerance = 1e-7;

    private readonly int _columns = columns,
        _width = columns + 1;

    // The triangular factor of [X y] on top, up to BlockRows new rows below; row-major.
    private readonly double[] _work = new double[(columns + 1 + BlockRows) * (columns + 1)];
    private readonly double[] _squares = new double[columns];
    private int _pending;
    private long _rows;

    /// <summary>Adds an observation.</summary>
    /// <param name="x">The regressors.</param>
    /// <param name="y">The response.</param>
    public void Add(ReadOnlySpan<double> x, double y)
    {
        var row = _work.AsSpan((_width + _pending) * _width, _width);
        x.CopyTo(row);
        row[_columns] = y;
        for (var k = 0; k < _columns; k++)
            _squares[k] += x[k] * x[k];
        _rows++;
        if (++_pending == BlockRows)
            Reduce();
    }

    /// <summary>Solves for the coefficients.</summary>
    /// <exception cref="InvalidOperationException">There are no more observations than coefficients.</exception>
    public LeastSquaresFit Solve() =>
        TrySolve(out var fit)
            ? fit
            : throw new InvalidOperationException("A regression needs more observations than coefficients.");

    /// <summary>Solves for the coefficients, if there are more observations than coefficients.</summary>
    /// <param name="fit">The result.</param>
    /// <returns>Whether there is one.</returns>
    public bool TrySolve([NotNullWhen(true)] out LeastSquaresFit? fit)
    {
        fit = null;
        Reduce();
        // A column that depends on earlier ones has (almost) nothing left below the kept ones. Leaving it out makes the
        // factor a staircase, which the next reflections straighten.
        var kept = new List<int>();
        var factor = _work.AsSpan(0, _width * _width).ToArray();
        for (var k = 0; k < _columns; k++)
        {
            Reflect(factor, _width, kept.Count, k);
            if (Math.Abs(factor[kept.Count * _width + k]) > RankTolerance * Math.Sqrt(_squares[k]))
                kept.Add(k);
        }
        var p = kept.Count;
        if (_rows <= p)
            return false;

        double residual = 0;
        for (var row = p; row < _width; row++)
            residual += factor[row * _width + _columns] * factor[row * _width + _columns];
        var deviation = Math.Sqrt(residual / (_rows - p));
        var inverse = Invert(factor, kept);
        var coefficients = new double[_columns];
        var standardErrors = new double[_columns];
        for (var i = 0; i < p; i++)
        {
            double sum = 0,
                squares = 0;
            for (var j = i; j < p; j++)
            {
                sum += inverse[i * p + j] * factor[j * _width + _columns];
                squares += inverse[i * p + j] * inverse[i * p + j];
            }
            coefficients[kept[i]] = sum;
            standardErrors[kept[i]] = deviation * Math.Sqrt(squares);
        }
        var covariance = new double[p * p];
        for (var i = 0; i < p; i++)
        {
            for (var j = 0; j < p; j++)
            {
                double sum = 0;
                for (var k = Math.Max(i, j); k < p; k++)
                    sum += inverse[i * p + k] * inverse[j * p + k];
                covariance[i * p + j] = deviation * deviation * sum;
            }
        }
        // The first column is the intercept, so the rows of Q'y below its own hold the squares about the mean.
        double explained = 0;
        for (var row = 1; row < p; row++)
            explained += factor[row * _width + _columns] * factor[row * _width + _columns];
        fit = new(coefficients, standardErrors, deviation, _rows, [.. kept])
        {
            Covariance = covariance,
            RSquared = explained + residual > 0 ? explained / (explained + residual) : 0,
        };
        return true;
    }

    private void Reduce()
    {
        for (var k = 0; k < _width; k++)
            Reflect(_work, _width + _pending, k, k);
        Array.Clear(_work, _width * _width, _pending * _width);
        _pending = 0;
    }

    // A Householder reflection of the rows from "pivot" on that makes the column zero below the pivot.
    private void Reflect(double[] a, int rows, int pivot, int column)
    {
        double below = 0;
        for (var i = pivot + 1; i < rows; i++)
            below += a[i * _width + column] * a[i * _width + column];
        if (below == 0)
            return;
        var head = a[pivot * _width + column];
        var norm = Math.Sqrt(head * head + below);
        var alpha = head > 0 ? -norm : norm;
        var v = head - alpha;
        var scale = 2 / (v * v + below);
        for (var j = column + 1; j < _width; j++)
        {
            var dot = v * a[pivot * _width + j];
            for (var i = pivot + 1; i < rows; i++)
                dot += a[i * _width + column] * a[i * _width + j];
            dot *= scale;
            a[pivot * _width + j] -= dot * v;
            for (var i = pivot + 1; i < rows; i++)
                a[i * _width + j] -= dot * a[i * _width + column];
        }
        a[pivot * _width + column] = alpha;
        for (var i = pivot + 1; i < rows; i++)
            a[i * _width + column] = 0;
    }

    // The inverse of the triangle that the kept columns form in their first rows.
    private double[] Invert(double[] factor, List<int> kept)
    {
        var p = kept.Count;
        var inverse = new double[p * p];
        for (var j = 0; j < p; j++)
        {
            inverse[j * p + j] = 1 / factor[j * _width + kept[j]];
            for (var i = j - 1; i >= 0; i--)
            {
                double sum = 0;
                for (var k = i + 1; k <= j; k++)
                    sum += factor[i * _width + kept[k]] * inverse[k * p + j];
                inverse[i * p + j] = -sum / factor[i * _width + kept[i]];
            }
        }
        return inverse;
    }
}
