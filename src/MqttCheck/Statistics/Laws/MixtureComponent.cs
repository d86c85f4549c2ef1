using System.Globalization;

namespace MqttCheck.Statistics.Laws;

/// <summary>A law and its weight inside a <see cref="MixtureLaw"/>.</summary>
/// <param name="Weight">How often the law is chosen, relative to the other components; positive and finite.</param>
/// <param name="Law">The law.</param>
internal readonly record struct MixtureComponent(double Weight, Law Law)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Weight}*{Law}");
}
