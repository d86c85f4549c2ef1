using MqttCheck.Reports.Marks;
using ScottPlot;
using SkiaSharp;

namespace MqttCheck.Plots.Drawing;

/// <summary>
/// The parts around and above the data: heading, explanation, legend, names of ticks, labels. They are drawn last and
/// are not clipped to the data area.
/// </summary>
internal sealed class Furniture(IReadOnlyList<Label> labels, IReadOnlyList<(LegendKey Key, double X, double Y)> legend)
    : Drawn,
        IRenderLast
{
    // These are parts of the size of DejaVu's letters: half a capital, a capital with some air, and the descent below
    // the line.
    private const float HalfCapital = .365f,
        Ascent = .93f,
        Descent = .24f;

    /// <summary>The width of a legend's symbol with the gap behind it.</summary>
    public static double SymbolWidth(LegendKey key) => key.Shape is LegendShape.Full or LegendShape.Hollow ? 17 : 28;

    public override void Render(RenderPack rp) { }

    public void RenderLast(RenderPack rp)
    {
        foreach (var (key, x, y) in legend)
            DrawSymbol(rp, key, (float)x, (float)y);
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
            paint.Color = Palette.Of(Role.Surface).WithAlpha(.85).ToSKColor();
            canvas.DrawRect(
                new SKRect(left - 2, baseline - label.Size * Ascent, left + width + 2, baseline + label.Size * Descent),
                paint
            );
        }
        paint.Color = label.Colour.ToSKColor();
        canvas.DrawText(label.Text, left, baseline, font, paint);
        canvas.Restore();
    }

    private static void DrawSymbol(RenderPack rp, LegendKey key, float x, float y)
    {
        var colour = Palette.Of(key.Role);
        switch (key.Shape)
        {
            case LegendShape.Line:
                ScottPlot.Drawing.DrawLine(
                    rp.Canvas,
                    rp.Paint,
                    new PixelLine(x, y, x + 22, y),
                    new LineStyle(2, colour)
                );
                if (key.Symbol is { } symbol)
                    Palette.Style(symbol, colour, 8, isHollow: true).Render(rp, new(x + 11, y));
                break;
            case LegendShape.Dashed:
                Dashes.Draw(rp.Canvas, [new(x, y), new(x + 22, y)], colour, 2);
                if (key.Symbol is { } dashed)
                    Palette.Style(dashed, colour, 8, isHollow: true).Render(rp, new(x + 11, y));
                break;
            case LegendShape.Band or LegendShape.Box:
                var fill = new FillStyle { Color = key.Shape == LegendShape.Band ? colour.WithAlpha(.2) : colour };
                ScottPlot.Drawing.FillRectangle(rp.Canvas, new PixelRect(x, x + 22, y + 5, y - 5), rp.Paint, fill);
                break;
            default:
                Palette
                    .Style(key.Symbol ?? Symbol.Circle, colour, 9, key.Shape == LegendShape.Hollow)
                    .Render(rp, new(x + 5, y));
                break;
        }
    }
}
