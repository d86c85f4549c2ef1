using System.Globalization;

namespace MqttCheck.Statistics.Laws;

/// <summary>Uniform between two bounds.</summary>
/// <param name="Minimum">The lower bound, finite and at least 0.</param>
/// <param name="Maximum">The upper bound, at least the lower one.</param>
public sealed record UniformLaw(double Minimum, double Maximum) : Law
{
    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) => Minimum + (Maximum - Minimum) * random.NextDouble();

    /// <inheritdoc/>
    public override double Mean => (Minimum + Maximum) / 2;

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) =>
        x < Minimum ? 0
        : x >= Maximum ? 1
        : (x - Minimum) / (Maximum - Minimum);

    /// <inheritdoc/>
    public override Law Scaled(double factor) => new UniformLaw(factor * Minimum, factor * Maximum);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"uniform:{Minimum}..{Maximum}ms");
}
