using System.Globalization;

namespace MqttCheck.Sequential;

/// <summary>A number with its noun, for the reasons of answers: 1 run, 2 runs.</summary>
internal static class Counted
{
    /// <summary>The number and the noun, in the plural unless the number is 1.</summary>
    /// <param name="number">The number.</param>
    /// <param name="noun">The noun in the singular, whose plural ends with s.</param>
    public static string Of(long number, string noun) =>
        string.Create(CultureInfo.InvariantCulture, $"{number} {noun}{(number == 1 ? "" : "s")}");
}
