using System.Collections.Immutable;
using System.Globalization;

namespace MqttCheck.Statistics.Laws;

/// <summary>
/// A law given by its quantiles at equally spaced probabilities 0, 1/n, ..., 1, linear between them. Equal neighbours
/// are an atom.
/// </summary>
internal sealed record EmpiricalLaw : Law
{
    /// <summary>A law from its quantile table.</summary>
    /// <param name="quantiles">
    /// At least two values, finite, at least 0, never descending: the quantiles at 0, 1/n, ..., 1.
    /// </param>
    /// <exception cref="ArgumentException">
    /// Too few values, a value that is negative, infinite or NaN, or a descending pair.
    /// </exception>
    public EmpiricalLaw(IEnumerable<double> quantiles)
    {
        Quantiles = [.. quantiles];
        if (Quantiles.Length < 2)
            throw new ArgumentException("A quantile table needs at least two values.", nameof(quantiles));
        var previous = 0.0;
        foreach (var value in Quantiles)
        {
            // Written so that NaN is refused too.
            if (!(value >= previous && double.IsFinite(value)))
                throw new ArgumentException(
                    $"Quantiles must be finite, at least 0 and never descending; {value} follows {previous}.",
                    nameof(quantiles)
                );
            previous = value;
        }
    }

    /// <summary>The quantiles at 0, 1/n, ..., 1.</summary>
    public ImmutableArray<double> Quantiles { get; }

    /// <summary>
    /// The law of a sample: its quantiles (definition 7 of Hyndman and Fan, 1996) at <paramref name="pieces"/> + 1
    /// probabilities.
    /// </summary>
    /// <param name="sample">At least one value, finite and at least 0, in any order.</param>
    /// <param name="pieces">The number of linear pieces, at least 1.</param>
    /// <exception cref="ArgumentException">No value, or a value that is negative, infinite or NaN.</exception>
    public static EmpiricalLaw Of(IEnumerable<double> sample, int pieces)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(pieces);
        double[] sorted = [.. sample];
        if (sorted.Length == 0)
            throw new ArgumentException("A sample needs at least one value.", nameof(sample));
        Array.Sort(sorted);
        return new EmpiricalLaw([
            .. Enumerable.Range(0, pieces + 1).Select(piece => Interpolate(sorted, (double)piece / pieces)),
        ]);
    }

    /// <summary>The quantile function.</summary>
    /// <param name="probability">In 0 .. 1.</param>
    public double Quantile(double probability)
    {
        Arguments.Require(probability is >= 0 and <= 1, probability, "must be in 0 .. 1");
        return Interpolate(Quantiles.AsSpan(), probability);
    }

    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) => Interpolate(Quantiles.AsSpan(), random.NextDouble());

    /// <inheritdoc/>
    public override double Mean => (Quantiles.Sum() - (Quantiles[0] + Quantiles[^1]) / 2) / (Quantiles.Length - 1);

    /// <inheritdoc/>
    public override double CumulativeProbability(double x)
    {
        if (x < Quantiles[0])
            return 0;
        if (x >= Quantiles[^1])
            return 1;
        // The last piece that begins at or below x: an atom counts in full.
        var high = IntegerSearch.FirstIndex(Quantiles.Length, piece => Quantiles[piece] > x);
        var low = high - 1;
        return (low + (x - Quantiles[low]) / (Quantiles[high] - Quantiles[low])) / (Quantiles.Length - 1);
    }

    /// <summary>Whether the other law has the same quantile table.</summary>
    /// <param name="other">The other law.</param>
    public bool Equals(EmpiricalLaw? other) =>
        other is not null && Quantiles.AsSpan().SequenceEqual(other.Quantiles.AsSpan());

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var value in Quantiles)
            hash.Add(value);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public override Law Scaled(double factor) => new EmpiricalLaw(Quantiles.Select(quantile => factor * quantile));

    /// <inheritdoc/>
    public override string ToString() =>
        "empirical:" + string.Join(',', Quantiles.Select(value => value.ToString(CultureInfo.InvariantCulture))) + "ms";

    private static double Interpolate(ReadOnlySpan<double> ascending, double probability)
    {
        var position = probability * (ascending.Length - 1);
        var below = Math.Min((int)position, ascending.Length - 1);
        var above = Math.Min(below + 1, ascending.Length - 1);
        return ascending[below] + (position - below) * (ascending[above] - ascending[below]);
    }
}
