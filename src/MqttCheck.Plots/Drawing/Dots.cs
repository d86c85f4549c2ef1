using ScottPlot;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>Thousands of points as one path: an element for each would make the SVG file many times larger.</summary>
internal sealed class Dots(Coordinates[] points, Color colour, float size) : IPlottable
{
    public bool IsVisible { get; set; } = true;

    public IAxes Axes { get; set; } = new Axes();

    public IEnumerable<LegendItem> LegendItems => [];

    public AxisLimits GetAxisLimits() => AxisLimits.NoLimits;

    public void Render(RenderPack rp)
    {
        using var path = new SKPath();
        foreach (var point in points)
        {
            var pixel = Axes.GetPixel(point);
            // A stroke of no length with round ends is a dot.
            path.MoveTo(pixel.X, pixel.Y);
            path.LineTo(pixel.X, pixel.Y);
        }
        using var paint = new SKPaint
        {
            Color = colour.ToSKColor(),
            IsStroke = true,
            IsAntialias = true,
            StrokeWidth = size,
            StrokeCap = SKStrokeCap.Round,
        };
        rp.Canvas.DrawPath(path, paint);
    }
}
