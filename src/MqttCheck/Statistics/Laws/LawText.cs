using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace MqttCheck.Statistics.Laws;

/// <summary>
/// Laws as text, for options and files. All values are times; the law that is read draws milliseconds. Forms:
/// <c>none</c> (the constant 0), <c>constant:5ms</c>, <c>uniform:1ms..9ms</c>, <c>normal:MEAN,SIGMA</c>,
/// <c>lognormal:MEDIAN,SIGMA</c> (sigma of the natural logarithm, without unit), <c>exponential:MEAN</c>,
/// <c>empirical:Q0,Q1,...,Qn</c> (quantiles at equally spaced probabilities),
/// <c>mixture:0.9*constant:1ms+0.1*lognormal:40ms,0.2</c>. Units are <c>us</c>, <c>ms</c> and <c>s</c>; of several
/// times in one law only the last needs one. Numbers have a point as decimal separator whatever the machine's culture.
/// </summary>
internal static class LawText
{
    private const string Forms =
        "none, constant:5ms, uniform:1ms..9ms, normal:5ms,1ms, lognormal:5ms,0.5, exponential:5ms, empirical:1,2,9ms, "
        + "mixture:0.9*constant:1ms+0.1*lognormal:40ms,0.2 (units us, ms, s)";

    /// <summary>Reads a law.</summary>
    /// <param name="text">One of the forms above.</param>
    /// <param name="where">The origin of the text, for the message: an option, or a file with a key.</param>
    /// <returns>A law that draws milliseconds.</returns>
    /// <exception cref="InputException">The text is not a law.</exception>
    public static Law Parse(string text, string where) =>
        TryParse(text, out var law, out var problem)
            ? law
            : throw new InputException($"{where}: '{text}' is not a law: {problem}. Allowed: {Forms}.");

    /// <summary>Reads a law, or says why it cannot.</summary>
    /// <param name="text">One of the forms above.</param>
    /// <param name="law">A law that draws milliseconds.</param>
    /// <param name="problem">A description of the error, as part of a sentence.</param>
    /// <returns>Whether the text is a law.</returns>
    public static bool TryParse(
        string? text,
        [NotNullWhen(true)] out Law? law,
        [NotNullWhen(false)] out string? problem
    )
    {
        try
        {
            law = Read((text ?? "").Trim());
            problem = null;
            return true;
        }
        catch (FormatException exception)
        {
            law = null;
            problem = exception.Message;
            return false;
        }
    }

    private static Law Read(string text)
    {
        if (text == "none")
            return new ConstantLaw(0);
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        if (colon < 0)
            throw new FormatException("a law is NAME:PARAMETERS");
        var (name, rest) = (text[..colon].TrimEnd(), text[(colon + 1)..]);
        switch (name)
        {
            case "constant":
                return new ConstantLaw(Times(name, rest, ",", 1)[0]);
            case "exponential":
                return new ExponentialLaw(Positive("the mean", Times(name, rest, ",", 1)[0]));
            case "uniform":
                var bounds = Times(name, rest, "..", 2);
                return bounds[0] <= bounds[1]
                    ? new UniformLaw(bounds[0], bounds[1])
                    : throw new FormatException("the minimum is greater than the maximum");
            case "normal":
                var normal = Times(name, rest, ",", 2, negativeFirst: true);
                return new NormalLaw(normal[0], normal[1]);
            case "lognormal":
                var parts = Parts(name, rest, ",", 2);
                return new LogNormalLaw(
                    Positive("the median", Times(name, parts[0], ",", 1)[0]),
                    NotNegative(Number(parts[1]))
                );
            case "empirical":
                return Empirical(Times(name, rest, ",", null));
            case "mixture":
                return Mixture([.. Terms(rest).Select(Component)]);
            default:
                throw new FormatException($"there is no law '{name}'");
        }
    }

    private static EmpiricalLaw Empirical(double[] quantiles)
    {
        if (quantiles.Length < 2)
            throw new FormatException("empirical needs at least two quantiles");
        for (var i = 1; i < quantiles.Length; i++)
            if (quantiles[i] < quantiles[i - 1])
                throw new FormatException("the quantiles descend");
        return new EmpiricalLaw(quantiles);
    }

    private static MixtureLaw Mixture(MixtureComponent[] components) =>
        double.IsFinite(components.Sum(component => component.Weight))
            ? new MixtureLaw(components)
            : throw new FormatException("the sum of the weights is not finite");

    private static MixtureComponent Component(string term)
    {
        var star = term.IndexOf('*', StringComparison.Ordinal);
        if (star < 0)
            throw new FormatException($"a component of a mixture is WEIGHT*LAW, not '{term}'");
        var weight = Positive("a weight", Number(term[..star]));
        var law = Read(term[(star + 1)..].Trim());
        return law is MixtureLaw
            ? throw new FormatException("a mixture inside a mixture is not allowed")
            : new MixtureComponent(weight, law);
    }

    // Splits at '+', but not inside the exponent of a number such as 1E+20.
    private static List<string> Terms(string text)
    {
        var terms = new List<string>();
        var start = 0;
        for (var i = 0; i <= text.Length; i++)
        {
            if (i < text.Length && (text[i] != '+' || IsInNumber(text.AsSpan(start, i - start))))
                continue;
            terms.Add(text[start..i]);
            start = i + 1;
        }
        return terms;
    }

    // As in 1e+3, but not behind a word as in none+1.
    private static bool IsInNumber(ReadOnlySpan<char> before) =>
        before is [.., var last, 'e' or 'E'] && (char.IsAsciiDigit(last) || last == '.');

    // Times in milliseconds. A time without a unit takes the last one's, as in 1..9ms.
    private static double[] Times(string name, string text, string separator, int? count, bool negativeFirst = false)
    {
        var parts = Parts(name, text, separator, count);
        var lastUnit = Unit(parts[^1]);
        if (lastUnit == "")
            throw new FormatException($"'{parts[^1]}' has no unit");
        var times = new double[parts.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            var own = Unit(parts[i]);
            var number = Number(parts[i][..^own.Length]);
            if (!(negativeFirst && i == 0))
                NotNegative(number);
            times[i] = (own == "" ? lastUnit : own) switch
            {
                "us" => number / 1000,
                "s" => number * 1000,
                _ => number,
            };
            if (!double.IsFinite(times[i]))
                throw new FormatException($"'{parts[i]}' is too large");
        }
        return times;
    }

    private static string[] Parts(string name, string text, string separator, int? count)
    {
        var parts = text.Split(separator, StringSplitOptions.TrimEntries);
        return count is null || parts.Length == count
            ? parts
            : throw new FormatException(
                $"{name} takes {(count == 1 ? "one parameter" : $"{count} parameters separated by '{separator}'")}"
            );
    }

    private static string Unit(string text) =>
        text.EndsWith("us", StringComparison.Ordinal) ? "us"
        : text.EndsWith("ms", StringComparison.Ordinal) ? "ms"
        : text.EndsWith('s') ? "s"
        : "";

    private static double Number(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
        && double.IsFinite(number)
            ? number
            : throw new FormatException($"'{text.Trim()}' is not a finite number");

    private static double NotNegative(double number) =>
        number >= 0
            ? number
            : throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"{number} is negative"));

    private static double Positive(string what, double number) =>
        number > 0
            ? number
            : throw new FormatException(
                string.Create(CultureInfo.InvariantCulture, $"{what} must be positive, not {number}")
            );
}
