using System.Globalization;
using MqttCheck.Plots.Drawing;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Input;
using MqttCheck.Reports.Page;
using ScottPlot;

namespace MqttCheck.Plots.Charts;

/// <summary>
/// Probability that all messages are in time against the number of clients: a line for each threshold.
/// </summary>
internal static class ProbabilityChart
{
    // A marker at 1 stands wholly inside.
    private const double Top = 1.03;

    public static Picture? Of(ReportInput input, Figure figure)
    {
        var profile = figure.Data["profile"];
        double[] thresholds =
        [
            .. figure
                .Data["thresholds"]
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(text => double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture)),
        ];
        PredictionReport[] setups =
        [
            .. input
                .Predictions.Where(prediction => prediction.Profile == profile)
                .OrderBy(prediction => prediction.Clients),
        ];
        Series[] series =
        [
            .. thresholds
                .Select(
                    (threshold, index) =>
                        new Series(
                            index,
                            threshold,
                            [
                                .. setups
                                    .Select(setup => (setup.Clients, At: Setups.InTime(setup, threshold)))
                                    .Where(point => double.IsFinite(point.At.Probability))
                                    .Select(point => new Point(
                                        point.Clients,
                                        point.At.Probability,
                                        point.At.Lower,
                                        point.At.Upper
                                    )),
                            ]
                        )
                )
                .Where(one => one.Points.Length > 0),
        ];
        if (series.Length == 0)
            return null;
        VerdictReport[] measured =
        [
            .. input.Verdicts.Where(verdict =>
                verdict.Point.Profile == profile
                && double.IsFinite(verdict.MeasuredProbability)
                && thresholds.Contains(verdict.Point.ThresholdMilliseconds)
            ),
        ];
        return new(
            $"probability-{Picture.FileName(profile)}",
            figure.Title,
            figure.StillCaption,
            () => Draw(series, measured, thresholds, figure)
        );
    }

    private static Sheet Draw(Series[] series, VerdictReport[] measured, double[] thresholds, Figure figure)
    {
        double[] counts =
        [
            .. series
                .SelectMany(one => one.Points.Select(point => (double)point.Clients))
                .Concat(measured.Select(verdict => (double)verdict.Point.Clients))
                .Distinct()
                .Order(),
        ];
        var (least, most) = (counts[0], counts[^1]);
        var sheet = new Sheet(figure.Title, figure.StillCaption) { DataHeight = 270, Right = 92 };
        sheet.SetY(
            new(0, Top),
            "probability",
            [0, .2, .4, .6, .8, 1],
            tick => tick.ToString("0.0", CultureInfo.InvariantCulture)
        );
        var isLogarithmic = most / least > 30;
        // Markers at the ends stand wholly inside.
        var slack = isLogarithmic ? 0 : (most - least) * .03;
        var scale =
            least == most ? new Scale(least * .5, most * 1.5)
            : isLogarithmic ? new(least / 1.08, most * 1.08, true)
            : new(least - slack, most + slack);
        sheet.SetX(scale, "clients", Ticks.Thinned(counts, count => scale.Share(count) * sheet.DataWidth));
        double Shift(int index) => (index - (thresholds.Length - 1) / 2.0) * 8;
        foreach (var one in series)
            Predicted(sheet, one, Shift(one.Index));
        foreach (var verdict in measured)
            Measured(sheet, verdict, Array.IndexOf(thresholds, verdict.Point.ThresholdMilliseconds), Shift);
        Explain(sheet, series, measured, thresholds);
        sheet.NameEnds([
            .. series.Select(one =>
                (Words.Milliseconds(one.Threshold), one.Points[^1].Probability, Palette.Series(one.Index))
            ),
        ]);
        return sheet;
    }

    private static void Measured(Sheet sheet, VerdictReport verdict, int index, Func<int, double> shift)
    {
        var (clients, colour) = (verdict.Point.Clients, Palette.Series(index));
        if (verdict.MeasuredInterval is { } interval)
            sheet.Segment(
                clients,
                Math.Max(0, interval.Lower),
                clients,
                Math.Min(1, interval.Upper),
                colour,
                1.8f,
                dx: shift(index)
            );
        sheet.Mark(clients, verdict.MeasuredProbability, Palette.Symbol(index), colour, 9, dx: shift(index));
    }

    private static void Explain(Sheet sheet, Series[] series, VerdictReport[] measured, double[] thresholds)
    {
        foreach (var one in series)
            sheet.Explain(
                $"{Words.Milliseconds(one.Threshold)}, predicted",
                Palette.Series(one.Index),
                LegendShape.Line
            );
        foreach (
            var index in measured
                .Select(verdict => Array.IndexOf(thresholds, verdict.Point.ThresholdMilliseconds))
                .Distinct()
                .Order()
        )
            sheet.Explain(
                $"{Words.Milliseconds(thresholds[index])}, measured",
                Palette.Series(index),
                LegendShape.Hollow,
                Palette.Symbol(index)
            );
    }

    private static void Predicted(Sheet sheet, Series one, double shift)
    {
        var colour = Palette.Series(one.Index);
        if (one.Points is [var only])
        {
            // A band over a single number of clients has no width.
            sheet.Segment(only.Clients, only.Lower, only.Clients, only.Upper, colour.WithAlpha(.25), 10, dx: shift);
            sheet.Mark(only.Clients, only.Probability, MarkerShape.FilledCircle, colour, 6, isHollow: false, dx: shift);
            return;
        }
        double[] clients = [.. one.Points.Select(point => (double)point.Clients)];
        sheet.Band(
            clients,
            [.. one.Points.Select(point => point.Lower)],
            [.. one.Points.Select(point => point.Upper)],
            colour,
            .14
        );
        sheet.Line(clients, one.Points.Select(point => point.Probability), colour);
    }

    private sealed record Series(int Index, double Threshold, Point[] Points);

    private sealed record Point(int Clients, double Probability, double Lower, double Upper);
}
