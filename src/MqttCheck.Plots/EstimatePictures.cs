using System.Globalization;
using MqttCheck.Plots.Data;
using MqttCheck.Plots.Drawing;
using ScottPlot;

namespace MqttCheck.Plots;

/// <summary>Pictures of how right predictions and promises are.</summary>
internal static class EstimatePictures
{
    private const double RowHeight = 18;

    /// <summary>Predicted against measured probability, with the intervals of both.</summary>
    /// <param name="name">The name of the files.</param>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the predictions and how right they were.</param>
    /// <param name="points">The points.</param>
    /// <returns>The picture; null without a point.</returns>
    public static Picture? Calibration(string name, string title, string caption, IReadOnlyList<CalibratedPoint> points)
    {
        return points.Count == 0
            ? null
            : new(
                name,
                title,
                caption,
                () =>
                {
                    var sheet = new Sheet(title, caption) { DataHeight = 420 };
                    var low =
                        Math.Floor(
                            points.Min(point =>
                                Math.Min(
                                    Math.Min(point.PredictedInterval.Lower, point.MeasuredInterval.Lower),
                                    Math.Min(point.Predicted, point.Measured)
                                )
                            ) * 10
                        ) / 10;
                    var scale = new Scale(Math.Clamp(low, 0, .9), 1);
                    string Format(double value) => value.ToString("0.0#", CultureInfo.InvariantCulture);
                    sheet.SetY(scale, "measured probability", format: Format);
                    sheet.SetX(scale, "predicted probability", Ticks.Linear(scale.Low, 1, 6), Format);
                    sheet.Line([scale.Low, 1], [scale.Low, 1], Palette.Ink, 1);
                    sheet.Explain("equal", Palette.Ink, LegendShape.Line);
                    foreach (var (group, i) in points.GroupBy(point => point.Group).Select((group, i) => (group, i)))
                    {
                        var (colour, pale) = (Palette.Series(i), Palette.Series(i).WithAlpha(.45));
                        foreach (var point in group)
                        {
                            sheet.Segment(
                                Math.Max(scale.Low, point.PredictedInterval.Lower),
                                point.Measured,
                                Math.Min(1, point.PredictedInterval.Upper),
                                point.Measured,
                                pale,
                                1
                            );
                            sheet.Segment(
                                point.Predicted,
                                Math.Max(scale.Low, point.MeasuredInterval.Lower),
                                point.Predicted,
                                Math.Min(1, point.MeasuredInterval.Upper),
                                pale,
                                1
                            );
                        }
                        foreach (var point in group)
                            sheet.Mark(point.Predicted, point.Measured, Palette.Symbol(i), colour, 7);
                        sheet.Explain(group.Key, colour, LegendShape.Hollow, Palette.Symbol(i));
                    }
                    return sheet;
                }
            );
    }

    /// <summary>The true error of statistical rules beside what they promise, one row each.</summary>
    /// <param name="title">The heading.</param>
    /// <param name="caption">The subject of the errors.</param>
    /// <param name="errors">The rules.</param>
    /// <returns>The picture; null without a rule.</returns>
    public static Picture? Audit(string title, string caption, IReadOnlyList<AuditedError> errors)
    {
        return errors.Count == 0
            ? null
            : new(
                "audit",
                title,
                caption,
                () =>
                {
                    var sheet = new Sheet(title, caption) { DataHeight = errors.Count * RowHeight };
                    sheet.SetRows([.. errors.Select(error => error.Rule)], widest: 400);
                    // A simulated error may be 0, which has no place on a logarithmic axis.
                    var isLogarithmic = errors.All(error => error.Actual > 0);
                    var most = errors.Max(error => Math.Max(error.Actual, error.Promised));
                    var scale = isLogarithmic
                        ? Scale.Around(errors.SelectMany(error => (double[])[error.Actual, error.Promised]), 1.4)
                        : new(0, most * 1.05);
                    sheet.SetX(
                        scale,
                        isLogarithmic ? "probability of an error (log)" : "probability of an error",
                        isLogarithmic ? null : Ticks.Linear(0, scale.High, 5),
                        grid: true
                    );
                    for (var row = 0; row < errors.Count; row++)
                    {
                        var error = errors[row];
                        var colour = Colour(error);
                        sheet.Segment(error.Actual, -row, error.Promised, -row, colour.WithAlpha(.5), 1.5f);
                        sheet.Segment(error.Promised, -row - .4, error.Promised, -row + .4, Palette.Ink, 2.5f);
                        sheet.Mark(error.Actual, -row, MarkerShape.FilledCircle, colour, 8);
                    }
                    sheet.Explain("promised", Palette.Ink, LegendShape.Line);
                    foreach (
                        var group in errors
                            .GroupBy(error => (error.IsKept, error.IsGuarantee))
                            .OrderByDescending(group => group.Key)
                    )
                        sheet.Explain(
                            Name(group.First()),
                            Colour(group.First()),
                            LegendShape.Hollow,
                            MarkerShape.FilledCircle
                        );
                    return sheet;
                }
            );
    }

    private static Color Colour(AuditedError error) =>
        !error.IsGuarantee ? Palette.Warning
        : error.IsKept ? Palette.Good
        : Palette.Bad;

    private static string Name(AuditedError error) =>
        (error.IsKept, error.IsGuarantee) switch
        {
            (true, true) => "true error, guarantee kept",
            (false, true) => "true error, guarantee broken",
            (true, false) => "true error, no guarantee, kept",
            _ => "true error, no guarantee, exceeded",
        };
}
