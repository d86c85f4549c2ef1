using System.Globalization;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.CheckModel;

/// <summary>The value of a property with its interval.</summary>
/// <param name="Property">The property's name and formula.</param>
/// <param name="Value">The estimate.</param>
/// <param name="Interval">Its interval.</param>
/// <param name="How">Confidence, rule and number of runs, in words.</param>
public sealed record ModelEstimate(string Property, double Value, Interval Interval, string How)
{
    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Property} = {Value:0.######} in [{Interval.Lower:0.######}, {Interval.Upper:0.######}] ({How})"
        );
}
