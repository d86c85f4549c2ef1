using ScottPlot;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>A dashed line. Each dash is a line of its own, because Skia writes no dashes to SVG files.</summary>
internal sealed class Dashes(Coordinates from, Coordinates to, Color colour, float width) : Drawn
{
    private const float Dash = 6,
        Gap = 4;

    public override void Render(RenderPack rp) =>
        Draw(rp.Canvas, Axes.GetPixel(from), Axes.GetPixel(to), colour, width);

    /// <summary>Draws a dashed line between two places of a picture.</summary>
    public static void Draw(SKCanvas canvas, Pixel from, Pixel to, Color colour, float width)
    {
        var (dx, dy) = (to.X - from.X, to.Y - from.Y);
        var length = MathF.Sqrt(dx * dx + dy * dy);
        using var path = new SKPath();
        for (var at = 0f; at < length; at += Dash + Gap)
        {
            var end = Math.Min(at + Dash, length);
            path.MoveTo(from.X + dx * at / length, from.Y + dy * at / length);
            path.LineTo(from.X + dx * end / length, from.Y + dy * end / length);
        }
        using var paint = new SKPaint
        {
            Color = colour.ToSKColor(),
            IsStroke = true,
            IsAntialias = true,
            StrokeWidth = width,
        };
        canvas.DrawPath(path, paint);
    }
}
