using ScottPlot;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// A dashed line through points. Each dash is a line of its own, because Skia writes no dashes to SVG files.
/// </summary>
internal sealed class Dashes(Coordinates[] points, Color colour, float width) : Drawn
{
    private const double Dash = 6,
        Gap = 4;

    public override void Render(RenderPack rp) =>
        Draw(rp.Canvas, [.. points.Select(point => Axes.GetPixel(point))], colour, width);

    /// <summary>Draws a dashed line through places of a picture.</summary>
    public static void Draw(SKCanvas canvas, IReadOnlyList<Pixel> places, Color colour, float width)
    {
        using var path = new SKPath();
        var inPattern = 0.0;
        foreach (var (from, to) in places.Zip(places.Skip(1)))
            inPattern = Add(path, from, to, inPattern);
        using var paint = new SKPaint
        {
            Color = colour.ToSKColor(),
            IsStroke = true,
            IsAntialias = true,
            StrokeWidth = width,
        };
        canvas.DrawPath(path, paint);
    }

    // The pattern goes on over the bends of the line.
    private static double Add(SKPath path, Pixel from, Pixel to, double inPattern)
    {
        double dx = to.X - from.X,
            dy = to.Y - from.Y;
        var length = Math.Sqrt(dx * dx + dy * dy);
        for (var at = 0.0; at < length; )
        {
            var isDash = inPattern < Dash;
            var step = Math.Min((isDash ? Dash : Dash + Gap) - inPattern, length - at);
            if (isDash)
            {
                path.MoveTo((float)(from.X + dx * at / length), (float)(from.Y + dy * at / length));
                path.LineTo((float)(from.X + dx * (at + step) / length), (float)(from.Y + dy * (at + step) / length));
            }
            at += step;
            inPattern += step;
            if (inPattern >= Dash + Gap)
                inPattern = 0;
        }
        return inPattern;
    }
}
