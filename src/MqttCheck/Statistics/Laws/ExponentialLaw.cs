using System.Globalization;

namespace MqttCheck.Statistics.Laws;

/// <summary>Exponential with a given mean.</summary>
/// <param name="MeanValue">The mean, finite and positive.</param>
internal sealed record ExponentialLaw(double MeanValue) : Law
{
    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) => -MeanValue * Math.Log(random.NextOpenDouble());

    /// <inheritdoc/>
    public override double Mean => MeanValue;

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) => x <= 0 ? 0 : 1 - Math.Exp(-x / MeanValue);

    /// <inheritdoc/>
    public override Law Scaled(double factor) => new ExponentialLaw(factor * MeanValue);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"exponential:{MeanValue}ms");
}
