using System.Globalization;
using MqttCheck.Statistics;

namespace MqttCheck.Cli.Terminal;

/// <summary>Numbers as people read them, the same in every culture.</summary>
public static class NumberText
{
    /// <summary>A latency, with three significant digits.</summary>
    /// <param name="milliseconds">The latency in milliseconds.</param>
    public static string Milliseconds(double milliseconds) =>
        milliseconds.ToString("0.###", CultureInfo.InvariantCulture) + " ms";

    /// <summary>A probability, with three decimals; NaN is a dash.</summary>
    /// <param name="probability">The probability.</param>
    public static string Probability(double probability) =>
        double.IsNaN(probability) ? "-" : probability.ToString("0.000", CultureInfo.InvariantCulture);

    /// <summary>An interval of a probability.</summary>
    /// <param name="interval">The interval.</param>
    public static string Probability(Interval interval) =>
        $"[{Probability(interval.Lower)}, {Probability(interval.Upper)}]";

    /// <summary>A duration in seconds.</summary>
    /// <param name="duration">The duration.</param>
    public static string Seconds(TimeSpan duration) =>
        duration.TotalSeconds.ToString("0.0", CultureInfo.InvariantCulture) + " s";

    /// <summary>A p-value with two digits; what is below the accuracy of the computation is said to be below.</summary>
    /// <param name="p">The p-value.</param>
    public static string PValue(double p) =>
        double.IsNaN(p) ? "-"
        : p < 2e-16 ? "< 2e-16"
        : p < .001 ? p.ToString("0.0e-0", CultureInfo.InvariantCulture)
        : p.ToString("0.###", CultureInfo.InvariantCulture);
}
