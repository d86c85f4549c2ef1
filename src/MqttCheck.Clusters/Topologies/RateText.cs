using System.Globalization;

namespace MqttCheck.Clusters.Topologies;

/// <summary>Rates of links as text: <c>64kbit</c>, <c>10Mbit</c>, <c>1Gbit</c>, in bits per second.</summary>
internal static class RateText
{
    /// <summary>The description of allowed rates, for error messages.</summary>
    public const string Allowed = "a rate from 1kbit to 100Gbit per second, such as 10Mbit";

    private static readonly (string Unit, double Bits)[] s_units = [("Gbit", 1e9), ("Mbit", 1e6), ("kbit", 1e3)];

    /// <summary>Reads a rate.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out double bitsPerSecond)
    {
        bitsPerSecond = 0;
        foreach (var (unit, bits) in s_units)
        {
            if (!text.EndsWith(unit, StringComparison.Ordinal))
                continue;
            if (
                !double.TryParse(
                    text[..^unit.Length],
                    NumberStyles.AllowDecimalPoint,
                    CultureInfo.InvariantCulture,
                    out var number
                )
            )
                return false;
            bitsPerSecond = number * bits;
            return bitsPerSecond is >= 1e3 and <= 1e11;
        }
        return false;
    }

    /// <summary>The rate as it is read.</summary>
    public static string Of(double bitsPerSecond)
    {
        var (unit, bits) = s_units.First(unit => bitsPerSecond >= unit.Bits || unit.Bits == 1e3);
        return string.Create(CultureInfo.InvariantCulture, $"{(decimal)bitsPerSecond / (decimal)bits}{unit}");
    }
}
