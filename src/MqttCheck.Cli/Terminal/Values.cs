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
            if (
                !text.EndsWith(unit, StringComparison.Ordinal)
                || !double.TryParse(
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
    public static TimeSpan Duration(ArgumentResult result) =>
        One<TimeSpan>(
            result,
            text => TryDuration(text, out var duration) ? duration : null,
            "a duration above 0 and up to 24h with its unit, such as 500ms, 60s or 3m"
        );

    /// <summary>A parser of comma-separated durations for an option, in milliseconds.</summary>
    public static double[] Durations(ArgumentResult result) =>
        Several<double>(
            result,
            text => TryDuration(text, out var duration) ? duration.TotalMilliseconds : null,
            "durations above 0 and up to 24h with their unit, separated by commas, such as 10ms,20ms"
        );

    /// <summary>A parser of a whole number in a range.</summary>
    public static Func<ArgumentResult, int> Integer(int minimum, int maximum) =>
        result => One(result, text => Whole(text, minimum, maximum), $"a whole number from {minimum} to {maximum}");

    /// <summary>A parser of comma-separated whole numbers in a range.</summary>
    public static Func<ArgumentResult, int[]> Integers(int minimum, int maximum) =>
        result =>
            Several(
                result,
                text => Whole(text, minimum, maximum),
                $"whole numbers from {minimum} to {maximum}, separated by commas"
            );

    /// <summary>A parser of a seed.</summary>
    public static ulong Seed(ArgumentResult result) =>
        One<ulong>(
            result,
            text => ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seed) ? seed : null,
            $"a whole number from 0 to {ulong.MaxValue}"
        );

    /// <summary>A parser of a number strictly inside a range.</summary>
    public static Func<ArgumentResult, double> Between(double minimum, double maximum) =>
        result =>
            One(
                result,
                text => Number(text, value => value > minimum && value < maximum),
                Invariant($"a number above {minimum} and below {maximum}, with a decimal point")
            );

    /// <summary>A share above 0, up to 1.</summary>
    public static double Share(ArgumentResult result) =>
        One(
            result,
            text => Number(text, value => value is > 0 and <= 1),
            "a number above 0 and at most 1, with a decimal point"
        );

    /// <summary>A parser of comma-separated probabilities above 0 and below 1.</summary>
    public static double[] Probabilities(ArgumentResult result) =>
        Several(
            result,
            text => Number(text, value => value is > 0 and < 1),
            "numbers above 0 and below 1, with a decimal point, separated by commas"
        );

    // A value that a function reads, which is null where it is not allowed.
    private static T One<T>(ArgumentResult result, Func<string, T?> read, string allowed)
        where T : struct
    {
        if (read(result.Tokens[0].Value) is { } value)
            return value;
        result.AddError(Wrong(result, allowed));
        return default;
    }

    private static T[] Several<T>(ArgumentResult result, Func<string, T?> read, string allowed)
        where T : struct
    {
        var values = result.Tokens.SelectMany(token => token.Value.Split(',')).Select(read).ToList();
        if (!values.Contains(null))
            return [.. values.OfType<T>().Distinct().Order()];
        result.AddError(Wrong(result, allowed));
        return [];
    }

    private static int? Whole(string text, int minimum, int maximum) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
        && value >= minimum
        && value <= maximum
            ? value
            : null;

    private static double? Number(string text, Func<double, bool> isAllowed) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && isAllowed(value)
            ? value
            : null;

    /// <summary>The message on a value of an option or argument that is not allowed.</summary>
    internal static string Wrong(ArgumentResult result, string allowed)
    {
        var option = result.Parent is OptionResult parent ? parent.Option.Name : result.Argument.Name;
        return $"{option}: '{string.Join(' ', result.Tokens.Select(token => token.Value))}' "
            + $"is not allowed; allowed is {allowed}.";
    }
}
