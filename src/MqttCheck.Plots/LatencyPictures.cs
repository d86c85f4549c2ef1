using MqttCheck.Plots.Data;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Plots;

/// <summary>Pictures of measured latencies.</summary>
internal static class LatencyPictures
{
    // More curves than this cannot be told apart in one picture.
    private const int MostCurves = 5;
    private const double Height = 290;
    private const string SlowestMessage = "slowest message of a sequence, ms (log)";

    /// <summary>Latency against percentile, on axes that make room for the slowest messages.</summary>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the latencies.</param>
    /// <param name="curves">The runs; of more than five, the first, the last and three between are drawn.</param>
    /// <returns>The picture; null without a latency.</returns>
    public static Picture? Percentiles(string title, string caption, IReadOnlyList<QuantileCurve> curves)
    {
        QuantileCurve[] known =
        [
            .. curves
                .Select(curve =>
                    curve with
                    {
                        Points = [.. curve.Points.Where(point => point is { Share: >= 0 and < 1, Milliseconds: > 0 })],
                    }
                )
                .Where(curve => curve.Points.Count > 1),
        ];
        if (known.Length == 0)
            return null;
        var drawn =
            known.Length <= MostCurves
                ? known
                : [.. Enumerable.Range(0, MostCurves).Select(i => known[i * (known.Length - 1) / (MostCurves - 1)])];
        var text = drawn.Length < known.Length ? $"{caption} {drawn.Length} of {known.Length} runs." : caption;
        return new("percentiles", title, text, Percentiles(drawn));
    }

    private static Chart Percentiles(QuantileCurve[] drawn)
    {
        var y = Scale.Around(drawn.SelectMany(curve => curve.Points.Select(point => point.Milliseconds)), 1.1);
        var most = drawn.Max(curve => Rarity(curve.Points[^1].Share));
        var ticks = new[] { 0, .5, .9, .99, .999, .9999, .99999 }
            .Select(Rarity)
            .Where(rarity => rarity <= most * 1.001);
        return new()
        {
            X =
            [
                Axis.With(
                    new(1, most, true),
                    "percentile",
                    ticks,
                    rarity =>
                        Words
                            .Percent(Math.Round(1 - 1 / rarity, 7))
                            .Replace("100 %", "99.999 %", StringComparison.Ordinal)
                ) with
                {
                    HasGrid = true,
                },
            ],
            Y = Axis.Up(y, "latency, ms (log)", Height),
            Height = Height,
            Marks = [.. drawn.SelectMany(Percentiles)],
            Legend =
            [
                .. drawn.Select(
                    (curve, i) => new LegendKey(curve.Label, Looks.Series(i), LegendShape.Line, Looks.Symbols(i))
                ),
            ],
        };
    }

    private static IEnumerable<Mark> Percentiles(QuantileCurve curve, int series)
    {
        double[] rarities = [.. curve.Points.Select(point => Rarity(point.Share))],
            latencies = [.. curve.Points.Select(point => point.Milliseconds)];
        yield return new(MarkShape.Line, Looks.Series(series), rarities, latencies);
        if (rarities.Length <= 6)
            yield return new(MarkShape.Symbols, Looks.Series(series), rarities, latencies)
            {
                Symbol = Looks.Symbols(series),
                IsHollow = true,
                Size = 7,
            };
    }

    // Rarer latencies stand farther to the right: one in 1, 2, 10, 100, 1000.
    private static double Rarity(double share) => 1 / (1 - share);

    /// <summary>Distribution functions of latencies.</summary>
    /// <param name="name">The name of the files.</param>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the latencies.</param>
    /// <param name="curves">The curves, at most five.</param>
    /// <param name="thresholdsMilliseconds">Thresholds to mark.</param>
    /// <returns>The picture; null without a latency.</returns>
    public static Picture? Distributions(
        string name,
        string title,
        string caption,
        IReadOnlyList<LatencyCurve> curves,
        IReadOnlyList<double> thresholdsMilliseconds
    )
    {
        LatencyCurve[] drawn =
        [
            .. curves.Where(curve => curve.SortedMilliseconds.Any(double.IsFinite)).Take(MostCurves),
        ];
        if (drawn.Length == 0)
            return null;
        var x = Scale.Around(drawn.SelectMany(curve => curve.SortedMilliseconds).Concat(thresholdsMilliseconds));
        return new(
            name,
            title,
            caption,
            new()
            {
                X = [Axis.Across(x, SlowestMessage)],
                Y = Axis.Shares("share of sequences"),
                Height = Height,
                Marks =
                [
                    Vertical(thresholdsMilliseconds),
                    .. drawn.Select(
                        (curve, i) => new Mark(MarkShape.Distribution, Looks.Series(i), curve.SortedMilliseconds, [])
                    ),
                ],
                Legend =
                [
                    .. drawn.Select((curve, i) => new LegendKey(curve.Label, Looks.Series(i), LegendShape.Line)),
                    .. thresholdsMilliseconds.Count == 0
                        ? (LegendKey[])[]
                        : [Key("threshold", string.Join(", ", thresholdsMilliseconds.Select(Words.Milliseconds)))],
                ],
            }
        );
    }

    private static Mark Vertical(IReadOnlyList<double> thresholds) =>
        Mark.Vertical(new(0, 1), thresholds, Role.Accent) with
        {
            IsDashed = true,
            Size = 1.5,
        };

    private static LegendKey Key(string name, string value) => new($"{name}: {value}", Role.Accent, LegendShape.Dashed);

    /// <summary>
    /// Compares a requirement with measurements: the distribution of the latencies, the threshold with the required
    /// probability, and each run.
    /// </summary>
    /// <param name="title">The requirement.</param>
    /// <param name="caption">The result in words.</param>
    /// <param name="samples">The name of the samples, in the plural.</param>
    /// <param name="sortedMilliseconds">The latency of each sample, ascending; infinity for a failed one.</param>
    /// <param name="thresholdMilliseconds">The threshold.</param>
    /// <param name="demand">The required or predicted probability in words.</param>
    /// <param name="probability">That probability.</param>
    /// <param name="runs">The runs.</param>
    /// <returns>The picture; null without a latency.</returns>
    public static Picture? Requirement(
        string title,
        string caption,
        string samples,
        IReadOnlyList<double> sortedMilliseconds,
        double thresholdMilliseconds,
        string demand,
        double probability,
        IReadOnlyList<RequirementRun> runs
    )
    {
        if (!sortedMilliseconds.Any(double.IsFinite))
            return null;
        var x = Scale.Around([.. sortedMilliseconds, thresholdMilliseconds]);
        return new(
            "requirement",
            title,
            caption,
            new()
            {
                X = [Axis.Across(x, samples == "sequences" ? SlowestMessage : "latency, ms (log)")],
                Y = Axis.Shares($"share of {samples} in time"),
                Height = Height,
                Marks =
                [
                    Mark.Horizontal(x, [probability], Role.Bad) with
                    {
                        IsDashed = true,
                        Size = 1.5,
                    },
                    Vertical([thresholdMilliseconds]),
                    new(MarkShape.Distribution, Role.S1, sortedMilliseconds, []),
                    new(
                        MarkShape.Symbols,
                        Role.S4,
                        [.. runs.Select(_ => thresholdMilliseconds)],
                        [.. runs.Select(run => (double)run.InTime / run.Samples)]
                    )
                    {
                        IsHollow = true,
                        Size = 8,
                    },
                ],
                Legend =
                [
                    new($"measured, all {samples}", Role.S1, LegendShape.Line),
                    new("each run, at the threshold", Role.S4, LegendShape.Hollow, Symbol.Circle),
                    Key("threshold", Words.Milliseconds(thresholdMilliseconds)),
                    new(demand, Role.Bad, LegendShape.Dashed),
                ],
            }
        );
    }
}
