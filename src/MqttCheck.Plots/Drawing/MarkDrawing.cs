using MqttCheck.Reports.Builders;
using MqttCheck.Reports.Formats;
using MqttCheck.Reports.Marks;
using ScottPlot;

namespace MqttCheck.Plots.Drawing;

/// <summary>Draws the marks of a chart on a plot of ScottPlot.</summary>
/// <param name="plot">The plot.</param>
/// <param name="chart">The chart.</param>
/// <param name="x">The scale across.</param>
/// <param name="width">The width of the data, in points.</param>
internal sealed class MarkDrawing(Plot plot, Chart chart, Scale x, double width)
{
    private readonly Scale _y = chart.Y.Scale;

    /// <summary>The texts of marks, in points from the left and the top of the data.</summary>
    public List<Label> Labels { get; } = [];

    /// <summary>Draws a mark.</summary>
    public void Draw(Mark mark)
    {
        switch (mark.Shape)
        {
            case MarkShape.Line:
                Line(mark, mark.X, mark.Y);
                break;
            case MarkShape.Steps:
                var (across, up) = Stepped(mark.X, mark.Y);
                Line(mark, across, up);
                break;
            case MarkShape.Band:
                Band(mark, mark.X, mark.Y, mark.Y2!);
                break;
            case MarkShape.Boxes:
                Boxes(mark);
                break;
            case MarkShape.Segments:
                Segments(mark);
                break;
            case MarkShape.Symbols:
                foreach (var (left, top, _) in Places(mark))
                    Symbol(mark, left, top);
                break;
            case MarkShape.Dots:
                plot.Add.Plottable(
                    new Dots(
                        [
                            .. Places(mark)
                                .Select(place =>
                                    At(place.X + (mark.IsJittered ? Mark.Jitter(place.Index) : 0), place.Y)
                                ),
                        ],
                        Colour(mark),
                        (float)mark.Size * .85f,
                        Palette.Marker(mark.Symbol)
                    )
                );
                break;
            case MarkShape.Texts:
                Texts(mark);
                break;
            case MarkShape.Distribution:
                Distribution(mark);
                break;
            case MarkShape.Reading:
                Reading(mark);
                break;
            case MarkShape.Level:
                // A level is for readers who choose a threshold.
                break;
            default:
                throw new ArgumentException($"There is no drawing of {mark.Shape}.", nameof(mark));
        }
    }

    private void Line(Mark mark, IReadOnlyList<double> across, IReadOnlyList<double> up)
    {
        Coordinates[] points = [.. across.Zip(up, At)];
        if (mark.IsDashed)
        {
            plot.Add.Plottable(new Dashes(points, Palette.Of(mark.Role), (float)mark.Size));
            return;
        }
        var line = plot.Add.ScatterLine(points, Palette.Of(mark.Role));
        line.LineWidth = (float)mark.Size;
    }

    private void Band(Mark mark, IReadOnlyList<double> across, IReadOnlyList<double> lower, IReadOnlyList<double> upper)
    {
        var polygon = plot.Add.Polygon([.. across.Zip(upper, At), .. across.Zip(lower, At).Reverse()]);
        (polygon.FillColor, polygon.LineWidth) = (Colour(mark), 0);
    }

    private void Boxes(Mark mark)
    {
        foreach (var (left, bottom, i) in Places(mark))
        {
            var box = plot.Add.Rectangle(x.At(left), x.At(mark.X2![i]), _y.At(bottom), _y.At(mark.Y2![i]));
            (box.FillColor, box.LineWidth) = (Colour(mark), 0);
        }
    }

    private void Segments(Mark mark)
    {
        foreach (
            var (left, bottom, i) in Places(mark)
                .Where(place => double.IsFinite(mark.X2![place.Index]) && double.IsFinite(mark.Y2![place.Index]))
        )
        {
            var (from, to) = (Moved(mark, left, bottom), Moved(mark, mark.X2![i], mark.Y2![i]));
            if (mark.IsDashed)
            {
                plot.Add.Plottable(new Dashes([from, to], Colour(mark), (float)mark.Size));
                continue;
            }
            var line = plot.Add.Line(from, to);
            (line.LineColor, line.LineWidth) = (Colour(mark), (float)mark.Size);
        }
    }

    private void Symbol(Mark mark, double left, double top)
    {
        var symbol = plot.Add.Marker(Moved(mark, left, top));
        symbol.MarkerStyle = Palette.Style(mark.Symbol, Colour(mark), (float)mark.Size, mark.IsHollow);
    }

    private void Texts(Mark mark)
    {
        foreach (var (left, top, i) in Places(mark))
            Labels.Add(
                new(
                    mark.Texts![i],
                    x.Share(left) * width,
                    (1 - _y.Share(top)) * chart.Height,
                    Alignment.MiddleCenter,
                    Palette.Of(mark.Role)
                )
            );
    }

    // The share of latencies that are smaller; what never came keeps the curve below 1.
    private void Distribution(Mark mark)
    {
        double[] finite = [.. mark.X.Where(double.IsFinite)];
        var (across, shares) = Stepped(
            [x.Low, .. finite, x.High],
            [0, .. finite.Select((_, i) => (i + 1.0) / mark.X.Count), (double)finite.Length / mark.X.Count]
        );
        if (mark.HalfWidth > 0)
            Band(
                mark,
                across,
                [.. shares.Select(share => Math.Max(0, share - mark.HalfWidth))],
                [.. shares.Select(share => Math.Min(1, share + mark.HalfWidth))]
            );
        Line(mark, across, shares);
    }

    private void Reading(Mark mark)
    {
        if (!double.IsFinite(chart.Threshold))
            return;
        var share = SortedValues.ShareBelow(mark.X, chart.Threshold);
        Segments(
            mark with
            {
                X = [chart.Threshold, x.Low],
                Y = [_y.Low, share],
                X2 = [chart.Threshold, chart.Threshold],
                Y2 = [_y.High, share],
            }
        );
        Symbol(mark with { Size = 9 }, chart.Threshold, share);
        var isRight = x.Share(chart.Threshold) > .7;
        Labels.Add(
            new(
                Words.Milliseconds(chart.Threshold),
                x.Share(chart.Threshold) * width + (isRight ? -7 : 7),
                chart.Height - 6,
                isRight ? Alignment.LowerRight : Alignment.LowerLeft,
                Palette.Of(mark.Role)
            )
            {
                Bold = true,
                HasGround = true,
            }
        );
    }

    private IEnumerable<(double X, double Y, int Index)> Places(Mark mark) =>
        mark
            .X.Zip(mark.Y)
            .Select((place, i) => (place.First, place.Second, i))
            .Where(place => double.IsFinite(place.First) && double.IsFinite(place.Second))
            .Where(place => !x.IsLogarithmic || place.First > 0);

    private Coordinates At(double across, double up) => new(x.At(across), _y.At(up));

    private Coordinates Moved(Mark mark, double across, double up) =>
        new(x.At(across) + mark.Dx * (x.At(x.High) - x.At(x.Low)) / width, _y.At(up));

    private static Color Colour(Mark mark) => Palette.Of(mark.Role).WithAlpha(mark.Opacity);

    private (List<double> Across, List<double> Up) Stepped(IReadOnlyList<double> xs, IReadOnlyList<double> ys)
    {
        var (across, up) = (new List<double>(), new List<double>());
        for (var i = 0; i < xs.Count; i++)
        {
            // Steps that nobody could see would only make the SVG file larger.
            if (i > 0 && i < xs.Count - 1 && (x.Share(xs[i]) - x.Share(across[^1])) * width < .4)
                continue;
            if (i > 0)
            {
                across.Add(xs[i]);
                up.Add(up[^1]);
            }
            across.Add(xs[i]);
            up.Add(ys[i]);
        }
        return (across, up);
    }
}
