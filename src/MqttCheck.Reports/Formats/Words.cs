using System.Globalization;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Reports.Input;
using MqttCheck.Statistics;
using MqttCheck.Verification;
using static System.FormattableString;

namespace MqttCheck.Reports.Formats;

/// <summary>Numbers and names as people read them; the same in every format.</summary>
internal static class Words
{
    private static readonly Dictionary<ExchangeOutcome, string> s_outcomes = new()
    {
        [ExchangeOutcome.Success] = "succeeded",
        [ExchangeOutcome.Timeout] = "timed out",
        [ExchangeOutcome.ConnectionLost] = "connection lost",
        [ExchangeOutcome.Refused] = "refused",
        [ExchangeOutcome.Violation] = "violation",
        [ExchangeOutcome.Cancelled] = "cancelled",
    };

    public const string Unknown = "–";

    /// <summary>Three decimals; a probability that is not 0 or 1 is never shown as 0 or 1.</summary>
    public static string Probability(double p) =>
        p switch
        {
            double.NaN => Unknown,
            > 0.9995 and < 1 => "> 0.999",
            > 0 and < 0.0005 => "< 0.001",
            _ => p.ToString("0.000", CultureInfo.InvariantCulture),
        };

    /// <summary>A whole number of 100; what is not all or none is not called so.</summary>
    public static string OfHundred(double probability) =>
        probability switch
        {
            double.NaN => Unknown,
            > .995 and < 1 => "more than 99",
            > 0 and < .005 => "fewer than 1",
            _ => Math.Round(100 * probability).ToString(CultureInfo.InvariantCulture),
        };

    /// <summary>A difference of probabilities: three decimals with a sign.</summary>
    public static string Signed(double difference) =>
        double.IsFinite(difference)
            ? difference.ToString("+0.000;-0.000;0.000", CultureInfo.InvariantCulture)
            : Unknown;

    /// <summary>Two digits; what is below the accuracy of the computation is said to be below.</summary>
    public static string PValue(double p) =>
        double.IsNaN(p) ? Unknown
        : p < 2e-16 ? "< 2e-16"
        : p < 0.001 ? p.ToString("0.0e-0", CultureInfo.InvariantCulture)
        : p.ToString("0.###", CultureInfo.InvariantCulture);

    public static string Interval(Interval? interval) =>
        interval is { } known ? Invariant($"{known.Lower:0.000} to {known.Upper:0.000}") : Unknown;

    /// <summary>A confidence or share in per cent, without needless decimals.</summary>
    public static string Percent(double share) =>
        double.IsFinite(share) ? (share * 100).ToString("0.##", CultureInfo.InvariantCulture) + " %" : Unknown;

    /// <summary>Three significant digits, and the unit.</summary>
    public static string Milliseconds(double milliseconds) =>
        double.IsPositiveInfinity(milliseconds) ? "never"
        : double.IsFinite(milliseconds) ? Number(milliseconds) + " ms"
        : Unknown;

    /// <summary>
    /// A measured latency: as <see cref="Milliseconds"/>, but with all three digits, so that a column of them can be
    /// compared at a glance.
    /// </summary>
    public static string Latency(double milliseconds)
    {
        if (!double.IsFinite(milliseconds) || milliseconds <= 0)
            return Milliseconds(milliseconds);
        return milliseconds.ToString("#,0." + new string('0', Decimals(milliseconds)), CultureInfo.InvariantCulture)
            + " ms";
    }

    /// <summary>Three significant digits, without an exponent.</summary>
    public static string Number(double value)
    {
        if (!double.IsFinite(value))
            return Unknown;
        return value == 0
            ? "0"
            : value.ToString("#,0." + new string('#', Decimals(value)), CultureInfo.InvariantCulture);
    }

    private static int Decimals(double value) => Math.Clamp(2 - (int)Math.Floor(Math.Log10(Math.Abs(value))), 0, 6);

    public static string Count(long count) => count.ToString("#,0", CultureInfo.InvariantCulture);

    public static string Counted(long count, string singular, string? plural = null) =>
        $"{Count(count)} {(count == 1 ? singular : plural ?? singular + "s")}";

    public static string Duration(double seconds)
    {
        if (!double.IsFinite(seconds))
            return Unknown;
        if (seconds < 10)
            return seconds.ToString("0.0", CultureInfo.InvariantCulture) + " s";
        var whole = (long)Math.Round(seconds);
        return whole < 60 ? $"{whole} s"
            : whole < 3600 ? $"{whole / 60} min {whole % 60} s"
            : $"{whole / 3600} h {whole % 3600 / 60} min";
    }

    public static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture) + " UTC";

    // The same word stands in JSON.
    public static string VerdictValue(VerdictKind kind) => kind.Word().Replace(' ', '-');

    public static string Outcome(ExchangeOutcome outcome) => s_outcomes[outcome];

    public static string Point(PredictedPoint point) =>
        $"{point.Profile}, {Counted(point.Clients, "client")}, {Milliseconds(point.ThresholdMilliseconds)}";

    public static string Sentence(string text)
    {
        text = text.Trim();
        if (text.Length == 0)
            return text;
        return char.ToUpperInvariant(text[0]) + text[1..] + (text[^1] is '.' or '!' or '?' ? "" : ".");
    }

    public static string Capitalised(string text) =>
        text.Length == 0 ? text : char.ToUpperInvariant(text[0]) + text[1..];

    /// <summary>Explains the intervals of the predicted points; empty if no explanation is known.</summary>
    public static string IntervalMeaning(ReportInput input) =>
        string.Join(
            ' ',
            input
                .Predictions.Select(prediction => prediction.IntervalMeaning)
                .Where(meaning => meaning.Length > 0)
                .Distinct()
        );
}
