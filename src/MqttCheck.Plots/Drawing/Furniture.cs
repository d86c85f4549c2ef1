using ScottPlot;

namespace MqttCheck.Plots.Drawing;

/// <summary>What stands around and above the data: heading, explanation, legend, labels. Drawn last and not cut at the edge of the data.</summary>
internal sealed class Furniture(IReadOnlyList<Label> labels, IReadOnlyList<(LegendEntry Entry, double X, double Y)> legend) : IPlottable, IRenderLast
{
    /// <summary>The width of a legend's symbol with the gap behind it.</summary>
    public const double SymbolWidth = 28;

    public bool IsVisible { get; set; } = true;

    public IAxes Axes { get; set; } = new Axes();

    public IEnumerable<LegendItem> LegendItems => [];

    public AxisLimits GetAxisLimits() => AxisLimits.NoLimits;

    public void Render(RenderPack rp) { }

    public void RenderLast(RenderPack rp)
    {
        foreach (var (entry, x, y) in legend) DrawSymbol(rp, entry, (float)x, (float)y);
        foreach (var label in labels)
        {
            var style = new LabelStyle
            {
                Text = label.Text,
                Font = Typefaces.For(label.Text, label.Bold),
                FontSize = label.Size,
                ForeColor = label.Colour,
                Alignment = label.Alignment,
                Rotation = label.Rotation,
                BackgroundColor = label.HasGround ? Palette.Surface.WithAlpha(.85) : Colors.Transparent,
                BorderWidth = 0,
            };
            style.Render(rp.Canvas, new((float)label.X, (float)label.Y), rp.Paint);
        }
    }

    private static void DrawSymbol(RenderPack rp, LegendEntry entry, float x, float y)
    {
        var line = new LineStyle(2, entry.Colour, entry.Shape == LegendShape.Dashed ? LinePattern.Dashed : LinePattern.Solid);
        var middle = x + 11;
        switch (entry.Shape)
        {
            case LegendShape.Line or LegendShape.Dashed:
                ScottPlot.Drawing.DrawLine(rp.Canvas, rp.Paint, new PixelLine(x, y, x + 22, y), line);
                if (entry.Marker != MarkerShape.None) Sheet.Marker(entry.Marker, entry.Colour, 8, isHollow: true).Render(rp, new(middle, y));
                break;
            case LegendShape.Band or LegendShape.Box:
                var fill = new FillStyle { Color = entry.Shape == LegendShape.Band ? entry.Colour.WithAlpha(.2) : entry.Colour };
                ScottPlot.Drawing.FillRectangle(rp.Canvas, new PixelRect(x, x + 22, y + 5, y - 5), rp.Paint, fill);
                break;
            default:
                Sheet.Marker(entry.Marker, entry.Colour, 9, entry.Shape == LegendShape.Hollow).Render(rp, new(middle, y));
                break;
        }
    }
}
