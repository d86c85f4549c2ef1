using ScottPlot;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>Thousands of points as one path: an element for each would make the SVG file many times larger.</summary>
internal sealed class Dots(Coordinates[] points, Color colour, float size, MarkerShape shape) : Drawn
{
    public override void Render(RenderPack rp)
    {
        using var path = new SKPath();
        foreach (var point in points)
        {
            var pixel = Axes.GetPixel(point);
            Add(path, pixel.X, pixel.Y);
        }
        using var paint = new SKPaint
        {
            Color = colour.ToSKColor(),
            IsStroke = shape is MarkerShape.FilledCircle or MarkerShape.TriUp,
            IsAntialias = true,
            StrokeWidth = shape == MarkerShape.FilledCircle ? size : size / 3,
            StrokeCap = SKStrokeCap.Round,
        };
        rp.Canvas.DrawPath(path, paint);
    }

    private void Add(SKPath path, float x, float y)
    {
        var half = size / 2;
        switch (shape)
        {
            case MarkerShape.FilledSquare:
                path.AddRect(new(x - half, y - half, x + half, y + half));
                break;
            case MarkerShape.FilledTriangleUp:
                path.AddPoly([
                    new(x, y - (1.3f * half)),
                    new(x + (1.3f * half), y + half),
                    new(x - (1.3f * half), y + half),
                ]);
                break;
            case MarkerShape.FilledDiamond:
                path.AddPoly([
                    new(x, y - (1.5f * half)),
                    new(x + (1.3f * half), y),
                    new(x, y + (1.5f * half)),
                    new(x - (1.3f * half), y),
                ]);
                break;
            case MarkerShape.TriUp:
                // Three arms from the middle.
                foreach (var (dx, dy) in ((float, float)[])[(0, -1.4f), (1.2f, .9f), (-1.2f, .9f)])
                {
                    path.MoveTo(x, y);
                    path.LineTo(x + (dx * half), y + (dy * half));
                }
                break;
            default:
                // A stroke of no length with round ends is a dot.
                path.MoveTo(x, y);
                path.LineTo(x, y);
                break;
        }
    }
}
