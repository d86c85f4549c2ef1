using ScottPlot;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// The parts around and above the data: heading, explanation, legend, names of ticks, labels. They are drawn last and
/// are not clipped to the data area.
/// </summary>
internal sealed class Furniture(
    IReadOnlyList<Label> labels,
    IReadOnlyList<(LegendEntry Entry, double X, double Y)> legend
) : Drawn, IRenderLast
{
    // These are parts of the size of DejaVu's letters: half a capital, a capital with some air, and the descent below
    // the line.
    private const float HalfCapital = .365f,
        Ascent = .93f,
        Descent = .24f;

    /// <summary>The width of a legend's symbol with the gap behind it.</summary>
    public static double SymbolWidth(LegendEntry entry) =>
        entry.Shape is LegendShape.Full or LegendShape.Hollow ? 17 : 28;

    public override void Render(RenderPack rp) { }

    public void RenderLast(RenderPack rp)
    {
        foreach (var (entry, x, y) in legend)
            DrawSymbol(rp, entry, (float)x, (float)y);
        using var paint = new SKPaint { IsAntialias = true };
        foreach (var label in labels)
            Write(rp.Canvas, paint, label);
    }

    private static void Write(SKCanvas canvas, SKPaint paint, Label label)
    {
        using var font = new SKFont(Typefaces.For(label.Text, label.Bold), label.Size)
        {
            Subpixel = true,
            Hinting = SKFontHinting.None,
        };
        var width = font.MeasureText(label.Text);
        var left = -width * label.Alignment.HorizontalFraction();
        var baseline =
            label.Size
            * (
                label.Alignment.VerticalFraction() switch
                {
                    0.5f => HalfCapital,
                    0 => -Descent,
                    _ => Ascent,
                }
            );
        canvas.Save();
        canvas.Translate((float)label.X, (float)label.Y);
        canvas.RotateDegrees(label.Rotation);
        if (label.HasGround)
        {
            paint.Color = Palette.Surface.WithAlpha(.85).ToSKColor();
            canvas.DrawRect(
                new SKRect(left - 2, baseline - label.Size * Ascent, left + width + 2, baseline + label.Size * Descent),
                paint
            );
        }
        paint.Color = label.Colour.ToSKColor();
        canvas.DrawText(label.Text, left, baseline, font, paint);
        canvas.Restore();
    }

    private static void DrawSymbol(RenderPack rp, LegendEntry entry, float x, float y)
    {
        switch (entry.Shape)
        {
            case LegendShape.Line:
                ScottPlot.Drawing.DrawLine(
                    rp.Canvas,
                    rp.Paint,
                    new PixelLine(x, y, x + 22, y),
                    new LineStyle(2, entry.Colour)
                );
                if (entry.Marker != MarkerShape.None)
                    Sheet.Marker(entry.Marker, entry.Colour, 8, isHollow: true).Render(rp, new(x + 11, y));
                break;
            case LegendShape.Dashed:
                Dashes.Draw(rp.Canvas, new(x, y), new(x + 22, y), entry.Colour, 2);
                break;
            case LegendShape.Band or LegendShape.Box:
                var fill = new FillStyle
                {
                    Color = entry.Shape == LegendShape.Band ? entry.Colour.WithAlpha(.2) : entry.Colour,
                };
                ScottPlot.Drawing.FillRectangle(rp.Canvas, new PixelRect(x, x + 22, y + 5, y - 5), rp.Paint, fill);
                break;
            default:
                Sheet
                    .Marker(entry.Marker, entry.Colour, 9, entry.Shape == LegendShape.Hollow)
                    .Render(rp, new(x + 5, y));
                break;
        }
    }
}
