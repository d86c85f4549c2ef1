using System.Globalization;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Marks;
using MqttCheck.Verification;

namespace MqttCheck.Reports.Charts;

/// <summary>Predicted and measured probability of each verified point, one row each.</summary>
internal static class ComparisonChart
{
    private const double RowHeight = 34;

    // The places in a row, from its middle.
    private const double PredictedAt = .13,
        MeasuredAt = -.17,
        RunsAt = -.36;

    public static Chart? Of(ReportInput input)
    {
        if (input.Verdicts.Count == 0)
            return null;
        Row[] rows = [.. input.Verdicts.Select((verdict, row) => new Row(verdict, -row, Before(input, verdict.Point)))];
        var low = rows.SelectMany(row => row.Known).Where(double.IsFinite).Min();
        var from = Math.Max(0, Math.Floor((low - .01) * 20) / 20);
        var ticks = Enumerable
            .Range(0, 21)
            .Where(tick => tick / 20.0 >= from && (1 - from <= .55 || tick % 4 == 0))
            .Select(tick => tick / 20.0);
        return new()
        {
            X =
            [
                Axis.With(
                    new(from, 1),
                    "probability that all messages are in time",
                    ticks,
                    tick => tick.ToString("0.0#", CultureInfo.InvariantCulture)
                ) with
                {
                    HasGrid = true,
                },
            ],
            Y = Axis.Rows([.. input.Verdicts.Select(verdict => Words.Point(verdict.Point))]),
            Height = rows.Length * RowHeight,
            Hover = Hover.Row,
            Marks = [.. Predicted(rows, from), .. Measured(rows, from)],
            Legend = Legend(rows),
        };
    }

    private static IEnumerable<Mark> Predicted(Row[] rows, double from)
    {
        yield return new(
            MarkShape.Boxes,
            Role.Accent,
            [.. rows.Select(row => Math.Max(from, row.Verdict.CountsAsPredicted?.Lower ?? double.NaN))],
            [.. rows.Select(row => row.Y - .45)]
        )
        {
            X2 = [.. rows.Select(row => Math.Min(1, row.Verdict.CountsAsPredicted?.Upper ?? double.NaN))],
            Y2 = [.. rows.Select(row => row.Y + .38)],
            Opacity = .13,
        };
        yield return new(
            MarkShape.Boxes,
            Role.Accent,
            [.. rows.Select(row => Math.Max(from, row.Verdict.Point.Interval.Lower))],
            [.. rows.Select(row => row.Y + PredictedAt - .1)]
        )
        {
            X2 = [.. rows.Select(row => Math.Min(1, row.Verdict.Point.Interval.Upper))],
            Y2 = [.. rows.Select(row => row.Y + PredictedAt + .1)],
            Opacity = .75,
        };
        yield return new(
            MarkShape.Symbols,
            Role.Accent,
            [.. rows.Select(row => row.Verdict.Point.Probability)],
            [.. rows.Select(row => row.Y + PredictedAt)]
        )
        {
            Symbol = Symbol.Diamond,
            IsHollow = true,
            Size = 9,
            Tips = [.. rows.Select(row => row.Tip)],
        };
    }

    private static IEnumerable<Mark> Measured(Row[] rows, double from)
    {
        foreach (var look in rows.GroupBy(row => Looks.Verdict(row.Verdict.Kind)))
        {
            var (role, symbol) = look.Key;
            double[] y = [.. look.Select(row => row.Y + MeasuredAt)];
            yield return new(
                MarkShape.Segments,
                role,
                [.. look.Select(row => Math.Max(from, row.Verdict.MeasuredInterval?.Lower ?? double.NaN))],
                y
            )
            {
                X2 = [.. look.Select(row => Math.Min(1, row.Verdict.MeasuredInterval?.Upper ?? double.NaN))],
                Y2 = y,
            };
            var runs = look.SelectMany(row => row.Runs.Select(share => (share, row.Y))).ToArray();
            yield return new(
                MarkShape.Symbols,
                role,
                [.. runs.Select(run => run.share >= from ? run.share : double.NaN)],
                [.. runs.Select(run => run.Y + RunsAt)]
            )
            {
                Size = 4.8,
                Opacity = .7,
            };
            yield return new(MarkShape.Symbols, role, [.. look.Select(row => row.Verdict.MeasuredProbability)], y)
            {
                Symbol = symbol,
                IsHollow = true,
                Size = 8,
            };
        }
        yield return new(
            MarkShape.Symbols,
            Role.Soft,
            [.. rows.Select(row => row.Before >= from ? row.Before : double.NaN)],
            [.. rows.Select(row => row.Y + MeasuredAt)]
        )
        {
            Symbol = Symbol.Times,
            Size = 9,
        };
    }

    private static LegendKey[] Legend(Row[] rows) =>
        [
            new("counts as predicted", Role.Accent, LegendShape.Band),
            new("predicted, with interval", Role.Accent, LegendShape.Hollow, Symbol.Diamond),
            .. rows.Where(row => double.IsFinite(row.Verdict.MeasuredProbability))
                .Select(row => row.Verdict.Kind)
                .Distinct()
                .Order()
                .Select(kind => new LegendKey(
                    $"measured: {kind.Word()}",
                    Looks.Verdict(kind).Role,
                    LegendShape.Line,
                    Looks.Verdict(kind).Symbol
                )),
            .. rows.Any(row => row.Runs.Length > 0)
                ? [new LegendKey("single runs", Role.Soft, LegendShape.Full, Symbol.Circle)]
                : (LegendKey[])[],
            .. rows.Any(row => double.IsFinite(row.Before))
                ? [new LegendKey("the run before", Role.Soft, LegendShape.Full, Symbol.Times)]
                : (LegendKey[])[],
        ];

    private static double Before(ReportInput input, Predictions.PredictedPoint point) =>
        input
            .PreviousVerdicts.FirstOrDefault(verdict =>
                verdict.Point.IsOfSetup(point) && verdict.Point.ThresholdMilliseconds == point.ThresholdMilliseconds
            )
            ?.MeasuredProbability
        ?? double.NaN;

    private sealed record Row(VerdictReport Verdict, double Y, double Before)
    {
        public double[] Runs { get; } = [.. Verdict.RunCounts.Select(run => (double)run.Successes / run.Samples)];

        /// <summary>All probabilities of the row.</summary>
        public double[] Known =>
            [
                1,
                Verdict.Point.Interval.Lower,
                Verdict.CountsAsPredicted?.Lower ?? 1,
                Verdict.MeasuredInterval?.Lower ?? 1,
                Verdict.MeasuredProbability,
                Before,
                .. Runs,
            ];

        public string Tip
        {
            get
            {
                var (predicted, interval) = (Words.Interval(Verdict.Point.Interval), Verdict.MeasuredInterval);
                var runs = string.Join(' ', Runs.Select(run => run.ToString("0.00", CultureInfo.InvariantCulture)));
                string[] lines =
                [
                    Words.Point(Verdict.Point),
                    $"predicted {Words.Probability(Verdict.Point.Probability)} ({predicted})",
                    double.IsFinite(Verdict.MeasuredProbability)
                        ? $"measured {Words.Probability(Verdict.MeasuredProbability)}"
                            + (interval is null ? "" : $" ({Words.Interval(interval)})")
                        : "",
                    Runs.Length > 0 ? $"{Words.Counted(Runs.Length, "run")}: {runs}" : "",
                    double.IsFinite(Before) ? $"the run before: {Words.Probability(Before)}" : "",
                ];
                return string.Join('\n', lines.Where(line => line.Length > 0));
            }
        }
    }
}
