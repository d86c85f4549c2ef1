using System.Globalization;
using MqttCheck.Statistics;

namespace MqttCheck.Logs;

/// <summary>
/// Writes durations as a percentile distribution, the text form of HdrHistogram (<c>.hgrm</c>) that its plotters read: value in milliseconds, percentile as a share, how many
/// durations do not exceed the value, and 1/(1-percentile). The steps halve their distance to 1 every <see cref="TicksPerHalfDistance"/> lines.
/// </summary>
public static class PercentileText
{
    /// <summary>Lines between two halvings of the distance to 1; HdrHistogram's usual choice.</summary>
    public const int TicksPerHalfDistance = 5;

    private const double NanosecondsPerMillisecond = 1e6;

    /// <summary>Writes the distribution.</summary>
    /// <param name="writer">Where to; stays open.</param>
    /// <param name="counts">The durations.</param>
    public static void Write(TextWriter writer, DurationCounts counts)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(counts);
        writer.Write($"{"Value",12} {"Percentile",14} {"TotalCount",10} {"1/(1-Percentile)",14}\n\n");
        WriteLines(writer, counts);
        var (mean, deviation) = counts.Count == 0 ? (0, 0) : (counts.MeanNanoseconds, counts.DeviationNanoseconds());
        writer.Write(Text($"#[Mean    = {mean / NanosecondsPerMillisecond,12:F3}, StdDeviation   = {deviation / NanosecondsPerMillisecond,12:F3}]\n"));
        writer.Write(Text($"#[Max     = {counts.MaximumNanoseconds / NanosecondsPerMillisecond,12:F3}, Total count    = {counts.Count,12}]\n"));
        writer.Write(Text($"#[Buckets = {DurationCounts.Buckets,12}, SubBuckets     = {DurationCounts.SubBuckets,12}]\n"));
    }

    private static void WriteLines(TextWriter writer, DurationCounts counts)
    {
        if (counts.Count == 0) return;
        var level = 0.0;
        long seen = 0;
        long value = 0;
        for (var index = 0; seen < counts.Count; index++)
        {
            var here = counts.CountAt(index);
            if (here == 0) continue;
            seen += here;
            value = DurationCounts.EndOf(index);
            // One bucket may hold several levels; once everything is counted only one of them is written before the last line.
            do
            {
                if (100.0 * seen / counts.Count < level) break;
                writer.Write(Text($"{value / NanosecondsPerMillisecond,12:F3} {level / 100,2:F12} {seen,10} {1 / (1 - level / 100),14:F2}\n"));
                var halvings = (long)(Math.Log(100 / (100 - level)) / Math.Log(2)) + 1;
                level += 100.0 / (TicksPerHalfDistance * (long)Math.Pow(2, halvings));
            }
            while (seen < counts.Count);
        }
        writer.Write(Text($"{value / NanosecondsPerMillisecond,12:F3} {1.0,2:F12} {seen,10}\n"));
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
