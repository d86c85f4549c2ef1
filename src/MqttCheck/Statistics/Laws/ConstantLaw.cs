using System.Globalization;

namespace MqttCheck.Statistics.Laws;

/// <summary>Always the same value.</summary>
/// <param name="Value">The value, finite and at least 0.</param>
internal sealed record ConstantLaw(double Value) : Law
{
    /// <inheritdoc/>
    public override double Draw(ref RandomStream random) => Value;

    /// <inheritdoc/>
    public override double Mean => Value;

    /// <inheritdoc/>
    public override double CumulativeProbability(double x) => x >= Value ? 1 : 0;

    /// <inheritdoc/>
    public override Law Scaled(double factor) => new ConstantLaw(factor * Value);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"constant:{Value}ms");
}
