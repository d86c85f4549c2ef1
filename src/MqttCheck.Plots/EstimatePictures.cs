using System.Globalization;
using MqttCheck.Plots.Data;
using MqttCheck.Reports.Marks;

namespace MqttCheck.Plots;

/// <summary>Pictures of how right predictions and promises are.</summary>
internal static class EstimatePictures
{
    private const double RowHeight = 18,
        CalibrationHeight = 420;

    /// <summary>Predicted against measured probability, with the intervals of both.</summary>
    /// <param name="name">The name of the files.</param>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the predictions and how right they were.</param>
    /// <param name="points">The points.</param>
    /// <returns>The picture; null without a point.</returns>
    public static Picture? Calibration(string name, string title, string caption, IReadOnlyList<CalibratedPoint> points)
    {
        if (points.Count == 0)
            return null;
        var low = points.Min(point =>
            Math.Min(
                Math.Min(point.PredictedInterval.Lower, point.MeasuredInterval.Lower),
                Math.Min(point.Predicted, point.Measured)
            )
        );
        var scale = new Scale(Math.Clamp(Math.Floor(low * 10) / 10, 0, .9), 1);
        string Format(double value) => value.ToString("0.0#", CultureInfo.InvariantCulture);
        var ticks = Ticks.Linear(scale.Low, 1, 6);
        var groups = points.GroupBy(point => point.Group).Select((group, i) => (group.Key, Points: group.ToArray(), i));
        return new(
            name,
            title,
            caption,
            new()
            {
                X = [Axis.With(scale, "predicted probability", ticks, Format)],
                Y = Axis.With(scale, "measured probability", ticks, Format) with { HasGrid = true },
                Height = CalibrationHeight,
                Marks =
                [
                    new(MarkShape.Line, Role.Ink, [scale.Low, 1], [scale.Low, 1]) { Size = 1 },
                    .. groups.SelectMany(group => Marks(group.Points, group.i, scale)),
                ],
                Legend =
                [
                    new("equal", Role.Ink, LegendShape.Line),
                    .. groups.Select(group => new LegendKey(
                        group.Key,
                        Looks.Series(group.i),
                        LegendShape.Hollow,
                        Looks.Symbols(group.i)
                    )),
                ],
            }
        );
    }

    private static Mark[] Marks(CalibratedPoint[] points, int series, Scale scale)
    {
        double[] predicted = [.. points.Select(point => point.Predicted)],
            measured = [.. points.Select(point => point.Measured)];
        return
        [
            new(
                MarkShape.Segments,
                Looks.Series(series),
                [.. points.Select(point => Math.Max(scale.Low, point.PredictedInterval.Lower))],
                measured
            )
            {
                X2 = [.. points.Select(point => Math.Min(1, point.PredictedInterval.Upper))],
                Y2 = measured,
                Size = 1,
                Opacity = .45,
            },
            new(
                MarkShape.Segments,
                Looks.Series(series),
                predicted,
                [.. points.Select(point => Math.Max(scale.Low, point.MeasuredInterval.Lower))]
            )
            {
                X2 = predicted,
                Y2 = [.. points.Select(point => Math.Min(1, point.MeasuredInterval.Upper))],
                Size = 1,
                Opacity = .45,
            },
            new(MarkShape.Symbols, Looks.Series(series), predicted, measured)
            {
                Symbol = Looks.Symbols(series),
                IsHollow = true,
                Size = 7,
            },
        ];
    }

    /// <summary>The true error of statistical rules beside what they promise, one row each.</summary>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the errors.</param>
    /// <param name="errors">The rules.</param>
    /// <returns>The picture; null without a rule.</returns>
    public static Picture? Audit(string title, string caption, IReadOnlyList<AuditedError> errors)
    {
        if (errors.Count == 0)
            return null;
        // A simulated error may be 0, which has no place on a logarithmic axis.
        var isLogarithmic = errors.All(error => error.Actual > 0);
        var most = errors.Max(error => Math.Max(error.Actual, error.Promised));
        var scale = isLogarithmic
            ? Scale.Around(errors.SelectMany(error => (double[])[error.Actual, error.Promised]), 1.4)
            : new(0, most * 1.05);
        var groups = errors
            .Select((error, row) => (error, row))
            .GroupBy(row => (row.error.IsKept, row.error.IsGuarantee))
            .OrderByDescending(group => group.Key);
        return new(
            "audit",
            title,
            caption,
            new()
            {
                X =
                [
                    Axis.Across(scale, isLogarithmic ? "probability of an error (log)" : "probability of an error") with
                    {
                        HasGrid = true,
                    },
                ],
                Y = Axis.Rows([.. errors.Select(error => error.Rule)]),
                Height = errors.Count * RowHeight,
                Marks = [.. groups.SelectMany(group => Marks([.. group], Colour(group.Key)))],
                Legend =
                [
                    new("promised", Role.Ink, LegendShape.Line),
                    .. groups.Select(group => new LegendKey(
                        Name(group.Key),
                        Colour(group.Key),
                        LegendShape.Hollow,
                        Symbol.Circle
                    )),
                ],
            }
        );
    }

    private static Mark[] Marks((AuditedError Error, int Row)[] rows, Role role)
    {
        double[] actual = [.. rows.Select(row => row.Error.Actual)],
            promised = [.. rows.Select(row => row.Error.Promised)],
            y = [.. rows.Select(row => -(double)row.Row)];
        return
        [
            new(MarkShape.Segments, role, actual, y)
            {
                X2 = promised,
                Y2 = y,
                Size = 1.5,
                Opacity = .5,
            },
            new(MarkShape.Segments, Role.Ink, promised, [.. y.Select(at => at - .4)])
            {
                X2 = promised,
                Y2 = [.. y.Select(at => at + .4)],
                Size = 2.5,
            },
            new(MarkShape.Symbols, role, actual, y) { IsHollow = true, Size = 8 },
        ];
    }

    private static Role Colour((bool IsKept, bool IsGuarantee) rule) =>
        !rule.IsGuarantee ? Role.Warn
        : rule.IsKept ? Role.Good
        : Role.Bad;

    private static string Name((bool IsKept, bool IsGuarantee) rule) =>
        rule switch
        {
            (true, true) => "true error, guarantee kept",
            (false, true) => "true error, guarantee broken",
            (true, false) => "true error, no guarantee, kept",
            _ => "true error, no guarantee, exceeded",
        };
}
