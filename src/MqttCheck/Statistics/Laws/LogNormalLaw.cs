using System.Globalization;
using MathNet.Numerics;

namespace MqttCheck.Statistics.Laws;

/// <summary>Log-normal: the logarithm is normal.</summary>
/// <param name="Median">The median, finite and positive: exp of the mean of the logarithm.</param>
/// <param name="Sigma">The standard deviation of the natural logarithm, finite and at least 0.</param>
internal sealed record LogNormalLaw(double Median, double Sigma) : Law
{
    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) => Median * Math.Exp(Sigma * NormalLaw.Standard(ref random));

    /// <inheritdoc/>
    public override double Mean => Median * Math.Exp(Sigma * Sigma / 2);

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) =>
        x <= 0 ? 0
        : Sigma == 0 ? (x >= Median ? 1 : 0)
        : SpecialFunctions.Erfc(-Math.Log(x / Median) / (Sigma * Constants.Sqrt2)) / 2;

    /// <inheritdoc/>
    public override Law Scaled(double factor) => this with { Median = factor * Median };

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"lognormal:{Median}ms,{Sigma}");
}
