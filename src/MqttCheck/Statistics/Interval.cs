using System.Globalization;

namespace MqttCheck.Statistics;

/// <summary>A closed interval, for example of probabilities.</summary>
/// <param name="Lower">The lower end.</param>
/// <param name="Upper">The upper end, at least the lower one.</param>
public sealed record Interval(double Lower, double Upper)
{
    /// <summary>Half the distance between the ends.</summary>
    public double HalfWidth => (Upper - Lower) / 2;

    /// <summary>Whether a value lies inside or on an end.</summary>
    /// <param name="value">Any number.</param>
    public bool Contains(double value) => Lower <= value && value <= Upper;

    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"[{Lower:0.####}, {Upper:0.####}]");
}
