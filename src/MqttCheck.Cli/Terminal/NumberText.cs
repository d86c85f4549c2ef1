using System.Globalization;
using MqttCheck.Statistics;
using static System.FormattableString;

namespace MqttCheck.Cli.Terminal;

/// <summary>Numbers as people read them, the same in every culture.</summary>
internal static class NumberText
{
    /// <summary>A latency, with three significant digits.</summary>
    public static string Milliseconds(double milliseconds) =>
        milliseconds.ToString("0.###", CultureInfo.InvariantCulture) + " ms";

    /// <summary>
    /// A probability, with three decimals, as on the page; one that is not 0 or 1 is never shown as 0 or 1. NaN is a
    /// dash.
    /// </summary>
    public static string Probability(double probability) =>
        probability switch
        {
            double.NaN => "-",
            > 0.9995 and < 1 => "> 0.999",
            > 0 and < 0.0005 => "< 0.001",
            _ => Bound(probability),
        };

    /// <summary>An interval of a probability.</summary>
    public static string Probability(Interval interval) => $"[{Bound(interval.Lower)}, {Bound(interval.Upper)}]";

    private static string Bound(double probability) => probability.ToString("0.000", CultureInfo.InvariantCulture);

    /// <summary>A difference of probabilities, with its sign.</summary>
    public static string Difference(double difference) =>
        difference.ToString("+0.000;-0.000;0.000", CultureInfo.InvariantCulture);

    /// <summary>The share of work that is done, in percent. Rounded down: 100 % is said by the end alone.</summary>
    public static string ShareDone(double share) => Invariant($"{Math.Floor(share * 100 + 1e-9):0} %");

    /// <summary>A duration in seconds.</summary>
    public static string Seconds(TimeSpan duration) =>
        duration.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture) + " s";

    /// <summary>A p-value with two digits; what is below the accuracy of the computation is said to be below.</summary>
    public static string PValue(double p) =>
        double.IsNaN(p) ? "-"
        : p < 2e-16 ? "< 2e-16"
        : p < .001 ? p.ToString("0.0e-0", CultureInfo.InvariantCulture)
        : p.ToString("0.###", CultureInfo.InvariantCulture);
}
