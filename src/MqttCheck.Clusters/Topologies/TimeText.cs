using System.Globalization;

namespace MqttCheck.Clusters.Topologies;

/// <summary>
/// Times as text: a number with its unit, <c>ns</c>, <c>us</c>, <c>ms</c>, <c>s</c>, <c>min</c> or <c>h</c>.
/// </summary>
internal static class TimeText
{
    /// <summary>The description of allowed times, for error messages.</summary>
    public const string Allowed = "a time with its unit (us, ms, s, min, h), up to 24h, such as 20s";

    private const long Longest = 86_400_000_000_000;

    private static readonly (string Unit, long Nanoseconds)[] s_units =
    [
        ("ns", 1),
        ("us", 1_000),
        ("ms", 1_000_000),
        ("min", 60_000_000_000),
        ("s", 1_000_000_000),
        ("h", 3_600_000_000_000),
    ];

    /// <summary>Reads a time of at most a day.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out long nanoseconds)
    {
        nanoseconds = 0;
        foreach (var (unit, length) in s_units)
        {
            if (!text.EndsWith(unit, StringComparison.Ordinal))
                continue;
            if (
                !decimal.TryParse(
                    text[..^unit.Length],
                    NumberStyles.AllowDecimalPoint,
                    CultureInfo.InvariantCulture,
                    out var number
                )
            )
                continue;
            if (number > Longest / length)
                return false;
            nanoseconds = (long)Math.Round(number * length);
            return true;
        }
        return false;
    }

    /// <summary>The time in the largest unit up to seconds in which it is whole.</summary>
    public static string Of(long nanoseconds)
    {
        var (unit, length) = s_units.Last(unit =>
            unit.Nanoseconds <= 1_000_000_000 && nanoseconds % unit.Nanoseconds == 0
        );
        return string.Create(CultureInfo.InvariantCulture, $"{nanoseconds / length}{unit}");
    }
}
