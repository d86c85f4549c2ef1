using System.CommandLine.Parsing;
using System.Globalization;
using static System.FormattableString;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// Parsers of option values: units are required where there is a choice, culture never matters, and the message names
/// the option, the value and what is allowed.
/// </summary>
internal static class Values
{
    /// <summary>A duration such as <c>500ms</c>, <c>60s</c> or <c>3m</c>.</summary>
    /// <returns>Whether the text is a duration.</returns>
    public static bool TryDuration(string text, out TimeSpan duration)
    {
        duration = default;
        (string Unit, double Milliseconds)[] units = [("us", 1e-3), ("ms", 1), ("s", 1e3), ("m", 6e4), ("h", 3.6e6)];
        foreach (var (unit, milliseconds) in units)
        {
            if (!text.EndsWith(unit, StringComparison.Ordinal))
                continue;
            if (
                !double.TryParse(
                    text.AsSpan(0, text.Length - unit.Length),
                    NumberStyles.Float,
                    CultureInfo.InvariantCulture,
                    out var number
                )
            )
                continue;
            if (!double.IsFinite(number) || number <= 0 || number * milliseconds > 8.64e7)
                return false;
            duration = TimeSpan.FromMilliseconds(number * milliseconds);
            return true;
        }
        return false;
    }

    /// <summary>A parser of a duration for an option.</summary>
    public static TimeSpan Duration(ArgumentResult result)
    {
        if (TryDuration(result.Tokens[0].Value, out var duration))
            return duration;
        result.AddError(Wrong(result, "a duration with its unit, up to 24h, such as 500ms, 60s or 3m"));
        return default;
    }

    /// <summary>A parser of comma-separated durations for an option, in milliseconds.</summary>
    public static double[] Durations(ArgumentResult result)
    {
        var values = new List<double>();
        foreach (var token in result.Tokens)
        {
            foreach (var part in token.Value.Split(','))
            {
                if (TryDuration(part, out var duration))
                {
                    values.Add(duration.TotalMilliseconds);
                    continue;
                }
                result.AddError(Wrong(result, "durations with their unit, separated by commas, such as 10ms,20ms"));
                return [];
            }
        }
        return [.. values.Distinct().Order()];
    }

    /// <summary>A parser of a whole number in a range.</summary>
    public static Func<ArgumentResult, int> Integer(int minimum, int maximum) =>
        result =>
        {
            if (TryInteger(result.Tokens[0].Value, minimum, maximum, out var value))
                return value;
            result.AddError(Wrong(result, $"a whole number from {minimum} to {maximum}"));
            return default;
        };

    /// <summary>A parser of comma-separated whole numbers in a range.</summary>
    public static Func<ArgumentResult, int[]> Integers(int minimum, int maximum) =>
        result =>
        {
            var values = new List<int>();
            foreach (var token in result.Tokens)
            {
                foreach (var part in token.Value.Split(','))
                {
                    if (TryInteger(part, minimum, maximum, out var value))
                    {
                        values.Add(value);
                        continue;
                    }
                    result.AddError(Wrong(result, $"whole numbers from {minimum} to {maximum}, separated by commas"));
                    return [];
                }
            }
            return [.. values.Distinct().Order()];
        };

    /// <summary>A parser of a seed.</summary>
    public static ulong Seed(ArgumentResult result)
    {
        if (ulong.TryParse(result.Tokens[0].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        result.AddError(Wrong(result, $"a whole number from 0 to {ulong.MaxValue}"));
        return default;
    }

    /// <summary>A parser of a number strictly inside a range.</summary>
    public static Func<ArgumentResult, double> Between(double minimum, double maximum) =>
        result =>
        {
            var text = result.Tokens[0].Value;
            if (
                double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                && value > minimum
                && value < maximum
            )
                return value;
            result.AddError(
                Wrong(result, Invariant($"a number above {minimum} and below {maximum}, with a decimal point"))
            );
            return default;
        };

    /// <summary>A share above 0, up to 1.</summary>
    public static double Share(ArgumentResult result)
    {
        if (
            double.TryParse(result.Tokens[0].Value, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
            && value is > 0 and <= 1
        )
            return value;
        result.AddError(Wrong(result, "a number above 0 and at most 1, with a decimal point"));
        return default;
    }

    /// <summary>A parser of comma-separated probabilities above 0 and below 1.</summary>
    public static double[] Probabilities(ArgumentResult result)
    {
        var values = new List<double>();
        foreach (var part in result.Tokens.SelectMany(token => token.Value.Split(',')))
        {
            if (
                double.TryParse(part, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                && value is > 0 and < 1
            )
            {
                values.Add(value);
                continue;
            }
            result.AddError(Wrong(result, "numbers above 0 and below 1, with a decimal point, separated by commas"));
            return [];
        }
        return [.. values.Distinct().Order()];
    }

    private static bool TryInteger(string text, int minimum, int maximum, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value)
        && value >= minimum
        && value <= maximum;

    internal static string Wrong(ArgumentResult result, string allowed)
    {
        var option = result.Parent is OptionResult parent ? parent.Option.Name : result.Argument.Name;
        return $"{option}: '{string.Join(' ', result.Tokens.Select(token => token.Value))}' "
            + $"is not allowed; allowed is {allowed}.";
    }
}
