using System.CommandLine.Parsing;
using System.Globalization;
using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// Rates in messages per second, as people write them: <c>800</c>, <c>1k</c>, <c>2.5k</c>, <c>1M</c>.
/// </summary>
internal static class Rates
{
    private const string Allowed = "a rate in messages per second, above 0 and up to 10M, such as 800, 2.5k or 1M";

    /// <summary>Reads a rate.</summary>
    public static bool TryParse(string text, out double rate)
    {
        var factor =
            text.EndsWith('k') ? 1e3
            : text.EndsWith('M') ? 1e6
            : 1;
        var digits = factor == 1 ? text : text[..^1];
        var isNumber = double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out rate);
        rate *= factor;
        return isNumber && rate is > 0 and <= Workload.HighestRate;
    }

    /// <summary>A parser of one rate for an option.</summary>
    public static double? One(ArgumentResult result)
    {
        if (TryParse(result.Tokens[0].Value, out var rate))
            return rate;
        result.AddError(Values.Wrong(result, Allowed));
        return null;
    }

    /// <summary>A parser of a range of rates for an option, <c>1k..50k</c>.</summary>
    public static (double Lowest, double Highest)? Range(ArgumentResult result)
    {
        var parts = result.Tokens[0].Value.Split("..");
        if (
            parts.Length == 2
            && TryParse(parts[0], out var lowest)
            && TryParse(parts[1], out var highest)
            && lowest < highest
        )
            return (lowest, highest);
        result.AddError(Values.Wrong(result, $"LOWEST..HIGHEST, each {Allowed}"));
        return null;
    }

    /// <summary>Rates from the lowest to the highest with a constant ratio, rounded to two digits.</summary>
    public static IReadOnlyList<double> Geometric(double lowest, double highest, int steps)
    {
        var rates = new List<double>();
        for (var step = 0; step < steps; step++)
        {
            var rate = lowest * Math.Pow(highest / lowest, step / (steps - 1.0));
            var unit = Math.Pow(10, Math.Floor(Math.Log10(rate)) - 1);
            rates.Add(
                step == 0 ? lowest
                : step == steps - 1 ? highest
                : Math.Clamp(Math.Round(rate / unit) * unit, lowest, highest)
            );
        }
        return [.. rates.Distinct()];
    }
}
